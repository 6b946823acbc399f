import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  linkTree,
  missingForWindows,
  setUpWindows,
  type WindowsPaths,
  wineEnvironment,
} from '../../scripts/setup-windows.mjs';
import { startDisplay, type VirtualDisplay } from './display.ts';
import { must, processInfo, type Started, start } from './process.ts';
import { until } from './until.ts';

/** The studio on Windows: Node and native modules for Windows under Wine, on a virtual display, with xdotool as the person. */

export type WinSaid = { status: number | null; stdout: string; stderr: string };
export type WinStarted = { started: Started; stdout(): string; stderr(): string };
/**
 * The characters that Wine's programs know of Linux. Wine 8 finds file names with umlauts in UTF-8 alone, and the keys of German
 * and French by their Latin-1 characters alone, which it has in the locale C.
 */
export type Characters = 'utf8' | 'latin1';
const LOCALES: Record<Characters, string> = { utf8: 'C.UTF-8', latin1: 'C' };

export type Windows = {
  display: VirtualDisplay;
  /** A private folder with blanks and umlauts in its name, removed at the end. */
  folder: string;
  /** The same with a plain name. */
  plain: string;
  /** Throws where Wine's server has ended: each of its programs then hangs, or ends without a word. */
  mustServe(): void;
  /** Starts Node for Windows with these words, the studio's sources as its folder. */
  start(words: readonly string[], characters?: Characters): Promise<WinStarted>;
  /** The same, to its end. */
  run(words: readonly string[], timeoutMs?: number): Promise<WinSaid>;
  /** Starts a program of Wine's and resolves with its window, in front, at a known place. */
  open(program: string, words: readonly string[], title: string, how?: Opened): Promise<WinWindow>;
  /** Processes of Windows whose command line holds all of these words. */
  processes(...words: string[]): number[];
  stop(): Promise<void>;
};
type Place = { x: number; y: number; width: number; height: number };
type Opened = { at?: Place; characters?: Characters };
export type WinWindow = {
  /** The client area, px of the screen. */
  bounds: Place;
  activate(): Promise<void>;
  /** Ends its program, whatever is not saved. */
  close(): Promise<void>;
};

const PLACE: Place = { x: 60, y: 60, width: 900, height: 600 };

const lacking = missingForWindows();
const WITHOUT = `No Windows can be made here: ${lacking.join(', ')} is missing. On Debian: apt install wine wine64 xvfb xdotool openbox.`;

/** Whether tests on Windows are left out here, which is said. In continuous integration they are not: there they fail. */
export function withoutWindows(): boolean {
  if (lacking.length === 0 || process.env.STUDIO_CI) return false;
  console.warn(`${WITHOUT} Its tests are left out.`);
  return true;
}

/** A path of this system as Windows sees it. */
export const winPath = (file: string): string => `Z:${file.replaceAll('/', '\\')}`;

/**
 * `monitors`: several displays side by side, in px from the left of the X screen; without them there is one. The primary one is
 * where Windows counts from, so that what lies to the left of it has negative positions.
 */
export async function startWindows(
  say: (line: string) => void,
  monitors: readonly { name: string; x: number; width: number; primary: boolean }[] = [],
): Promise<Windows> {
  if (lacking.length > 0) throw new Error(WITHOUT);
  const paths: WindowsPaths = setUpWindows(say);
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'trajectory-studio-windows-'));
  const folder = path.join(parent, 'Arbeit für Zoë');
  fs.mkdirSync(folder);
  const plain = path.join(parent, 'plain');
  const trees: Record<Characters, string> = {
    utf8: path.join(folder, 'Das Studio'),
    latin1: path.join(plain, 'studio'),
  };
  for (const tree of Object.values(trees)) linkTree(tree, paths);
  const prefix = path.join(parent, 'prefix');
  ownPrefix(paths.prefix, prefix);
  const display = await startDisplay({ width: 1280, height: 800 });
  // Xvfb has one output. Wine takes RandR's monitors, of which there can be more, by Xinerama, where it may not ask RandR.
  askRandR(prefix, monitors.length === 0);
  for (const { name, x, width, primary } of monitors) {
    const size = `${width}/${Math.round(width / 4)}x${display.height}/200+${x}+0`;
    const words = ['--setmonitor', `${primary ? '*' : ''}${name}`, size, primary ? 'screen' : 'none'];
    await must('xrandr', words, { env: display.env });
  }
  const env = { ...wineEnvironment(prefix), DISPLAY: display.name, FFMPEG_PATH: winPath(paths.ffmpeg) };
  const speaking = (characters: Characters) => ({ ...env, LC_ALL: LOCALES[characters] });
  // Wine's server outlives each program for some seconds; while it does, the next starts at once.
  const server = await start('wineserver', ['--foreground', '--persistent'], { env: speaking('utf8') });
  const mustServe = (): void => {
    const ended = server.exit();
    if (ended) throw new Error(`Wine's server has ended (${JSON.stringify(ended)}): ${server.stderr().trim()}`);
  };
  let count = 0;
  const windows: Windows = {
    display,
    folder,
    plain,
    mustServe,
    async start(words, characters = 'utf8') {
      mustServe();
      const base = path.join(parent, `said-${count++}`);
      // Node for Windows cannot write into a pipe of Linux: EBADF.
      const script = 'exec "$0" "$@" >"$SAID.out" 2>"$SAID.err"';
      const started = await start('sh', ['-c', script, 'wine', paths.node, ...words], {
        env: { ...speaking(characters), SAID: base },
        cwd: trees[characters],
      });
      const read = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
      return { started, stdout: () => read(`${base}.out`), stderr: () => read(`${base}.err`) };
    },
    async run(words, timeoutMs = 120_000) {
      const { started, stdout, stderr } = await windows.start(words);
      const timer = setTimeout(() => started.child.kill('SIGKILL'), timeoutMs);
      const { status } = await started.exited;
      clearTimeout(timer);
      return { status, stdout: stdout(), stderr: stderr() };
    },
    async open(program, words, title, { at = PLACE, characters = 'utf8' } = {}) {
      mustServe();
      const started = await start('wine', [program, ...words], { env: speaking(characters) });
      const xdo = (...args: string[]) => must('xdotool', args, { env: display.env });
      const shown = async () =>
        (await xdo('search', '--onlyvisible', '--name', title).catch(() => '')).trim().split('\n');
      const id = await until(`the window of ${program}`, async () => (await shown()).at(-1) || null);
      const isActive = async () => (await xdo('getactivewindow').catch(() => '')).trim() === id;
      const activate = async () => {
        await xdo('windowactivate', id);
        await until(`${title} to be in front`, isActive);
      };
      await xdo('windowsize', '--sync', id, String(at.width), String(at.height));
      await xdo('windowmove', '--sync', id, String(at.x), String(at.y));
      await activate();
      const shell = await xdo('getwindowgeometry', '--shell', id);
      const field = (name: string) => Number(new RegExp(`^${name}=(-?\\d+)$`, 'm').exec(shell)?.[1]);
      const bounds = { x: field('X'), y: field('Y'), width: field('WIDTH'), height: field('HEIGHT') };
      const close = async () => {
        // Its output stays open: Wine's own programs, which it started, have it too.
        started.child.kill('SIGKILL');
        const isGone = async (): Promise<boolean> => {
          mustServe();
          return !(await shown()).includes(id);
        };
        await until(`the window of ${program} to be gone`, isGone);
      };
      return { bounds, activate, close };
    },
    processes: (...words) =>
      fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => processInfo(Number(name)))
        .filter((info) => info !== null && words.every((word) => info.command.includes(word)))
        .map((info) => info?.pid ?? 0),
    async stop() {
      await must('wineserver', ['--kill'], { env }).catch(() => undefined);
      await server.stop();
      await display.stop();
      fs.rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return windows;
}

/**
 * A Windows of the test's own, so that several run beside each other: one server serves all programs of a prefix, and a test ends
 * its own. What programs write to (the registry, people's folders) is copied; the system itself, 700 MB, is a link.
 */
function ownPrefix(made: string, prefix: string): void {
  const system = path.join('drive_c', 'windows');
  const filter = (from: string): boolean => from !== path.join(made, system);
  fs.cpSync(made, prefix, { recursive: true, verbatimSymlinks: true, filter });
  fs.symlinkSync(path.join(made, system), path.join(prefix, system));
}

const DRIVER = '[Software\\\\Wine\\\\X11 Driver]';

/** Sets it in the prefix's registry, a text file while no Wine runs. */
function askRandR(prefix: string, yes: boolean): void {
  const file = path.join(prefix, 'user.reg');
  const sections = fs.readFileSync(file, 'latin1').split(/^(?=\[)/m);
  const others = sections.filter((section) => !section.startsWith(DRIVER)).join('');
  fs.writeFileSync(file, yes ? others : `${others.trimEnd()}\n\n${DRIVER} 1700000000\n"UseXRandR"="N"\n`, 'latin1');
}
