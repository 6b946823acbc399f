import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Expects what will be so in a moment: asked again and again, as long as a slow machine may need. */
export const soon = <T>(read: () => T | Promise<T>, timeout = 45_000) => expect.poll(read, { timeout, interval: 50 });

/** Expects a table of this name to stand in the page with these rows, its head among them. */
export async function expectTable(page: Page, title: string, rows: readonly (readonly string[])[]): Promise<void> {
  const table = page.getByRole('table', { name: title });
  await table.waitFor();
  const found = await table
    .getByRole('row')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  expect(found).toEqual(rows);
}
