import { join } from 'node:path';
import { putNewest } from '../../../core/newest.ts';
import type { Composition } from '../../../schemas/composition.ts';
import { statOf } from '../../files/inside.ts';
import { breathe } from '../../store/breathe.ts';
import type { Workspace } from '../../store/workspace.ts';
import { COMPOSITION_FOLDER, compositionIds, readListed } from './composition-files.ts';

/**
 * The head of a composition: its name, its tasks and what else lists of all compositions show. Two hundred instances of five hundred tasks are 70 MB of files, whose
 * reading takes seconds: each file is read once, as long as it is the same one, and others are let in between two of them.
 */

export type CompositionHead = {
  id: string;
  /** Why its file cannot be read; null: it can, and all else is of it. */
  why: string | null;
  kind: Composition['kind'] | null;
  title: string;
  level: number | null;
  members: number;
  /** Tasks of the library, each once. */
  tasks: readonly string[];
  origin: Composition['origin'] | null;
};
type Known = { stamp: string; head: CompositionHead };

/** By workspace; of so many at most. */
const known = new Map<string, Map<string, Known>>();
const MOST_WORKSPACES = 20;

/** All of them by their names. */
export async function compositionHeads({ dir }: Pick<Workspace, 'dir'>): Promise<CompositionHead[]> {
  const before = known.get(dir);
  const now = new Map<string, Known>();
  for (const id of compositionIds({ dir })) {
    const stamp = stampOf(dir, id);
    const there = before?.get(id);
    if (there && stamp !== null && there.stamp === stamp) now.set(id, there);
    else {
      now.set(id, { stamp: stamp ?? '', head: headOf(dir, id) });
      await breathe();
    }
  }
  putNewest(known, dir, now, MOST_WORKSPACES);
  return [...now.values()].map(({ head }) => head);
}

/** Another one for each file that was written: each is a new one, put in the place of the other. Null: it is no plain file. */
function stampOf(dir: string, id: string): string | null {
  const info = statOf(join(dir, COMPOSITION_FOLDER), `${id}.json`);
  return info && [info.ino, info.size, info.mtimeMs, info.ctimeMs].join(' ');
}

function headOf(dir: string, id: string): CompositionHead {
  const { composition, why } = readListed({ dir }, id);
  const { kind = null, title = '', level = null, members = [], origin = null } = composition ?? {};
  const tasks = [...new Set(members.flatMap(({ task }) => task ?? []))];
  return { id, why, kind, title, level, members: members.length, tasks, origin };
}
