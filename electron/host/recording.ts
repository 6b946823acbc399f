import type { HostApi, HostWindow, Rect } from './api.ts';
import type { Overlay } from './bar.ts';
import { overlap, type Screen, toDip } from './geometry.ts';
import type { Log } from './log.ts';
import { askJson, followEvents, type Pipe } from './pipe.ts';
import { isBusy, isPaused, isRunning, type RecorderNow, readRecorder } from './recorder-state.ts';
import {
  acceleratorOf,
  DEFAULT_KEYS,
  type RecorderCommand,
  SHORTCUTS,
  type ShortcutName,
  shortcutAct,
  stillWanted,
} from './shortcuts.ts';

/** The host's part in a recording: the bar, windows out of the way, global shortcuts, sleep. */
type Recording = {
  now(): RecorderNow | null;
  /** The studio answers (again): follow it, and read the user's shortcuts. */
  connect(pipe: Pipe): void;
  /** The settings were changed. */
  readSettings(): void;
  command(command: RecorderCommand): void;
  /** The bar lies elsewhere now, px: what is done there is no demonstration (I4). */
  barMoved(rects: Rect[]): void;
  /** Chords by name, as the user has them. */
  keys(): Readonly<Record<string, string>>;
  /** Another program has the key that starts. */
  isStartTaken(): boolean;
  close(): void;
};

type RecordingOptions = {
  api: Pick<HostApi, 'globalShortcut' | 'powerMonitor' | 'powerSaveBlocker'>;
  overlay: Overlay;
  log: Log;
  screens(): Screen[];
  /** Wayland: no window is told where it lies. */
  wayland: boolean;
  windows(): readonly HostWindow[];
  /** Nothing is recorded and the person wants to: show where. */
  start(): void;
  onChange(now: RecorderNow | null): void;
};

/** How long the capture process may take to hear a shortcut and the studio to say so, ms. */
const HEARD_MS = 600;
const AGAIN_MS = 300;

export function createRecording(options: RecordingOptions): Recording {
  const { api, overlay, log } = options;
  let pipe: Pipe | null = null;
  let now: RecorderNow | null = null;
  let control = new AbortController();
  let keys: Record<string, string> = { ...DEFAULT_KEYS };
  let registered = '';
  let startTaken = false;
  /** The id of the system's promise to keep the display on. */
  let awake: number | null = null;
  let away: HostWindow[] = [];
  let closed = false;

  function command(wanted: RecorderCommand | { type: 'own-windows'; rects: unknown }): void {
    if (!pipe) return;
    askJson(pipe, '/api/recorder/command', wanted).catch((error: Error) =>
      log.write(`recorder: ${wanted.type}: ${error.message}`),
    );
  }

  function follow(value: unknown): void {
    const before = now;
    now = readRecorder(value);
    const rects = overlay.follow(now);
    if (rects) own = rects;
    // The capture process forgets when it is another one.
    const isNew = rects !== null || before?.phase !== now?.phase || before?.recording !== now?.recording;
    if (isNew) tellOwnWindows();
    clearTheWay();
    keepAwake();
    if (isRunning(before) !== isRunning(now)) register();
    options.onChange(now);
  }
  let own: Rect[] = [];
  function tellOwnWindows(): void {
    // The capture process listens from the countdown on.
    if (now?.phase === 'countdown' || now?.phase === 'recording') command({ type: 'own-windows', rects: own });
  }

  /** Windows of the studio that would be in the picture go away before it begins, and come back after its sync check. */
  function clearTheWay(): void {
    if (isRunning(now) && now.phase !== 'recording' && now.view) {
      const view = toDip(now.view, options.screens());
      for (const window of options.windows()) {
        if (away.includes(window) || !window.isVisible() || window.isMinimized()) continue;
        if (!options.wayland && overlap(window.getBounds(), view) === 0) continue;
        away.push(window);
        window.minimize();
      }
    }
    const isOver = !isBusy(now) || now.phase === 'keyframes';
    if (!isOver || away.length === 0) return;
    for (const window of away) if (!window.isDestroyed()) window.restore();
    away = [];
  }

  /** A person who watches a long export touches nothing: the display must not go dark, or lock, in the picture. */
  function keepAwake(): void {
    const wanted = isRunning(now) && !isPaused(now);
    if (wanted && awake === null) awake = api.powerSaveBlocker.start('prevent-display-sleep');
    else if (!wanted && awake !== null) {
      api.powerSaveBlocker.stop(awake);
      awake = null;
    }
  }

  /** Start and stop always; the others only while they mean something, so that other programs keep theirs. */
  function register(): void {
    const wanted = SHORTCUTS.filter((name) => name === 'stop' || isRunning(now));
    const text = JSON.stringify(wanted.map((name) => keys[name]));
    if (text === registered || closed) return;
    registered = text;
    api.globalShortcut.unregisterAll();
    for (const name of wanted) {
      const accelerator = acceleratorOf(keys[name] ?? '');
      const taken = accelerator === null || !api.globalShortcut.register(accelerator, () => pressed(name));
      if (name === 'stop') startTaken = taken;
      if (taken) {
        log.write(`shortcut ${keys[name]} (${name}) is another program's; while recording it is heard all the same`);
      }
    }
  }

  function pressed(name: ShortcutName): void {
    const act = shortcutAct(name, now);
    if (act === 'start') options.start();
    if (act !== 'check' || !now) return;
    const before = now;
    setTimeout(() => {
      const wanted = stillWanted(name, before, now);
      if (wanted) command(wanted);
    }, HEARD_MS);
  }

  async function keepFollowing(from: Pipe, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await followEvents(from, '/api/recorder/changes', signal, follow).catch((error: Error) => {
        if (!signal.aborted) log.write(`recorder: ${error.message}`);
      });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  function readSettings(): void {
    if (!pipe) return;
    askJson(pipe, '/api/settings')
      .then((value) => {
        const own: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'shortcuts') : null;
        keys = { ...DEFAULT_KEYS };
        for (const name of SHORTCUTS) {
          const chord: unknown = typeof own === 'object' && own !== null ? Reflect.get(own, name) : null;
          if (typeof chord === 'string' && chord !== '') keys[name] = chord;
        }
        register();
        options.onChange(now);
      })
      .catch((error: Error) => log.write(`settings: ${error.message}`));
  }

  // A machine that sleeps records nothing; the capture process cuts events and pictures alike (I6).
  api.powerMonitor.on('suspend', () => {
    if (isRunning(now)) command({ type: 'pause', reason: 'suspend' });
  });
  api.powerMonitor.on('resume', () => {
    if (isRunning(now)) command({ type: 'resume', reason: 'suspend' });
  });

  return {
    now: () => now,
    connect(to) {
      control.abort();
      control = new AbortController();
      pipe = to;
      void keepFollowing(to, control.signal);
      readSettings();
    },
    readSettings,
    command,
    barMoved(rects) {
      if (JSON.stringify(rects) === JSON.stringify(own)) return;
      own = rects;
      tellOwnWindows();
    },
    keys: () => keys,
    isStartTaken: () => startTaken,
    close() {
      closed = true;
      control.abort();
      now = null;
      keepAwake();
      api.globalShortcut.unregisterAll();
      overlay.close();
    },
  };
}
