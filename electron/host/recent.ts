import { askJson, type Pipe } from './pipe.ts';
import type { LastRecording } from './tray.ts';

export type Library = { recent: { id: string; name: string; dir: string }[]; last: LastRecording[] };

const MOST = 5;
const textAt = (value: unknown, name: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return typeof found === 'string' ? found : '';
};

/** The workspaces opened before that are still there, and the newest recordings of the latest one. */
export async function readLibrary(pipe: Pipe): Promise<Library> {
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
