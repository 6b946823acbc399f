import { type Records, sameValue } from '../annotate/document.ts';

/**
 * Two people's records that began as `base`, put together record by record: what only one of them changed is as they have it; what
 * both changed differently is as in `ours`, and named in `both`.
 */
export function mergeRecords({ base, ours, theirs }: { base: Records; ours: Records; theirs: Records }): {
  records: Records;
  both: string[];
} {
  const records = new Map(ours);
  const both: string[] = [];
  for (const id of new Set([...base.keys(), ...theirs.keys()])) {
    const [before, here, there] = [base.get(id), ours.get(id), theirs.get(id)];
    if (sameValue(before, there) || sameValue(here, there)) continue;
    if (!sameValue(before, here)) both.push(id);
    else if (there === undefined) records.delete(id);
    else records.set(id, there);
  }
  return { records, both: both.sort() };
}
