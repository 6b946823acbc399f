import { arch, platform, release } from 'node:os';
import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { DesktopWindow } from '../../native/platform/platform.ts';
import { reasonOf } from '../../native/process/ending.ts';
import { startThread } from '../../native/process/start-thread.ts';
import { protocol } from '../../native/process/supervise.ts';
import { type ErrorBody, StudioError } from '../../schemas/errors.ts';
import type { Display } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import type { Recording } from '../../schemas/recording.ts';
import type { FrontLists } from './front.ts';
import type { Look } from './gate.ts';
import type { Paint } from './sync.ts';
import type { Locks, WatchCommand, WatchReport, WatchSetup } from './watch-worker.ts';

/** The capture process's side of watch-worker.ts. */
export type DesktopWatch = {
  ready: Extract<WatchReport, { type: 'ready' }>;
  os: Recording['os'];
  onChange(listener: DesktopListener): void;
  readDisplays(): void;
  /** Has told anew what was not written during a pause: always the active window. */
  readAnew(what: { keyboard: boolean; displays: boolean }): void;
  follow(windowId: string): void;
  /** Shows the sync patch; resolves with what was painted when. */
  paint(command: Omit<Extract<WatchCommand, { type: 'paint' }>, 'type'>): Promise<Paint[]>;
  /** Where the pointer is now; null when the system does not tell. */
  pointer(): Promise<Resting>;
  alive(): number;
};
type Resting = { x: number; y: number } | null;
type DesktopListener = {
  /** The layout since `t`, the locks at `at`. */
  layout(keyboard: { t: number; at: number; layout: KeyboardLayout; locks: Locks }): void;
  displays(t: number, displays: Display[]): void;
  window(t: number, window: DesktopWindow | null): void;
  /** Whether what is in front may be recorded; told only where there is a list. */
  look(look: Look): void;
  bounds(window: DesktopWindow | null): void;
  failed(message: string): void;
};

const isReport = protocol<WatchReport>({
  ready: true,
  layout: true,
  displays: true,
  window: true,
  look: true,
  bounds: true,
  pointer: true,
  painted: true,
  failed: true,
});
const READY_MS = 30_000;

/** Starts the watch. Throws what it meets at the start: NO_DISPLAY, NO_LIBRARY, UNSUPPORTED_PLATFORM. */
export async function startDesktopWatch(
  clock: SessionClock,
  lists: FrontLists,
  shared: boolean,
): Promise<DesktopWatch> {
  const control = new Int32Array(new SharedArrayBuffer(4));
  const setup: WatchSetup = { startNs: clock.startNs, startedAtMs: clock.startedAtMs, control, lists, shared };
  const ready = Promise.withResolvers<DesktopWatch['ready']>();
  const painting: ((paints: Paint[]) => void)[] = [];
  const places = new Map<number, (place: Resting) => void>();
  let listener: DesktopListener | null = null;
  let requests = 0;

  const failed = (error: ErrorBody) => {
    ready.reject(new StudioError(error.code, error.message, error.details));
    listener?.failed(error.message);
  };
  const onMessage = (report: WatchReport): void => {
    if (report.type === 'ready') ready.resolve(report);
    if (report.type === 'layout') listener?.layout(report);
    if (report.type === 'displays') listener?.displays(report.t, report.displays);
    if (report.type === 'window') listener?.window(report.t, report.window);
    if (report.type === 'look') listener?.look(report.look);
    if (report.type === 'bounds') listener?.bounds(report.window);
    if (report.type === 'painted') painting.shift()?.(report.paints);
    if (report.type === 'failed') failed(report.error);
    if (report.type === 'pointer') {
      places.get(report.request)?.(report.place);
      places.delete(report.request);
    }
  };
  const entry = new URL('./watch-worker.ts', import.meta.url);
  const worker = startThread<WatchCommand, WatchReport>(entry, { data: setup, accepts: isReport, onMessage });
  const send = (command: WatchCommand): void => worker.send(command);
  void worker.ended.then((ending) => failed({ code: 'INTERNAL', message: reasonOf(ending), details: {} }));
  const slow = setTimeout(
    () => ready.reject(new StudioError('NO_DISPLAY', 'The display did not answer within thirty seconds.', {})),
    READY_MS,
  );
  const first = await ready.promise.finally(() => clearTimeout(slow));
  const session = process.env.XDG_SESSION_TYPE ?? (process.platform === 'linux' ? 'x11' : process.platform);
  return {
    ready: first,
    os: { platform: platform(), release: release(), arch: arch(), session },
    onChange(next) {
      listener = next;
    },
    readDisplays: () => send({ type: 'displays' }),
    readAnew: (what) => send({ type: 'anew', ...what }),
    follow: (window) => send({ type: 'follow', window }),
    paint: (command) =>
      new Promise((done) => {
        painting.push(done);
        send({ type: 'paint', ...command });
      }),
    pointer: () =>
      new Promise((done) => {
        const request = requests++;
        places.set(request, done);
        send({ type: 'pointer', request });
      }),
    alive: () => Atomics.load(control, 0),
  };
}
