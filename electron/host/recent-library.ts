import type { Log } from './log.ts';
import type { Pipe } from './pipe.ts';
import { type Library, readLibrary } from './recent.ts';
import type { LastRecording } from './tray.ts';

const REFRESH_MS = 300;

type RecentOptions = {
  log: Log;
  pipe(): Promise<Pipe>;
  /** Another workspace is the newest one now. */
  onNewest(dir: string): void;
  onRead(): void;
};

/** The workspaces opened last and the newest recordings, as the menu and the tray list them. */
export class RecentLibrary {
  readonly #options: RecentOptions;
  #library: Library = { recent: [], last: [] };
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecentOptions) {
    this.#options = options;
  }

  /** Workspaces, the newest first. */
  get recent(): Library['recent'] {
    return this.#library.recent;
  }

  /** The newest recordings. */
  get last(): readonly LastRecording[] {
    return this.#library.last;
  }

  /** Asks the studio; a moment later, once for many changes. */
  refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), REFRESH_MS);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    const { log, pipe, onNewest, onRead } = this.#options;
    try {
      const library = await readLibrary(await pipe());
      const [newest] = library.recent;
      if (newest && newest.dir !== this.recent[0]?.dir) onNewest(newest.dir);
      this.#library = library;
      onRead();
    } catch (error) {
      log.write(`library: ${error instanceof Error ? error.message : error}`);
    }
  }
}
