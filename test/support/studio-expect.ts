import { expect } from 'vitest';

/** Expects what will be so in a moment: asked again and again, as long as a slow machine may need. */
export const soon = <T>(read: () => T | Promise<T>, timeout = 45_000) => expect.poll(read, { timeout, interval: 50 });
