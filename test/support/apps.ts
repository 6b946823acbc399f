import fs from 'node:fs';
import path from 'node:path';
import type { VirtualDisplay } from './display.ts';
import { must, processTree, run, type Started } from './process.ts';
import { until } from './until.ts';

/** Real applications on a virtual display, with clean profiles and no first-run dialogs. */

export type AppName = 'mousepad' | 'gimp' | 'xterm' | 'chromium' | 'featherpad' | 'office';
export type App = {
  started: Started;
  window: string;
  /** The client area on the screen, physical px. */
  bounds(): Promise<{ x: number; y: number; width: number; height: number }>;
  focus(): Promise<void>;
  /** Resolves when it has used no CPU for a while: it has read what was typed and painted what it will paint. */
  idle(): Promise<void>;
  title(): Promise<string>;
};
export type AppOptions = {
  file?: string;
  url?: string;
  args?: string[];
  x?: number;
  y?: number;
  width?: number;
  height?: number;
};

type Recipe = {
  command: string;
  args(options: AppOptions, home: string): string[];
  /** Part of the main window's class. */
  className: string;
  env?: NodeJS.ProcessEnv;
};

const RECIPES: Record<AppName, Recipe> = {
  mousepad: {
    command: 'mousepad',
    args: ({ file }) => ['--disable-server', ...(file ? [file] : [])],
    className: 'mousepad',
  },
  gimp: {
    command: 'gimp',
    // Fonts and brushes stay, to have something to write and paint with.
    args: ({ file }, home) => [
      '--no-splash',

      '--new-instance',
      '--gimprc',
      gimprc(home),
      ...(file ? [file] : []),
    ],
    className: 'gimp',
  },
  xterm: {
    command: 'xterm',
    args: ({ file }) => [
      '-u8',
      '-fa',
      'DejaVu Sans Mono',
      '-fs',
      '11',
      '-e',
      'sh',
      '-c',
      `cat > '${file ?? '/dev/null'}'`,
    ],
    className: 'xterm',
  },
  chromium: {
    command: 'chromium',
    args: ({ url, args = [] }, home) => [
      ...args,
      ...['--no-sandbox', '--no-first-run', '--no-default-browser-check', '--disable-gpu', '--disable-dev-shm-usage'],
      ...[
        '--password-store=basic',
        '--disable-sync',
        '--disable-background-networking',
        '--disable-features=Translate',
      ],
      ...[`--user-data-dir=${path.join(home, 'chromium')}`, `--app=${url ?? 'about:blank'}`],
    ],
    className: 'chromium',
  },
  featherpad: {
    command: 'featherpad',
    args: ({ file }) => ['--standalone', ...(file ? [file] : [])],
    className: 'featherpad',
    env: { QT_ACCESSIBILITY: '1', QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1' },
  },
  // Writer for texts, Calc for sheets.
  office: {
    command: 'soffice',
    args: ({ file, args = [] }, home) => {
      const folder = path.join(home, '.config', 'libreoffice', '4', 'user');
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, 'registrymodifications.xcu'), OFFICE_SETTINGS);
      return ['--norestore', '--nologo', '--nofirststartwizard', ...args, ...(file ? [file] : [])];
    },
    className: 'libreoffice',
    env: { SAL_USE_VCLPLUGIN: 'gtk3', GNOME_ACCESSIBILITY: '1' },
  },
};

const officeSetting = (place: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${place}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;
/** Nothing of what it shows at a first start, and no question about the kind of file. */
const OFFICE_SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${officeSetting('Office.Common/Misc', 'FirstRun', 'false')}
${officeSetting('Office.Common/Misc', 'ShowTipOfTheDay', 'false')}
${officeSetting('Office.Common/Misc', 'ShowDonation', 'false')}
${officeSetting('Setup/Office', 'ooSetupInstCompleted', 'true')}
${officeSetting('Setup/Product', 'ooSetupLastVersion', '99.0')}
${officeSetting('Office.Common/Save/Document', 'WarnAlienFormat', 'false')}
</oor:items>
`;

function gimprc(home: string): string {
  const file = path.join(home, 'gimprc');
  fs.writeFileSync(file, '(check-updates no)\n(show-tips no)\n(single-window-mode yes)\n(save-session-info no)\n');
  return file;
}

/** Starts an application, places its window and waits until it is idle. Throws with its own words when none appears. */
export async function startApp(display: VirtualDisplay, name: AppName, options: AppOptions = {}): Promise<App> {
  const recipe = RECIPES[name];
  const env = display.env;
  const started = await display.launch(recipe.command, recipe.args(options, display.home), recipe.env);
  const window = await until(
    `the window of ${name}`,
    async () => {
      if (started.exit()) throw new Error(`${name} ended instead of opening a window: ${started.stderr().trim()}`);
      const found = await run('xdotool', ['search', '--onlyvisible', '--class', recipe.className], { env });
      return (await sized(display, found.stdout.trim().split('\n').filter(Boolean)))[0];
    },
    { timeoutMs: 90_000, everyMs: 100, seen: started.stderr },
  );
  const { x, y, width, height } = options;
  // xdotool --sync waits for a change that may never come when the window already is so; the idle wait covers both.
  if (width && height) await must('xdotool', ['windowsize', window, String(width), String(height)], { env });
  if (x !== undefined && y !== undefined) await must('xdotool', ['windowmove', window, String(x), String(y)], { env });
  const app: App = {
    started,
    window,
    async bounds() {
      // xdotool's own answer counts the frame twice for a decorated window.
      const text = await must('xwininfo', ['-id', window], { env });
      const value = (key: string) => Number(new RegExp(`${key}:\\s+(-?\\d+)`).exec(text)?.[1]);
      const [x, y] = [value('Absolute upper-left X'), value('Absolute upper-left Y')];
      return { x, y, width: value('Width'), height: value('Height') };
    },
    async focus() {
      await must('xdotool', ['windowactivate', '--sync', window], { env });
    },
    idle: () => idle(started.pid),
    title: async () => (await must('xdotool', ['getwindowname', window], { env })).trim(),
  };
  const { file } = options;
  // xterm's title does not name its file.
  if (file && name !== 'xterm')
    await until(`${name} to open ${file}`, async () => (await app.title()).includes(path.parse(file).name));
  await app.idle();
  await app.focus();
  await app.idle();
  return app;
}

/** Windows large enough to be an application's main window; helpers of toolkits are 1x1 or so. */
async function sized(display: VirtualDisplay, windows: string[]): Promise<string[]> {
  const large: string[] = [];
  for (const window of windows) {
    const geometry = await run('xdotool', ['getwindowgeometry', '--shell', window], { env: display.env });
    const [width, height] = ['WIDTH', 'HEIGHT'].map((key) =>
      Number(new RegExp(`${key}=(\\d+)`).exec(geometry.stdout)?.[1]),
    );
    const title = await run('xdotool', ['getwindowname', window], { env: display.env });
    if ((width ?? 0) > 200 && (height ?? 0) > 100 && title.stdout.trim() !== '') large.push(window);
  }
  return large;
}

/**
 * At most one clock tick of CPU in each of three periods of 150 ms, over the process and its children, and none of them wants
 * more: on a busy machine one that has much to do may get no turn for as long.
 */
async function idle(pid: number): Promise<void> {
  const look = () => {
    const tree = processTree(pid);
    return {
      ticks: tree.reduce((sum, info) => sum + info.ticks, 0),
      wants: tree.some(({ state }) => state === 'R' || state === 'D'),
    };
  };
  let last = look().ticks;
  let calm = 0;
  await until(
    `process ${pid} to be idle`,
    () => {
      const { ticks: now, wants } = look();
      calm = now - last <= 1 && !wants ? calm + 1 : 0;
      last = now;
      return calm >= 3;
    },
    { everyMs: 150, timeoutMs: 60_000 },
  );
}
