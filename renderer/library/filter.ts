import type { SoftwareInfo, TaskRow } from '../../schemas/api/models.ts';
import type { DataRow, ProofState } from '../../schemas/dataset.ts';
import { RECORDING_STATES, type RecordingState } from '../../schemas/task-terms.ts';

/** A task with what it is searched by, made once a list: filtering 5,000 of them is then only `includes`. */
export type Entry = {
  row: TaskRow;
  software: string;
  category: string;
  /** The best of its recordings; undefined where nobody asked. */
  proof: ProofState | undefined;
  hay: string;
  order: string;
};

/** Where a task stands, from its furthest recording; `unrecorded` has none. */
type Stage = 'unrecorded' | RecordingState;
export const STAGES: readonly Stage[] = ['unrecorded', ...RECORDING_STATES];

export type Filter = {
  text: string;
  software: string | null;
  stage: Stage | null;
  /** Closed tasks are out of the way unless asked for. */
  state: 'open' | 'closed' | 'all';
  /** Whether one of its recordings was proven (docs/play.md); null: any. */
  proof: ProofState | null;
};
export const NO_FILTER: Filter = { text: '', software: null, stage: null, state: 'all', proof: null };

export type TaskSortKey = 'id' | 'goal' | 'software' | 'stage' | 'progress' | 'recordings' | 'created';
export type TaskSort = { key: TaskSortKey; descending: boolean };

/** Prepares a list for searching: lower case, without accents, id and goal and software and platform in one text. */
export function toEntries(
  tasks: readonly TaskRow[],
  software: readonly SoftwareInfo[],
  proofs: ReadonlyMap<string, ProofState> | null = null,
): Entry[] {
  const known = new Map(software.map((one) => [one.id, one]));
  return tasks.map((row) => {
    const { name = row.software, category = '' } = known.get(row.software) ?? {};
    const proof = proofs === null ? undefined : (proofs.get(row.id) ?? 'untried');
    const hay = plain(`${row.id} ${row.goal} ${name} ${row.platform}`);
    return { row, software: name, category, proof, hay, order: idOrder(row.id) };
  });
}

/** A task is proven when one of its recordings is; not proven, when one was tried and none is; else what somebody says. */
export function proofsOfTasks(rows: Iterable<Pick<DataRow, 'task' | 'proof'>>): Map<string, ProofState> {
  const proofs = new Map<string, ProofState>();
  const rank: readonly ProofState[] = ['untried', 'said', 'failed', 'proven'];
  for (const { task, proof } of rows)
    if (rank.indexOf(proof) > rank.indexOf(proofs.get(task) ?? 'untried')) proofs.set(task, proof);
  return proofs;
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** PPT_2 before PPT_15: digits padded, so that plain comparison orders them. */
function idOrder(id: string): string {
  return id.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(8, '0'));
}

export function stageOf(row: Pick<TaskRow, 'furthest'>): Stage {
  return row.furthest ?? 'unrecorded';
}

/** The entries that have all words of the text (in any order) and all that was chosen, in their given order. */
export function filterEntries(entries: readonly Entry[], filter: Filter): Entry[] {
  const words = plain(filter.text).split(/\s+/).filter(Boolean);
  return entries.filter(({ row, proof, hay }) => {
    if (filter.software !== null && row.software !== filter.software) return false;
    if (filter.stage !== null && stageOf(row) !== filter.stage) return false;
    if (filter.state !== 'all' && row.state !== filter.state) return false;
    if (filter.proof !== null && proof !== filter.proof) return false;
    return words.every((word) => hay.includes(word));
  });
}

/** Sorted anew; equal ones stay in the order of their ids. */
export function sortEntries(entries: readonly Entry[], { key, descending }: TaskSort): Entry[] {
  const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const by: Record<TaskSortKey, (a: Entry, b: Entry) => number> = {
    id: (a, b) => text(a.order, b.order),
    goal: (a, b) => a.row.goal.localeCompare(b.row.goal, 'en'),
    software: (a, b) => a.software.localeCompare(b.software, 'en'),
    stage: (a, b) => STAGES.indexOf(stageOf(a.row)) - STAGES.indexOf(stageOf(b.row)),
    progress: (a, b) => a.row.progress - b.row.progress,
    recordings: (a, b) => a.row.recordings - b.row.recordings,
    created: (a, b) => text(a.row.createdAt, b.row.createdAt),
  };
  const sign = descending ? -1 : 1;
  return entries.toSorted((a, b) => sign * by[key](a, b) || text(a.order, b.order));
}

/** How many entries each software and each stage has, for the choices beside the list. */
export function countEntries(entries: readonly Entry[]): { software: Map<string, number>; stages: Map<Stage, number> } {
  const software = new Map<string, number>();
  const stages = new Map<Stage, number>();
  for (const { row } of entries) {
    software.set(row.software, (software.get(row.software) ?? 0) + 1);
    stages.set(stageOf(row), (stages.get(stageOf(row)) ?? 0) + 1);
  }
  return { software, stages };
}

/** Whether anything is left out. */
export function isFiltered(filter: Filter): boolean {
  const { text, software, stage, state, proof } = filter;
  return text.trim() !== '' || software !== null || stage !== null || state !== 'all' || proof !== null;
}

/** Software by name as a reader looks for it: small letters beside capitals, accents beside their letters. */
export const byName = (software: readonly SoftwareInfo[]): SoftwareInfo[] =>
  software.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }));
