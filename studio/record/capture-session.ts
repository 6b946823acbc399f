import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionClock } from '../../native/clock.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import type { CaptureHost, ScreenRecorder } from '../../native/platform.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { Display, PauseReason, Rect } from '../../schemas/events.ts';
import type { Recording } from '../../schemas/recording.ts';
import { EVENTS_FILE, FRAMES_FILE, WINDOWS_FILE, writeRecording } from '../store/recording-folder.ts';
import { openLineFile } from './append.ts';
import { closeRecording, type Ending } from './close.ts';
import { startDesktopWatch } from './desktop-watch.ts';
import { openDiskReserve } from './disk-reserve.ts';
import { draftOf } from './draft.ts';
import { countDrops } from './drops.ts';
import { createInputLog } from './input-log.ts';
import type { CaptureOrder, FromCapture, LiveStats, ToCapture } from './protocol.ts';
import { parseShortcuts, type ShortcutName } from './shortcuts.ts';
import { type Paint, paintSteps, patchPlace } from './sync.ts';
import { intersect, resolveTarget, windowRect } from './target.ts';

/** One recording from begin to its closed folder. */
type CaptureSession = {
  obey(command: ToCapture): void;
  closed: Promise<Recording>;
  /** True once the person's part has begun: from then on there is something to keep, whatever goes wrong. */
  begun(): boolean;
};

const WAYLAND =
  'This is a Wayland session, which shows this program neither the screen nor the input of others: the recording would be black. ' +
  'Log in to an X11 session ("Xorg" on the login screen), or record with the desktop app, which asks the system for the screen.';

const FLUSH_MS = 40;
const SECOND = 1000;
/** The grabber's or the watch's heartbeat standing still this long means that the display is gone, ms. */
const SILENT_MS = 3000;
const FIRST_FRAME_MS = 10_000;
/** Without a sync check at the end: how long input that was made before the stop may take to arrive, ms. */
const DRAIN_MS = 250;

/**
 * Begins a recording in `order.folder`. Throws (with nothing started) when the display, the target or ffmpeg is not there.
 * Everything over time goes into the append-only files at once; recording.json is written at begin and at the end.
 */
export async function captureSession(
  host: CaptureHost,
  clock: SessionClock,
  order: CaptureOrder,
  tell: (message: FromCapture) => Promise<void>,
): Promise<CaptureSession> {
  const shortcuts = parseShortcuts(order.shortcuts);
  const ffmpeg = await findFfmpeg();
  const desktop = await startDesktopWatch(clock);
  const { ready } = desktop;
  if (ready.xwayland && !order.outside) throw new StudioError('UNSUPPORTED_PLATFORM', WAYLAND, {});
  const target = resolveTarget(order.target, ready.displays, ready.windows);
  mkdirSync(join(order.folder, 'keyframes'), { recursive: true });
  const reserve = openDiskReserve(order.folder);
  const events = openLineFile(join(order.folder, EVENTS_FILE));
  const frames = openLineFile(join(order.folder, FRAMES_FILE));
  const windows = openLineFile(join(order.folder, WINDOWS_FILE));

  let displays: Display[] = ready.displays;
  let rect: Rect = target.rect;
  let spanStart: number | null = null;
  let ending: string | null = null;
  let pictured = false;
  const paints: Paint[][] = [];
  const reasons = new Set<PauseReason>();
  const closed = Promise.withResolvers<Recording>();
  const firstFrame = Promise.withResolvers<void>();

  const notice = (code: string, message: string) => {
    events.add({ t: clock.now(), type: 'notice', code, message });
    tell({ type: 'notice', code, message });
  };

  const screen: ScreenRecorder = host.screen({
    folder: order.folder,
    clock,
    ffmpeg,
    fps: order.fps,
    rect,
    display: target.display,
    ...(order.outside && { outside: order.outside }),
    onFrame(frame) {
      pictured = true;
      frames.add(frame);
      firstFrame.resolve();
    },
    onView: (t, view, segment) => events.add({ t, type: 'view', view, segment }),
    onNotice(code, message, fatal) {
      notice(code, message);
      if (code === 'off-screen') desktop.readDisplays();
      if (fatal) stop(code, message);
    },
  });

  const drops = countDrops(() => screen.counts().dropped);
  const log = createInputLog({
    host,
    clock,
    events,
    screen,
    desktop,
    shortcuts,
    displays: () => displays,
    cut: (t) => isCut(t),
    onShortcut,
    frameUs: Math.round(1e6 / order.fps),
  });

  function onShortcut(name: ShortcutName): void {
    if (name === 'stop') stop('shortcut');
    if (name === 'mark') mark();
    if (name === 'pause') toggle('user');
    if (name === 'privacy') toggle('privacy');
  }
  /** Input is judged by its own time: what was done just before a pause arrives after it began, and stays. */
  let cutFrom = Number.MAX_SAFE_INTEGER;
  let cutTo = 0;
  function isCut(t: number): boolean {
    return t >= cutFrom && (reasons.size > 0 || t < cutTo);
  }
  function toggle(reason: PauseReason): void {
    if (reasons.has(reason)) resume(reason);
    else pause(reason);
  }
  function mark(): void {
    const t = clock.now();
    events.add({ t, type: 'mark', kind: 'subtask' });
    tell({ type: 'mark', t });
  }
  function pause(reason: PauseReason): void {
    if (reasons.size === 0) {
      cutFrom = clock.now();
      events.add({ t: cutFrom, type: 'pause', reason });
    }
    reasons.add(reason);
    // The sync check is seen in the frames; every other pause cuts the video too (I6).
    if (reason !== 'sync') screen.pause();
    log.onPause();
    tell({ type: 'paused', reason });
  }
  function resume(reason: PauseReason): void {
    if (!reasons.delete(reason)) return;
    const [first] = reasons;
    if (first === undefined) {
      cutTo = clock.now();
      events.add({ t: cutTo, type: 'resume', reason });
    }
    if (reason !== 'sync') desktop.readKeyboard();
    if (![...reasons].some((r) => r !== 'sync')) screen.resume();
    tell({ type: 'paused', reason: first ?? null });
  }

  async function paintCheck(count: number): Promise<void> {
    if (count === 0) return;
    drops.begin();
    paints.push(await desktop.paint({ ...patchPlace(rect), steps: paintSteps(count, order.fps) }));
    drops.end();
  }

  desktop.onChange({
    layout: ({ t, at, layout, locks }) => {
      events.add({ t, type: 'layout', layout });
      events.add({ t: at, type: 'locks', ...locks });
    },
    displays(t, next) {
      displays = next;
      events.add({ t, type: 'displays', displays });
      follow();
    },
    window(t, window) {
      windows.add(window ? { t, ...window } : { t, title: '', app: '', pid: 0, id: '', bounds: null });
      const text = `${window?.app ?? ''} ${window?.title ?? ''}`.toLowerCase();
      const excluded = order.exclude.some((word) => text.includes(word.toLowerCase()));
      if (excluded && !reasons.has('excluded-app')) pause('excluded-app');
      if (!excluded && reasons.has('excluded-app')) resume('excluded-app');
    },
    bounds(window) {
      if (!window) return;
      const next = windowRect(window, displays);
      if (next) moveTo(next.rect);
    },
    failed: (message) => {
      notice('display-lost', message);
      stop('display-lost');
    },
  });

  /** The displays changed: what is captured is clipped to what is left, and grows back to a whole display (V5). */
  function follow(): void {
    const display = displays.find((d) => d.id === target.display.id) ?? displays.find((d) => d.primary) ?? displays[0];
    if (!display) return;
    const wanted = target.info.kind === 'display' ? display : target.rect;
    const next = intersect(wanted, display);
    if (next && next.width >= 16 && next.height >= 16) moveTo(next);
    else
      notice('region-gone', 'What was captured is no longer on any display; the recording goes on without pictures.');
  }
  function moveTo(next: Rect): void {
    if (next.x === rect.x && next.y === rect.y && next.width === rect.width && next.height === rect.height) return;
    rect = next;
    screen.setRect(rect);
    tell({ type: 'view', view: rect });
  }

  const draft = draftOf(order, clock, { desktop, screen, target: target.info });
  writeRecording(order.folder, draft);

  const t0 = clock.now();
  events.add({ t: t0, type: 'layout', layout: ready.layout });
  events.add({ t: t0, type: 'locks', ...ready.locks });
  events.add({ t: t0, type: 'settings', settings: ready.settings });
  events.add({ t: t0, type: 'displays', displays });
  events.add({ t: t0, type: 'anchor', wallMs: Date.now() });
  if (ready.window) windows.add({ t: t0, ...ready.window });
  if (target.info.kind === 'window') desktop.follow(target.info.windowId);

  const flush = () => {
    try {
      events.flush();
      frames.flush();
      windows.flush();
    } catch (error) {
      // Room for the last lines and for closing; what could not be written waits and is written then.
      const room = reserve.release();
      notice('disk-full', `The disk is full (${error instanceof Error ? error.message : String(error)}).`);
      stop('disk-full');
      if (room) flush();
    }
  };
  const timers = [setInterval(flush, FLUSH_MS), setInterval(everySecond, SECOND)];

  let ticks = -1;
  let silentSince = clock.now();
  function everySecond(): void {
    const now = clock.now();
    events.add({ t: now, type: 'anchor', wallMs: Date.now() });
    for (const file of [events, frames, windows]) file.sync();
    const alive = screen.alive() + desktop.alive();
    if (alive !== ticks) silentSince = now;
    ticks = alive;
    if (now - silentSince > SILENT_MS * 1000) {
      notice('display-lost', 'The display no longer answers.');
      stop('display-lost');
    }
    const free = freeBytes(order.folder);
    if (free !== null && free < order.minFreeBytes) {
      notice('disk-full', `Less than ${Math.round(order.minFreeBytes / 2 ** 20)} MB are left on the disk.`);
      stop('disk-full');
    }
    tell({ type: 'stats', stats: stats(free) });
  }
  function stats(free: number | null): LiveStats {
    const { frames: n, dropped, late, black } = screen.counts();
    const [paused] = reasons;
    return {
      t: clock.now(),
      frames: n,
      dropped,
      late,
      black,
      events: log.inputs(),
      freeBytes: free,
      paused: paused ?? null,
    };
  }

  async function begin(): Promise<void> {
    tell({ type: 'view', view: rect });
    pause('sync');
    await screen.start();
    const slow = setTimeout(
      () =>
        firstFrame.reject(new StudioError('CAPTURE_FAILED', 'No picture of the screen came within ten seconds.', {})),
      FIRST_FRAME_MS,
    );
    await firstFrame.promise.finally(() => clearTimeout(slow));
    const startHook = host.startHook(log.onHook);
    stopHook = startHook;
    const check = paintCheck(order.paints.start);
    for (let left = order.countdownSeconds; left > 0 && !ending; left--) {
      tell({ type: 'countdown', seconds: left });
      await sleep(SECOND);
    }
    await check;
    // Two pictures more, so that the patch is gone from what the first action's `before` may show.
    await sleep(Math.ceil(2500 / order.fps));
    if (ending) return;
    spanStart = clock.now();
    resume('sync');
    tell({ type: 'started', capture: draft.capture, view: rect });
    if (order.durationMs !== null) timers.push(setTimeout(() => stop('duration'), order.durationMs));
  }
  let stopHook: () => void = () => undefined;

  /** `failure`: what went wrong, when that is why. */
  function stop(why: string, failure?: string): void {
    if (ending !== null) return;
    ending = why;
    if (order.outside && !pictured) {
      // Before the first picture there is nothing to keep: it broke, or the person thought better of it.
      screen.kill();
      const stopped = 'The recording was stopped before the screen was shared.';
      closed.reject(new StudioError(failure ? 'CAPTURE_FAILED' : 'CANCELLED', failure ?? stopped, {}));
      return;
    }
    tell({ type: 'closing', why });
    end(why).then(closed.resolve, closed.reject);
  }

  async function end(why: string): Promise<Recording> {
    const spanEnd = clock.now();
    const lost = why === 'display-lost' || why === 'capture-failed';
    log.finish();
    if (!reasons.has('sync')) pause('sync');
    if (!lost && why !== 'disk-full' && why !== 'sharing-ended' && spanStart !== null)
      await Promise.race([paintCheck(order.paints.end), sleep(SILENT_MS)]);
    // What was done just before the stop may still be on its way from the display.
    if (order.paints.end === 0) await sleep(DRAIN_MS);
    for (const timer of timers) clearTimeout(timer);
    if (lost) screen.kill();
    else stopHook();
    await Promise.race([screen.stop(), sleep(lost ? SILENT_MS : 30_000)]);
    reserve.release();
    flush();
    for (const file of [events, frames, windows]) file.close();
    const { dropped, late, black, ticks: looked } = screen.counts();
    const known: Ending = {
      endedBy: why,
      span: { start: spanStart ?? spanEnd, end: spanEnd },
      counts: { dropped, late, black, ticks: looked },
      mode: screen.mode(),
      pictures: order.outside ? (screen.pictures?.() ?? null) : null,
      paints,
      droppedInChecks: drops.total(),
      ffmpeg,
    };
    // A check that cannot be made is no reason to leave a recording open.
    return closeRecording(order.folder, known).catch(() => closeRecording(order.folder, { ...known, paints: null }));
  }

  // What fails before the first picture is told to the one who asked, and the folder is his to remove.
  begin().catch((error) => {
    if (spanStart === null && ending === null) {
      ending = 'refused';
      screen.kill();
      closed.reject(error);
    } else {
      notice('capture-failed', errorBody(error).message);
      stop('capture-failed');
    }
  });

  return {
    closed: closed.promise,
    begun: () => spanStart !== null,
    obey(command) {
      if (command.type === 'stop') stop(command.why);
      if (command.type === 'pause') pause(command.reason);
      if (command.type === 'resume') resume(command.reason);
      if (command.type === 'mark') mark();
      if (command.type === 'own-windows') log.setOwnWindows(command.rects);
    },
  };
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
