import { parentPort, workerData } from 'node:worker_threads';
import { sessionClock } from '../../native/clock/session-clock.ts';
import { openPlatform } from '../../native/index.ts';
import type { DesktopWindow, Platform, SyncPatch } from '../../native/platform/platform.ts';
import { keepCompiledCode } from '../../native/process/keep-compiled.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { Display, InputSettings } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { type Front, type FrontLists, frontJudge, hasLists } from './front.ts';
import type { Look } from './gate.ts';

/**
 * Watches the desktop (displays, layout, active window) in a thread of its own: any of these calls may be slow or, when
 * the display goes away, never return, and neither may hold up an event (architecture, processes).
 */
export type WatchSetup = {
  startNs: bigint;
  startedAtMs: number;
  control: Int32Array<SharedArrayBuffer>;
  /** Words of windows that may not be recorded (I6); with any of them the window in front is looked at all the time. */
  lists: FrontLists;
  /** Another process hands over pictures of the screen. */
  shared: boolean;
};
export type Locks = { caps: boolean; num: boolean };
export type WatchReport =
  | {
      type: 'ready';
      displays: Display[];
      layout: KeyboardLayout;
      locks: Locks;
      settings: InputSettings;
      window: DesktopWindow | null;
      windows: DesktopWindow[];
      xwayland: boolean;
      /** Limits of this system, for the recording's warnings. */
      warnings: { code: string; message: string }[];
      knowsFront: boolean;
      /** Whether a patch can be shown at a chosen place (C4). */
      paints: boolean;
    }
  /** The layout since `t`; the locks as they are at `at`. */
  | { type: 'layout'; t: number; at: number; layout: KeyboardLayout; locks: Locks }
  | { type: 'displays'; t: number; displays: Display[] }
  | { type: 'window'; t: number; window: DesktopWindow | null }
  /** Whether the window in front may be recorded. Looks at which that was not clear are not reported. */
  | { type: 'look'; look: Look }
  | { type: 'bounds'; id: string; window: DesktopWindow | null }
  | { type: 'pointer'; request: number; place: { x: number; y: number } | null }
  | { type: 'painted'; paints: { rgb: number; before: number; after: number }[] }
  | { type: 'failed'; error: ReturnType<typeof errorBody> };
export type WatchCommand =
  | { type: 'follow'; window: string }
  | { type: 'displays' }
  /** Tell anew what nothing was written of during a pause: the active window, layout and lock keys, the displays. */
  | { type: 'anew'; keyboard: boolean; displays: boolean }
  | { type: 'pointer'; request: number }
  | { type: 'paint'; x: number; y: number; size: number; steps: { rgb: number; wait: number }[] };

const POLL_MS = 30;
const WINDOW_EVERY = 3;
const DISPLAYS_EVERY = 15;
/** With a list: how often the window in front is looked at, where the system reports changes and where it does not, ms. */
const LOOK_MS = 10;
const LOOK_ANEW_MS = 30;
/** Systems tell the times of keys in whole milliseconds, by a clock that may be as coarse: one after a look may seem to lie before it. */
const GRAIN_US = 2000;

const setup = workerData as WatchSetup; // the capture process hands in exactly this
const clock = sessionClock(setup.startNs, setup.startedAtMs);
const tell = (report: WatchReport) => parentPort?.postMessage(report);

let followed: string | null = null;

function watch(platform: Platform): void {
  let displays = platform.displays();
  let active = platform.activeWindow();
  const { layout, locks } = platform.keyboard.read();
  tell({
    type: 'ready',
    displays,
    layout,
    locks,
    settings: platform.inputSettings(),
    window: active,
    windows: platform.windows(),
    xwayland: platform.xwayland ?? false,
    warnings: [...(platform.warnings ?? [])],
    knowsFront: platform.knowsFront ?? true,
    paints: platform.openPatch !== undefined,
  });
  let polls = 0;

  if (hasLists(setup.lists)) lookAtFront(platform);

  const readDisplays = (anew = false) => {
    const t = clock.now();
    const now = platform.displays();
    if (!anew && JSON.stringify(now) === JSON.stringify(displays)) return;
    displays = now;
    tell({ type: 'displays', t, displays });
  };
  const readWindow = (anew = false) => {
    const t = clock.now();
    const now = platform.activeWindow();
    if (anew || JSON.stringify(now) !== JSON.stringify(active)) {
      active = now;
      tell({ type: 'window', t, window: active });
    }
    if (followed === null) return;
    const target = now?.id === followed ? now : (platform.windows().find((w) => w.id === followed) ?? null);
    tell({ type: 'bounds', id: followed, window: target });
  };
  // A lock key pressed between the change and this look is already in the locks that are read now, and must not count twice: the
  // first key after a change of layout often brings the news of it, and may be CapsLock.
  const tellKeyboard = (t: number) => {
    const at = clock.now();
    tell({ type: 'layout', t, at, ...platform.keyboard.read() });
  };

  setInterval(() => {
    Atomics.add(setup.control, 0, 1);
    polls++;
    if (platform.keyboard.changed()) {
      // Keys typed between the change and this look already mean what the new layout says.
      const t = platform.keyboard.changedAt?.() ?? clock.now();
      tellKeyboard(t);
    }
    if (polls % WINDOW_EVERY === 0) readWindow();
    if (polls % DISPLAYS_EVERY === 0) readDisplays();
  }, POLL_MS);

  parentPort?.on('message', (command: WatchCommand) => {
    if (command.type === 'follow') followed = command.window;
    if (command.type === 'displays') readDisplays();
    if (command.type === 'anew') {
      if (command.displays) readDisplays(true);
      if (command.keyboard) tellKeyboard(clock.now());
      readWindow(true);
    }
    if (command.type === 'pointer') tell({ ...command, place: platform.pointer() });
    if (command.type === 'paint') paint(platform, command).catch(failed);
  });
}

/** Tells again and again whether what is in front may be recorded. */
function lookAtFront(platform: Platform): void {
  const told = platform.watchFront?.();
  const judge = frontJudge(setup.lists);
  const look = () => {
    const asked = clock.now();
    const front = told ? told.look() : activeAlone(platform.activeWindow());
    const done = clock.now();
    const allowed = judge(asked, front);
    if (allowed !== null) tell({ type: 'look', look: { asked: asked - GRAIN_US, done, allowed } });
  };
  look();
  setInterval(look, told ? LOOK_MS : LOOK_ANEW_MS);
}
const activeAlone = (active: DesktopWindow | null): Front => ({ active, focused: null, topmost: null });

async function paint(platform: Platform, command: Extract<WatchCommand, { type: 'paint' }>): Promise<void> {
  const paints: { rgb: number; before: number; after: number }[] = [];
  const patch: SyncPatch | undefined = await platform.openPatch?.(command);
  if (!patch) throw new StudioError('UNSUPPORTED_PLATFORM', 'No patch can be shown here.', {});
  for (const { rgb, wait } of command.steps) {
    await new Promise((done) => setTimeout(done, wait));
    paints.push({ rgb, ...(await patch.paint(rgb)) });
  }
  // The last colour must stay long enough to be seen at the lowest frame rate.
  await new Promise((done) => setTimeout(done, command.steps[0]?.wait ?? 0));
  await patch.close();
  tell({ type: 'painted', paints });
}

const failed = (error: unknown) => tell({ type: 'failed', error: errorBody(error) });
openPlatform(clock, { shared: setup.shared }).then(watch).catch(failed).finally(keepCompiledCode);
