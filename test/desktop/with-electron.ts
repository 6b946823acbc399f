import fs from 'node:fs';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { studioHome } from '../support/studio-server.ts';
import { until } from '../support/until.ts';
import { askIn, type Driver, type DriverOptions } from './driver.ts';
import { PRELOAD } from './with-double.ts';

/** The same over Electron itself, where its program is installed. */

const FOLDER = path.join(import.meta.dirname, '..', '..', 'node_modules', 'electron');

/** Electron's program; null where it could not be fetched. */
export function electronProgram(): string | null {
  const note = path.join(FOLDER, 'path.txt');
  if (!fs.existsSync(note)) return null;
  const program = path.join(
    process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(FOLDER, 'dist'),
    fs.readFileSync(note, 'utf8'),
  );
  return fs.existsSync(program) ? program : null;
}

export async function startWithElectron({ env }: DriverOptions): Promise<Driver> {
  const executablePath = electronProgram();
  if (executablePath === null) throw new Error('Electron’s program is not installed');
  const home = studioHome();
  const folder = path.dirname(PRELOAD);
  const app = await _electron.launch({
    executablePath,
    // As root Chromium's sandbox refuses to start.
    args: [folder, `--user-data-dir=${home.dir('app')}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: Object.fromEntries(
      Object.entries({ ...env, TRAJECTORY_STUDIO_HOME: home.home, TRAJECTORY_STUDIO_NODE: process.execPath }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
  });
  let ended = false;
  app.on('close', () => {
    ended = true;
  });
  await app.evaluate(({ dialog }) => {
    const boxes: { answers: number[]; asked: string[] } = { answers: [], asked: [] };
    Reflect.set(globalThis, '__boxes', boxes);
    // Whoever calls it gives one object, as the host does.
    Reflect.set(dialog, 'showMessageBox', async ({ message }: { message: string }) => {
      boxes.asked.push(message);
      return { response: boxes.answers.shift() ?? 0 };
    });
  });
  const find = (isBar: boolean): Page | undefined =>
    app.windows().find((page) => page.url().startsWith('studio://') && page.url().endsWith('/desktop/bar') === isBar);
  const main = (): Promise<Page> => until('the studio’s page', () => find(false), { timeoutMs: 180_000 });
  return {
    real: true,
    home,
    main,
    bar: async () => find(true) ?? null,
    menuItem: (id) =>
      app.evaluate(({ Menu }, wanted) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
        return item ? { label: item.label, enabled: item.enabled } : null;
      }, id),
    choose: (id) =>
      app.evaluate(({ Menu }, wanted) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
        if (!item) throw new Error(`the menu has no ${wanted}`);
        item.click();
      }, id),
    answer: (button) => app.evaluate((_, given) => void Reflect.get(globalThis, '__boxes').answers.push(given), button),
    asked: () => app.evaluate((): string[] => Reflect.get(globalThis, '__boxes').asked),
    power: (event) => app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event),
    secondInstance: (words) => emitSecond(app, words, home.home),
    ask: async (where, body) => askIn(await main(), where, body),
    hasEnded: () => ended,
    async stop() {
      if (!ended) await app.close();
      home.remove();
    },
  };
}

const emitSecond = (app: ElectronApplication, words: readonly string[], cwd: string): Promise<void> =>
  app.evaluate(({ app: main }, [argv, from]) => void main.emit('second-instance', {}, ['electron', ...argv], from), [
    words,
    cwd,
  ] as const);
