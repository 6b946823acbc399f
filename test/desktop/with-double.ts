import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { HostDisplay, MenuItem } from '../../electron/host/api.ts';
import { startHost } from '../../electron/host/host.ts';
import { APP } from '../../scripts/desktop-build.mjs';
import { CLI } from '../support/cli.ts';
import { studioHome } from '../support/studio-server.ts';
import { until } from '../support/until.ts';
import { createDouble, type Double, oneDisplay } from './double.ts';
import type { DoubleWindow } from './double-windows.ts';
import { askIn, type Driver, type DriverOptions } from './driver.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

export type DoubleDriver = Driver & {
  double: Double;
  window(): Promise<DoubleWindow>;
  /** When the host was started, `performance.now()`, ms. */
  startedAt: number;
};
export type WithDouble = DriverOptions & {
  browser: Browser;
  platform?: string;
  release?: string;
  argv?: string[];
  isFirst?: boolean;
  isPackaged?: boolean;
  /** Another command in the place of the studio. */
  program?: { command: string; args: string[]; flags?: string[] };
  displays?: HostDisplay[];
  wayland?: boolean;
  scheme?: 'light' | 'dark';
  /** Accelerators that another program has. */
  taken?: readonly string[];
};

/** The preload script as Electron gets it. Built before the tests (test/support/built-desktop.ts). */
export const PRELOAD = path.join(APP, 'preload.cjs');

/** Runs the whole host over the double: its own studio and capture processes, pages in a real Chromium. */
export async function startWithDouble(options: WithDouble): Promise<DoubleDriver> {
  const { browser, env, size, platform = 'linux', release = '6.1.0', argv = [] } = options;
  const home = studioHome();
  const double = await createDouble({
    browser,
    preload: PRELOAD,
    platform,
    folder: home.dir('app'),
    displays: options.displays ?? [oneDisplay(size.width, size.height)],
    ...(options.isFirst !== undefined && { isFirst: options.isFirst }),
    ...(options.isPackaged !== undefined && { isPackaged: options.isPackaged }),
    look: { scheme: options.scheme ?? 'light' },
    ...(options.taken && { taken: options.taken }),
  });
  const listening = process.listeners('uncaughtExceptionMonitor');
  const startedAt = performance.now();
  startHost(double.api, {
    program: {
      command: process.execPath,
      args: [CLI],
      flags: [],
      ...options.program,
      env: { ...env, TRAJECTORY_STUDIO_HOME: home.home },
    },
    preload: PRELOAD,
    icons: path.join(ROOT, 'assets', 'icons'),
    platform,
    release,
    argv,
    cwd: home.home,
    wayland: options.wayland ?? false,
  });
  const window = () =>
    until('the studio’s window', () => double.windows.find((one) => !one.destroyed && one.options.frame !== false), {
      timeoutMs: 60_000,
    });
  const main = async (): Promise<Page> => {
    const one = await window();
    const page = await one.page;
    // The first start builds the pages.
    await until('the studio’s page', () => one.visible && one.url.startsWith('studio:'), { timeoutMs: 180_000 });
    return page;
  };
  const find = (id: string): MenuItem | null => flat(double.menu).find((item) => item.id === id) ?? null;
  return {
    real: false,
    home,
    double,
    startedAt,
    window,
    main,
    async bar() {
      const bar = double.windows.find((one) => !one.destroyed && one.options.frame === false);
      return bar ? bar.page : null;
    },
    async menuItem(id) {
      const item = find(id);
      return item ? { label: item.label ?? '', enabled: item.enabled !== false } : null;
    },
    async choose(id) {
      const item = find(id);
      if (!item?.click) throw new Error(`the menu has no ${id}`);
      item.click();
    },
    answer: async (button) => void double.answers.push(button),
    asked: async () => double.asked.map(({ message }) => message),
    power: async (event) => void double.power.emit(event),
    secondInstance: async (words) => void double.app.emit('second-instance', {}, ['electron', ...words], home.home),
    ask: async (where, body) => askIn(await main(), where, body),
    hasEnded: double.hasEnded,
    async stop() {
      if (!double.hasEnded()) {
        double.answers.push(0);
        double.api.app.quit();
        await double.ended;
      }
      // A host lives as long as its process; here one process has many.
      for (const listener of process.listeners('uncaughtExceptionMonitor')) {
        if (!listening.includes(listener)) process.off('uncaughtExceptionMonitor', listener);
      }
      home.remove();
    },
  };
}

export const flat = (items: readonly MenuItem[]): MenuItem[] =>
  items.flatMap((item) => [item, ...flat(item.submenu ?? [])]);
