import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startDisplay, type VirtualDisplay } from '../support/display.ts';
import { startBrowser, startShell } from '../support/studio-browser.ts';
import { tellPagesOfFailures } from '../support/what-was-seen.ts';
import type { Driver } from './driver.ts';
import { type DoubleDriver, startWithDouble, type WithDouble } from './with-double.ts';

/** Of the display, px. */
export const SIZE = { width: 1280, height: 800 };

/** What the desktop app's tests of one file share: a virtual display, a browser, and an end for each app that they start. */
export type DesktopFixture = {
  readonly display: VirtualDisplay;
  readonly browser: Browser;
  /** The app over the double, ended after the test. */
  start(more?: Partial<WithDouble>): Promise<DoubleDriver>;
  /** Ends this one after the test too. */
  keep<T extends Driver>(app: T): T;
};

/** Where the browser's windows are: nowhere to be seen, or on the display that is recorded. `none`: Electron is the browser. */
type Windows = 'unseen' | 'on the display' | 'none';

/** Call it once, at the top of a file. What it starts is there before the file's own `beforeAll`. */
export function desktopFixture(windows: Windows = 'unseen'): DesktopFixture {
  const apps: Driver[] = [];
  let display: VirtualDisplay | null = null;
  let browser: Browser | null = null;
  const running = <T>(what: T | null): T => {
    if (what === null) throw new Error('the desktop is there in tests and hooks only');
    return what;
  };
  beforeAll(async () => {
    display = await startDisplay(SIZE);
    if (windows === 'unseen') browser = await startShell();
    if (windows === 'on the display') browser = await startBrowser(display);
  }, 120_000);
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  }, 120_000);
  tellPagesOfFailures(() => browser);
  afterAll(async () => {
    await browser?.close();
    await display?.stop();
  });
  function keep<T extends Driver>(app: T): T {
    apps.push(app);
    return app;
  }
  return {
    get display() {
      return running(display);
    },
    get browser() {
      return running(browser);
    },
    keep,
    start: async (more = {}) =>
      keep(await startWithDouble({ browser: running(browser), env: running(display).env, size: SIZE, ...more })),
  };
}
