import { splitSchema, tagSchema } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { changeTags, replaceSplits } from '../store/curation.ts';
import type { StoreTransaction } from '../store/store.ts';
import { taskIds } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { taskFamilies } from './families.ts';

/** Tags of recordings and splits of tasks, given while people choose a data set. */

/** Adds and removes tags of many recordings, all or none. Throws UNKNOWN_RECORDING, USAGE for a tag that is none. */
export async function tagRecordings(
  workspace: Workspace,
  wanted: { recordings: readonly string[]; add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const add = wanted.add.map((tag) => parsed(tagSchema, tag, 'tag'));
  const recordings = [...new Set(wanted.recordings)];
  const known = new Set((await workspace.indexedRecordings()).map(({ id }) => id));
  const stranger = recordings.find((id) => !known.has(id));
  if (stranger !== undefined) {
    throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${stranger}" in this workspace.`, {
      id: stranger,
    });
  }
  await workspace.store.transaction((trx) => changeTags(trx, recordings, { add, remove: wanted.remove }));
}

/**
 * Puts tasks into splits (null: into none), all or none. With a task go all of its family (families.ts). Throws UNKNOWN_TASK, USAGE
 * for a name that is none, and for a family that is to lie in two.
 */
export async function assignSplits(
  { store, dir }: Pick<Workspace, 'store' | 'dir'>,
  wanted: readonly { task: string; split: string | null }[],
  origin: 'hand' | 'rule',
): Promise<void> {
  const families = await taskFamilies({ dir });
  await store.transaction(async (trx) => {
    const known = await taskIds(trx);
    await writeSplits(trx, withFamilies(wanted, families, known), origin);
  });
}

function withFamilies(
  wanted: readonly { task: string; split: string | null }[],
  families: readonly (readonly string[])[],
  known: ReadonlySet<string>,
): { task: string; split: string | null }[] {
  const splits = new Map(wanted.map(({ task, split }) => [task, split]));
  for (const family of families) {
    const named = family.filter((task) => (splits.get(task) ?? null) !== null);
    const [first, other] = new Set(named.map((task) => splits.get(task) ?? null));
    if (first === undefined || first === null) continue;
    if (other !== undefined) {
      throw new StudioError(
        'USAGE',
        `${named.slice(0, 5).join(', ')} are tasks of one template and its instances, which never lie in two splits: give them one of “${first}” and “${other}”.`,
        { tasks: named },
      );
    }
    for (const task of family) if (known.has(task)) splits.set(task, first);
  }
  return [...splits].map(([task, split]) => ({ task, split }));
}

/** The same inside a transaction of the caller's. */
export async function writeSplits(
  trx: StoreTransaction,
  wanted: readonly { task: string; split: string | null }[],
  origin: 'hand' | 'rule',
): Promise<void> {
  for (const split of new Set(wanted.map(({ split }) => split)))
    if (split !== null) parsed(splitSchema, split, 'split');
  const known = await taskIds(trx);
  const stranger = wanted.find(({ task }) => !known.has(task));
  if (stranger) {
    throw new StudioError(
      'UNKNOWN_TASK',
      `There is no task "${stranger.task}" in this workspace. \`tasks\` lists them.`,
      { task: stranger.task },
    );
  }
  await replaceSplits(trx, wanted, origin);
}

function parsed(schema: typeof tagSchema | typeof splitSchema, text: string, what: string): string {
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  const why = result.error.issues[0]?.message ?? 'it does not fit';
  throw new StudioError('USAGE', `"${text.slice(0, 80)}" cannot be a ${what}: ${why}.`, { [what]: text.slice(0, 80) });
}
