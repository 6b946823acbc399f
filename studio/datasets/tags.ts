import { splitSchema, tagSchema } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { changeTags, replaceSplits } from '../store/curation.ts';
import type { StoreTransaction } from '../store/store.ts';
import { taskIds } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';

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

/** Puts tasks into splits (null: into none), all or none. Throws UNKNOWN_TASK, USAGE for a name that is none. */
export async function assignSplits(
  { store }: Pick<Workspace, 'store'>,
  wanted: readonly { task: string; split: string | null }[],
  origin: 'hand' | 'rule',
): Promise<void> {
  await store.transaction((trx) => writeSplits(trx, wanted, origin));
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
