import type { DataRow, DatasetFilter, Range } from '../../schemas/dataset.ts';
import { DRAFT_ORIGINS, type DraftOriginWord } from '../../schemas/draft-words.ts';
import { MISSING_KINDS, type MissingKind } from '../../schemas/missing.ts';
import { ERROR_IDS, type ErrorId } from '../../schemas/step-errors.ts';

/** Whether a row belongs to a data set: the one place that says so, for pages, command line and versions alike. */

/** A test made once for many rows. Without fields, every row fits. */
export function matcher(filter: DatasetFilter): (row: DataRow) => boolean {
  const tests: ((row: DataRow) => boolean)[] = [];
  const oneOf = <T>(list: readonly T[] | undefined, of: (row: DataRow) => readonly T[]): void => {
    if (list === undefined) return;
    const wanted = new Set(list);
    tests.push((row) => of(row).some((one) => wanted.has(one)));
  };
  const within = (wanted: Range | undefined, of: (row: DataRow) => number | null): void => {
    if (wanted === undefined || (wanted.min === undefined && wanted.max === undefined)) return;
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = wanted;
    tests.push((row) => {
      const value = of(row);
      return value !== null && value >= min && value <= max;
    });
  };
  oneOf(filter.software, (row) => [row.software]);
  oneOf(filter.state, (row) => [row.state]);
  oneOf(filter.proof, (row) => [row.proof]);
  oneOf(filter.resolutions, (row) => (row.resolution === null ? [] : [row.resolution]));
  oneOf(filter.splits, (row) => [row.split]);
  oneOf(filter.people, peopleOf);
  oneOf(filter.tasks, (row) => [row.task]);
  oneOf(filter.recordings, (row) => [row.recording]);
  within(filter.agreement, (row) => row.agreement);
  within(filter.steps, (row) => row.steps);
  within(filter.seconds, (row) => row.seconds);
  within(filter.judged, ({ judged, steps }) =>
    steps === null ? null : steps === 0 ? 0 : (judged?.steps ?? 0) / steps,
  );
  within(filter.grounded, groundedShare);
  within(filter.unrecoverable, ({ judged }) => judged?.unrecoverable ?? null);
  within(filter.redundant, ({ judged }) => judged?.redundant ?? null);
  oneOf(filter.errors, errorsOf);
  oneOf(filter.missing, gapsIn);
  oneOf(filter.drafts, draftsTakenIn);
  const { kinds, tags, withoutTags, words } = filter;
  if (kinds) tests.push((row) => kinds.some((kind) => (row.kinds[kind] ?? 0) > 0));
  if (tags) tests.push((row) => tags.every((tag) => row.tags.includes(tag)));
  if (withoutTags) tests.push((row) => !withoutTags.some((tag) => row.tags.includes(tag)));
  const wanted = fold(words ?? '')
    .split(/\s+/)
    .filter(Boolean);
  if (wanted.length > 0) {
    tests.push((row) => {
      const text = fold([row.task, row.recording, row.goal, ...row.tags].join('\n'));
      return wanted.every((word) => text.includes(word));
    });
  }
  return (row) => tests.every((test) => test(row));
}

/** The rows that fit, in their order. */
export function filterRows(rows: readonly DataRow[], filter: DatasetFilter): DataRow[] {
  return rows.filter(matcher(filter));
}

/** The share of grounded steps among those on which judges agree; null where there is none. */
function groundedShare({ judged }: Pick<DataRow, 'judged'>): number | null {
  const settled = judged ? judged.grounded + judged.ungrounded : 0;
  return judged && settled > 0 ? judged.grounded / settled : null;
}

/** The kinds of errors in it; `none` alone where it was judged and has none; nothing where nobody judged it. */
export function errorsOf({ judged }: Pick<DataRow, 'judged'>): readonly (ErrorId | 'none')[] {
  if (judged === null) return [];
  return judged.wrong === 0 ? ['none'] : ERROR_IDS.filter((id) => (judged.errors[id] ?? 0) > 0);
}

/** The kinds of gaps in its annotation (N11); `none` alone where nothing is missing; nothing where nobody counted. */
export function gapsIn({ missing }: Pick<DataRow, 'missing'>): readonly (MissingKind | 'none')[] {
  if (missing === null) return [];
  const kinds = MISSING_KINDS.filter((kind) => (missing[kind] ?? 0) > 0);
  return kinds.length === 0 ? ['none'] : kinds;
}

/** How words of models' drafts stand in it; `none` alone where there is none; nothing where nobody counted. */
export function draftsTakenIn({ drafted }: Pick<DataRow, 'drafted'>): readonly (DraftOriginWord | 'none')[] {
  if (drafted === null) return [];
  const words = DRAFT_ORIGINS.filter((word) => drafted[word] > 0);
  return words.length === 0 ? ['none'] : words;
}

/** Who had a hand in it; null alone when nobody is named. */
function peopleOf({ person, annotators }: DataRow): (string | null)[] {
  const people = person === null ? annotators : [person, ...annotators];
  return people.length > 0 ? people : [null];
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
