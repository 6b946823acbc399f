import type { HostApi, HostWindow, Rect } from './api.ts';
import type { Overlay } from './bar.ts';
import { overlap, type Screen, toDip } from './geometry.ts';
import { HostShortcuts } from './host-shortcuts.ts';
import type { Log } from './log.ts';
import { askJson, followEvents, type Pipe } from './pipe.ts';
import { isBusy, isPaused, isRunning, type RecorderNow, readRecorder } from './recorder-state.ts';
import type { RecorderCommand } from './shortcuts.ts';

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

const AGAIN_MS = 300;

/** The host's part in a recording: the bar, windows out of the way, global shortcuts, sleep. */
export class HostRecording {
  readonly #options: RecordingOptions;
  readonly #keys: HostShortcuts;
  #pipe: Pipe | null = null;
  #now: RecorderNow | null = null;
  #control = new AbortController();
  /** The id of the system's promise to keep the display on. */
  #awake: number | null = null;
  #away: HostWindow[] = [];
  /** Where the bar lies, px. */
  #own: Rect[] = [];

  constructor(options: RecordingOptions) {
    this.#options = options;
    const { api, log, start } = options;
    this.#keys = new HostShortcuts({
      shortcuts: api.globalShortcut,
      log,
      now: () => this.#now,
      start,
      command: (command) => this.command(command),
    });
    // A machine that sleeps records nothing; the capture process cuts events and pictures alike (I6).
    api.powerMonitor.on('suspend', () => {
      if (isRunning(this.#now)) this.command({ type: 'pause', reason: 'suspend' });
    });
    api.powerMonitor.on('resume', () => {
      if (isRunning(this.#now)) this.command({ type: 'resume', reason: 'suspend' });
    });
  }

  now(): RecorderNow | null {
    return this.#now;
  }

  /** Chords by name, as the user has them. */
  keys(): Readonly<Record<string, string>> {
    return this.#keys.chords;
  }

  /** Another program has the key that starts. */
  isStartTaken(): boolean {
    return this.#keys.isStartTaken;
  }

  /** The studio answers (again): follow it, and read the user's shortcuts. */
  connect(pipe: Pipe): void {
    this.#control.abort();
    this.#control = new AbortController();
    this.#pipe = pipe;
    void this.#keepFollowing(pipe, this.#control.signal);
    this.readSettings();
  }

  /** The settings were changed. */
  readSettings(): void {
    const { log, onChange } = this.#options;
    if (!this.#pipe) return;
    askJson(this.#pipe, '/api/settings')
      .then((value) => {
        this.#keys.setChords(typeof value === 'object' && value !== null ? Reflect.get(value, 'shortcuts') : null);
        onChange(this.#now);
      })
      .catch((error: Error) => log.write(`settings: ${error.message}`));
  }

  command(command: RecorderCommand): void {
    this.#send(command);
  }

  /** The bar lies elsewhere now, px: what is done there is no demonstration (I4). */
  barMoved(rects: Rect[]): void {
    if (JSON.stringify(rects) === JSON.stringify(this.#own)) return;
    this.#own = rects;
    this.#tellOwnWindows();
  }

  close(): void {
    this.#control.abort();
    this.#now = null;
    this.#keepAwake();
    this.#keys.close();
    this.#options.overlay.close();
  }

  #send(wanted: RecorderCommand | { type: 'own-windows'; rects: Rect[] }): void {
    const { log } = this.#options;
    if (!this.#pipe) return;
    askJson(this.#pipe, '/api/recorder/command', wanted).catch((error: Error) =>
      log.write(`recorder: ${wanted.type}: ${error.message}`),
    );
  }

  async #keepFollowing(from: Pipe, signal: AbortSignal): Promise<void> {
    const follow = (value: unknown): void => this.#follow(value);
    while (!signal.aborted) {
      await followEvents(from, '/api/recorder/changes', signal, follow).catch((error: Error) => {
        if (!signal.aborted) this.#options.log.write(`recorder: ${error.message}`);
      });
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  #follow(value: unknown): void {
    const before = this.#now;
    const now = readRecorder(value);
    this.#now = now;
    const rects = this.#options.overlay.follow(now);
    if (rects) this.#own = rects;
    // The capture process forgets when it is another one.
    const isNew = rects !== null || before?.phase !== now?.phase || before?.recording !== now?.recording;
    if (isNew) this.#tellOwnWindows();
    this.#clearTheWay();
    this.#keepAwake();
    if (isRunning(before) !== isRunning(now)) this.#keys.register();
    this.#options.onChange(now);
  }

  #tellOwnWindows(): void {
    const phase = this.#now?.phase;
    // The capture process listens from the countdown on.
    if (phase === 'countdown' || phase === 'recording') this.#send({ type: 'own-windows', rects: this.#own });
  }

  /** Windows of the studio that would be in the picture go away before it begins, and come back after its sync check. */
  #clearTheWay(): void {
    const { screens, windows, wayland } = this.#options;
    const now = this.#now;
    if (isRunning(now) && now.phase !== 'recording' && now.view) {
      const view = toDip(now.view, screens());
      for (const window of windows()) {
        if (this.#away.includes(window) || !window.isVisible() || window.isMinimized()) continue;
        if (!wayland && overlap(window.getBounds(), view) === 0) continue;
        this.#away.push(window);
        window.minimize();
      }
    }
    const isOver = !isBusy(now) || now.phase === 'keyframes';
    if (!isOver || this.#away.length === 0) return;
    for (const window of this.#away) if (!window.isDestroyed()) window.restore();
    this.#away = [];
  }

  /** A person who watches a long export touches nothing: the display must not go dark, or lock, in the picture. */
  #keepAwake(): void {
    const { powerSaveBlocker } = this.#options.api;
    const wanted = isRunning(this.#now) && !isPaused(this.#now);
    if (wanted && this.#awake === null) this.#awake = powerSaveBlocker.start('prevent-display-sleep');
    else if (!wanted && this.#awake !== null) {
      powerSaveBlocker.stop(this.#awake);
      this.#awake = null;
    }
  }
}
