import type { Log } from './log.ts';
import { askJson, type Pipe } from './pipe.ts';
import type { LastRecording } from './tray.ts';

type Library = { recent: { id: string; name: string; dir: string }[]; last: LastRecording[] };

const MOST = 5;
const REFRESH_MS = 300;
const textAt = (value: unknown, name: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof found === 'string' ? found : '';
};

type RecentOptions = {
  log: Log;
  pipe(): Promise<Pipe>;
  /** Another workspace is the newest one now. */
  onNewest(dir: string): void;
  onRead(): void;
};

/** What was opened and recorded last, for the menu and the tray. */
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

/** The workspaces opened before that are still there, and the newest recordings of the latest one. */
async function readLibrary(pipe: Pipe): Promise<Library> {
  const workspaces = list(await askJson(pipe, '/api/workspaces')).filter((one) => Reflect.get(Object(one), 'exists'));
  const recent = workspaces.map((one) => ({
    id: textAt(one, 'id'),
    name: textAt(one, 'name'),
    dir: textAt(one, 'dir'),
  }));
  const [newest] = recent;
  if (!newest) return { recent, last: [] };
  const rows = list(await askJson(pipe, `/api/workspaces/${encodeURIComponent(newest.id)}/recordings`));
  const last = rows
    .map((row) => ({
      ws: newest.id,
      id: textAt(row, 'id'),
      goal: textAt(row, 'goal'),
      startedAt: textAt(row, 'startedAt'),
    }))
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
    .slice(0, MOST);
  return { recent, last };
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
