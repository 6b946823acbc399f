import { draftsTakenIn, errorsOf, gapsIn, matcher } from '../../core/curate/filter.ts';
import type { DataRow, DatasetFilter, Range } from '../../schemas/dataset.ts';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { listed, tr } from '../language/tr.ts';
import { kindName } from '../ui/kinds.ts';
import { PROOF_NAMES } from '../ui/proof.tsx';
import { STATE_NAMES } from '../ui/states.tsx';

/** The page's side of a filter: what can be chosen, how often it occurs, and the choice in words. */

export type FacetKey =
  | 'software'
  | 'state'
  | 'proof'
  | 'kinds'
  | 'resolutions'
  | 'people'
  | 'tags'
  | 'withoutTags'
  | 'splits'
  | 'errors'
  | 'missing'
  | 'drafts';
export type RangeKey = 'steps' | 'seconds' | 'agreement' | 'judged' | 'grounded' | 'unrecoverable' | 'redundant';
/** `value` null: none is given (nobody named, in no split). */
type Choice = { value: string | null; label: string; count: number };

export const FACETS: readonly { key: FacetKey; name: string; none?: string }[] = [
  { key: 'software', name: tr('Software') },
  { key: 'state', name: tr('State') },
  { key: 'proof', name: tr('Proof') },
  { key: 'splits', name: tr('Split'), none: tr('in no split') },
  { key: 'tags', name: tr('Tags') },
  { key: 'withoutTags', name: tr('Excluded tags') },
  { key: 'kinds', name: tr('Actions') },
  { key: 'resolutions', name: tr('Resolution') },
  { key: 'people', name: tr('Person'), none: tr('not specified') },
  { key: 'errors', name: tr('Errors') },
  { key: 'missing', name: tr('Missing') },
  { key: 'drafts', name: tr('Drafts') },
];
export const RANGES: readonly { key: RangeKey; name: string; unit: string; step: number; most?: number }[] = [
  { key: 'steps', name: tr('Steps'), unit: tr('steps'), step: 1 },
  { key: 'seconds', name: tr('Length'), unit: 's', step: 10 },
  { key: 'agreement', name: tr('Agreement'), unit: '', step: 0.05, most: 1 },
  { key: 'judged', name: tr('Judged'), unit: '', step: 0.05, most: 1 },
  { key: 'grounded', name: tr('Grounded'), unit: '', step: 0.05, most: 1 },
  { key: 'unrecoverable', name: tr('Lasting errors'), unit: tr('steps'), step: 1 },
  { key: 'redundant', name: tr('Redundant'), unit: tr('steps'), step: 1 },
];

/** Every value of a field among these rows, the most frequent first. */
export function choicesOf(
  rows: readonly DataRow[],
  filter: DatasetFilter,
  key: FacetKey,
  softwareNames: ReadonlyMap<string, string>,
): Choice[] {
  // Counted among what the other fields let through; what was chosen here does not hide its own alternatives.
  const { [key]: chosen, ...others } = filter;
  const counts = new Map<string | null, number>();
  // Also values that the others leave nothing of: they can be chosen, and are shown to be empty.
  for (const row of rows) for (const value of valuesOf(row, key)) counts.set(value, 0);
  for (const value of chosen ?? []) counts.set(value, 0);
  for (const row of rows.filter(matcher(others)))
    for (const value of valuesOf(row, key)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, label: labelOf(key, value, softwareNames), count }))
    .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label, 'en'));
}

function valuesOf(row: DataRow, key: FacetKey): readonly (string | null)[] {
  if (key === 'software') return [row.software];
  if (key === 'state') return [row.state];
  if (key === 'proof') return [row.proof];
  if (key === 'splits') return [row.split];
  if (key === 'resolutions') return row.resolution === null ? [] : [row.resolution];
  if (key === 'kinds') return Object.entries(row.kinds).flatMap(([kind, n]) => (n > 0 ? [kind] : []));
  if (key === 'errors') return errorsOf(row);
  if (key === 'missing') return gapsIn(row);
  if (key === 'drafts') return draftsTakenIn(row);
  if (key === 'tags' || key === 'withoutTags') return row.tags;
  const people = [...new Set(row.person === null ? row.annotators : [row.person, ...row.annotators])];
  return people.length > 0 ? people : [null];
}

export function labelOf(key: FacetKey, value: string | null, softwareNames: ReadonlyMap<string, string>): string {
  if (value === null) return FACETS.find((facet) => facet.key === key)?.none ?? tr('none');
  if (key === 'software') return softwareNames.get(value) ?? value;
  if (key === 'errors') return ERROR_NAMES[value] ?? value;
  if (key === 'missing') return MISSING_NAMES[value] ?? value;
  if (key === 'drafts') return DRAFT_NAMES[value] ?? value;
  if (key === 'kinds') return kindName(value);
  if (key === 'proof') return (PROOF_NAMES as Readonly<Record<string, string>>)[value] ?? value;
  // The states are those of the rows, which STATE_NAMES has all of; another version's would be its own word.
  if (key === 'state') return (STATE_NAMES as Readonly<Record<string, string>>)[value] ?? value;
  return value;
}

const MISSING_NAMES: Readonly<Record<string, string>> = {
  none: tr('nothing'),
  goal: tr('goal'),
  title: tr('titles of subtasks'),
  box: tr('boxes of elements'),
  'end-box': tr('boxes where drags end'),
  narration: tr('narrations'),
  pixels: tr('names, pixels instead'),
};

const DRAFT_NAMES: Readonly<Record<string, string>> = {
  none: tr('no draft taken'),
  taken: tr('drafts taken as they are'),
  edited: tr('drafts edited'),
};

const ERROR_NAMES: Readonly<Record<string, string>> = {
  none: tr('no error'),
  planning: tr('planning'),
  structural: tr('structural'),
  operational: tr('execution: operational'),
  knowledge: tr('execution: knowledge'),
  perceptual: tr('execution: perceptual'),
};

/** The filter with these values of a field; none chosen: the field does not filter. */
export function withFacet(filter: DatasetFilter, key: FacetKey, values: readonly (string | null)[]): DatasetFilter {
  const { [key]: _, ...others } = filter;
  // The values are the rows' own, of the field's type by construction (choicesOf).
  return values.length === 0 ? others : ({ ...others, [key]: values } as DatasetFilter);
}

export function withRange(filter: DatasetFilter, key: RangeKey, { min, max }: Range): DatasetFilter {
  const { [key]: _, ...others } = filter;
  if (min === undefined && max === undefined) return others;
  return { ...others, [key]: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) } };
}

export function withWords(filter: DatasetFilter, words: string): DatasetFilter {
  const { words: _, ...others } = filter;
  return words.trim() === '' ? others : { ...others, words };
}

export function narrowsData(filter: DatasetFilter): boolean {
  return Object.keys(filter).length > 0;
}

/** The filter in words, a part for each field; empty when everything belongs. */
export function describeFilter(filter: DatasetFilter, softwareNames: ReadonlyMap<string, string>): string[] {
  const parts: string[] = [];
  if (filter.words) parts.push(tr('Words: “{words}”', { words: filter.words.trim() }));
  for (const { key, name } of FACETS) {
    const values = filter[key];
    if (!values) continue;
    const labels = values.map((value) => labelOf(key, value, softwareNames));
    parts.push(`${name}: ${listed(labels, key === 'tags' ? 'and' : 'or')}`);
  }
  for (const { key, name, unit } of RANGES) {
    const range = filter[key];
    if (range) parts.push(`${name}: ${describeRange(range, unit)}`);
  }
  if (filter.tasks)
    parts.push(tr('{tasks, plural, one {# chosen task} other {# chosen tasks}}', { tasks: filter.tasks.length }));
  if (filter.recordings)
    parts.push(
      tr('{recordings, plural, one {# chosen recording} other {# chosen recordings}}', {
        recordings: filter.recordings.length,
      }),
    );
  return parts;
}

export function describeRange({ min, max }: Range, unit: string): string {
  const of = unit === '' ? '' : ` ${unit}`;
  if (min !== undefined && max !== undefined)
    return min === max ? `${min}${of}` : tr('{min} to {max}{of}', { min, max, of });
  return min !== undefined ? tr('at least {min}{of}', { min, of }) : tr('at most {max}{of}', { max, of });
}

export type DataSortKey = 'task' | 'goal' | 'software' | 'state' | 'steps' | 'seconds' | 'split';
export type DataSort = { key: DataSortKey; descending: boolean };

/** PPT_2 before PPT_15. */
const order = (id: string): string => id.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(8, '0'));

/** Sorted anew; equal ones by task and the newest recording first. */
export function sortRows(rows: readonly DataRow[], { key, descending }: DataSort): DataRow[] {
  const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const by: Record<DataSortKey, (a: DataRow, b: DataRow) => number> = {
    task: (a, b) => text(order(a.task), order(b.task)),
    goal: (a, b) => a.goal.localeCompare(b.goal, 'en'),
    software: (a, b) => text(a.software, b.software),
    state: (a, b) => RECORDING_STATES.indexOf(a.state) - RECORDING_STATES.indexOf(b.state),
    steps: (a, b) => (a.steps ?? -1) - (b.steps ?? -1),
    seconds: (a, b) => (a.seconds ?? -1) - (b.seconds ?? -1),
    split: (a, b) => text(a.split ?? '', b.split ?? ''),
  };
  const sign = descending ? -1 : 1;
  return rows.toSorted((a, b) => sign * by[key](a, b) || by.task(a, b) || text(b.startedAt, a.startedAt));
}
