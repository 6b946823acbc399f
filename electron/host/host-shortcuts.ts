import type { HostApi } from './api.ts';
import type { Log } from './log.ts';
import { isRunning, type RecorderNow } from './recorder-state.ts';
import {
  acceleratorOf,
  DEFAULT_KEYS,
  type RecorderCommand,
  SHORTCUTS,
  type ShortcutName,
  shortcutAct,
  stillWanted,
} from './shortcuts.ts';

type HostShortcutsOptions = {
  shortcuts: HostApi['globalShortcut'];
  log: Log;
  now(): RecorderNow | null;
  /** Nothing is recorded and the person wants to: show where. */
  start(): void;
  command(command: RecorderCommand): void;
};

/** How long the capture process may take to hear a shortcut and the studio to say so, ms. */
const HEARD_MS = 600;

/** The recorder's global shortcuts. */
export class HostShortcuts {
  readonly #options: HostShortcutsOptions;
  #chords: Record<string, string> = { ...DEFAULT_KEYS };
  #registered = '';
  #startTaken = false;
  #closed = false;

  constructor(options: HostShortcutsOptions) {
    this.#options = options;
  }

  /** Chords by name, as the user has them. */
  get chords(): Readonly<Record<string, string>> {
    return this.#chords;
  }

  /** Another program has the key that starts. */
  get isStartTaken(): boolean {
    return this.#startTaken;
  }

  /** The user's shortcuts, as the settings have them. */
  setChords(own: unknown): void {
    this.#chords = { ...DEFAULT_KEYS };
    for (const name of SHORTCUTS) {
      const chord: unknown = typeof own === 'object' && own !== null ? Reflect.get(own, name) : null;
      if (typeof chord === 'string' && chord !== '') this.#chords[name] = chord;
    }
    this.register();
  }

  /** Start and stop always; the others only while they mean something, so that other programs keep theirs. */
  register(): void {
    const { shortcuts, log, now } = this.#options;
    const wanted = SHORTCUTS.filter((name) => name === 'stop' || isRunning(now()));
    const text = JSON.stringify(wanted.map((name) => this.#chords[name]));
    if (text === this.#registered || this.#closed) return;
    this.#registered = text;
    shortcuts.unregisterAll();
    for (const name of wanted) {
      const chord = this.#chords[name];
      const accelerator = acceleratorOf(chord ?? '');
      const taken = accelerator === null || !shortcuts.register(accelerator, () => this.#pressed(name));
      if (name === 'stop') this.#startTaken = taken;
      if (taken)
        log.write(`shortcut ${chord} (${name}) is another program's; while recording it is heard all the same`);
    }
  }

  close(): void {
    this.#closed = true;
    this.#options.shortcuts.unregisterAll();
  }

  #pressed(name: ShortcutName): void {
    const { now, start, command } = this.#options;
    const before = now();
    const act = shortcutAct(name, before);
    if (act === 'start') start();
    if (act !== 'check' || !before) return;
    setTimeout(() => {
      const wanted = stillWanted(name, before, now());
      if (wanted) command(wanted);
    }, HEARD_MS);
  }
}
