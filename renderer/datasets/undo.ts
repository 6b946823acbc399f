import type { DataRow } from '../../schemas/dataset.ts';

/** How tags and splits come back as they were: the calls of the studio that do it. */

type TagsBack = { recordings: string[]; add: string[]; remove: string[] };

/** `rows` as they were before `remove` was taken from them and `add` given. Rows that lack the same go in one call. */
export function tagsBack(
  rows: readonly Pick<DataRow, 'recording' | 'tags'>[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): TagsBack[] {
  const calls = new Map<string, TagsBack>();
  for (const { recording, tags } of rows) {
    const gained = add.filter((tag) => !tags.includes(tag));
    const lost = remove.filter((tag) => tags.includes(tag) && !add.includes(tag));
    if (gained.length + lost.length === 0) continue;
    const key = JSON.stringify([gained, lost]);
    const call = calls.get(key) ?? { recordings: [], add: lost, remove: gained };
    call.recordings.push(recording);
    calls.set(key, call);
  }
  return [...calls.values()];
}

/** `changed`: tasks with the split that they had. */
export function splitsBack(
  changed: readonly { task: string; split: string | null }[],
): { tasks: string[]; split: string | null }[] {
  const groups = Map.groupBy(changed, ({ split }) => split);
  return [...groups].map(([split, of]) => ({ tasks: [...new Set(of.map(({ task }) => task))], split }));
}
