import type { Page } from 'playwright-core';
import type { StudioHome } from '../support/studio-server.ts';

/** The desktop app as the tests drive it, whichever stands behind it: the double, or Electron itself. */
export type Driver = {
  real: boolean;
  home: StudioHome;
  /** The studio's window that was opened first and is still there. */
  main(): Promise<Page>;
  /** The recording bar; null while there is none. */
  bar(): Promise<Page | null>;
  /** An item of the native menu by its id; null when there is none. */
  menuItem(id: string): Promise<{ label: string; enabled: boolean } | null>;
  choose(id: string): Promise<void>;
  /** The next message box is answered with this button. */
  answer(button: number): Promise<void>;
  /** What message boxes have said so far. */
  asked(): Promise<string[]>;
  power(event: 'suspend' | 'resume'): Promise<void>;
  /** Somebody starts the app a second time with these words. */
  secondInstance(words: readonly string[]): Promise<void>;
  /** The API, through the page. */
  ask(path: string, body?: unknown): Promise<unknown>;
  hasEnded(): boolean;
  /** Ends what is left. */
  stop(): Promise<void>;
};

export type DriverOptions = {
  /** Environment of the app: DISPLAY. */
  env: NodeJS.ProcessEnv;
  /** Of the display, px. */
  size: { width: number; height: number };
};

/** Asks the API from inside a page, as it asks itself. */
export async function askIn(page: Page, path: string, body?: unknown): Promise<unknown> {
  const { ok, text } = await page.evaluate(
    async ([where, given]) => {
      const init =
        given === null ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: given };
      const answer = await fetch(where, init);
      return { ok: answer.ok, text: await answer.text() };
    },
    [path, body === undefined ? null : JSON.stringify(body)] as const,
  );
  if (!ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text);
}
