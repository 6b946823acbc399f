import { StudioError } from '../../../schemas/errors.ts';
import { compositionOf } from '../../documents/joined/composition-files.ts';
import { findPerson } from '../../store/people.ts';
import type { Workspace } from '../../store/workspace.ts';
import { keptCompositions } from './verification.ts';

/** Kept from somebody who does a composition blind (CV3), beside the composition: its tasks, and their recordings by others. */

export type KeptNames = ReadonlySet<string>;
const NOTHING: KeptNames = new Set();

/** Ids of tasks and recordings; nothing in a workspace where nobody does anything blind. */
export async function namesKept(workspace: Workspace, person: string | undefined): Promise<KeptNames> {
  const compositions = await keptCompositions(workspace, person);
  if (compositions.size === 0) return NOTHING;
  const tasks = new Set([...compositions].flatMap((id) => tasksOf(workspace, id)));
  const own = person === undefined ? undefined : (await findPerson(workspace.store, person))?.name;
  const recordings = (await workspace.indexedRecordings()).flatMap(({ id, task, person: by }) =>
    tasks.has(task) && (own === undefined || by !== own) ? [id] : [],
  );
  return new Set([...tasks, ...recordings]);
}

/** One that was removed, or cannot be read, has none. */
function tasksOf(workspace: Workspace, id: string): string[] {
  try {
    return compositionOf(workspace, id).members.flatMap(({ task }) => task ?? []);
  } catch {
    return [];
  }
}

/** Throws CONFLICT for a question that names one of them. */
export function refuseNamed(input: unknown, kept: KeptNames): void {
  if (typeof input !== 'object' || input === null) return;
  for (const field of ['task', 'recording', 'tasks', 'recordings']) {
    const value: unknown = Reflect.get(input, field);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one !== 'string' || !kept.has(one)) continue;
      throw new StudioError(
        'CONFLICT',
        `${one} is part of a composition that somebody does blind now, and is kept from them and from anybody who does not say who they are.`,
        { [field]: one },
      );
    }
  }
}

/** An answer without the entries of lists that are one of them. The same answer where there is none. */
export function withoutNamed<T>(answer: T, kept: KeptNames): T {
  if (Array.isArray(answer)) {
    const left = answer.filter((entry) => !isNamed(entry, kept)).map((entry) => withoutNamed(entry, kept));
    const isSame = left.length === answer.length && left.every((entry, at) => entry === answer[at]);
    return isSame ? answer : (left as T); // Fewer of the same.
  }
  if (!isPlain(answer)) return answer;
  const entries = Object.entries(answer);
  const left = entries.map(([name, value]) => [name, withoutNamed(value, kept)] as const);
  return left.every(([, value], at) => value === entries[at]?.[1]) ? answer : (Object.fromEntries(left) as T); // The same fields.
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function isNamed(entry: unknown, kept: KeptNames): boolean {
  if (typeof entry === 'string') return kept.has(entry);
  if (!isPlain(entry)) return false;
  return ['id', 'task', 'recording'].some((field) => {
    const value = entry[field];
    return typeof value === 'string' && kept.has(value);
  });
}
