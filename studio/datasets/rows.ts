import { toRecords } from '../../core/annotate/document.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import { countRecording } from '../../core/curate/figures.ts';
import type { CountedRow } from '../../core/curate/statistics.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import type { DataRow, Figures } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { KEYFRAME_RULES_VERSION } from '../../schemas/recording.ts';
import { readDocument } from '../annotate/log.ts';
import { openFolder } from '../annotate/opened.ts';
import { goalOf } from '../export/annotated.ts';
import type { Mask } from '../review/mask.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { replicaAgreement } from './agreement.ts';
import { readSplits, readTags } from './tags.ts';

/** Of what is kept in dataset_facts; raised when its shape or its counting changes. */
const FACTS_VERSION = 2;

/** Of a recording, beside what the index says: kept in the database until its files or its annotation change. */
type Facts = Pick<
  DataRow,
  'steps' | 'subtasks' | 'kinds' | 'boxes' | 'names' | 'resolution' | 'annotators' | 'agreement'
> & {
  /** As annotated; empty when nobody wrote one. */
  goal: string;
  /** Why it cannot be counted; null when it was. */
  failed: string | null;
};

const NOTHING: Facts = {
  steps: null,
  subtasks: null,
  kinds: {},
  boxes: null,
  names: null,
  resolution: null,
  annotators: [],
  agreement: null,
  goal: '',
  failed: null,
};

export type Counting = {
  signal?: AbortSignal | undefined;
  report?(done: number, total: number): void;
  /** Stops counting after so many ms and leaves the rest uncounted. */
  budgetMs?: number;
};

/** The data set's rows, the newest recording first, as they are counted now. `uncounted`: recordings that wait for counting. */
export async function datasetRows(
  workspace: Workspace,
  counting: Counting = {},
): Promise<{ rows: DataRow[]; uncounted: number }> {
  const { entries, facts, uncounted } = await countAll(workspace, counting);
  const rows = await joinRows(workspace, entries, facts);
  return { rows, uncounted };
}

/** The rows with what statistics need of them. */
export async function countedRows(workspace: Workspace, counting: Counting = {}): Promise<CountedRow[]> {
  const { entries, facts } = await countAll(workspace, counting);
  const kept = await workspace.db.selectFrom('dataset_facts').select(['recording_id', 'figures']).execute();
  const figures = new Map(kept.map((one) => [one.recording_id, one.figures]));
  return (await joinRows(workspace, entries, facts)).map((row) => {
    const text = row.steps === null ? undefined : figures.get(row.recording);
    // Written by countOne below.
    return { row, figures: text === undefined ? null : (JSON.parse(text) as Figures) };
  });
}

async function countAll(
  workspace: Workspace,
  { signal, report, budgetMs }: Counting,
): Promise<{ entries: RecordingEntry[]; facts: Map<string, Facts>; uncounted: number }> {
  const entries = await workspace.indexedRecordings();
  const facts = new Map<string, Facts>();
  const waiting = await readKept(workspace, entries, facts);
  const until = budgetMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + budgetMs;
  let done = 0;
  for (const { entry, stamp } of waiting) {
    if (signal?.aborted) throw new StudioError('CANCELLED', 'Counting was stopped; what was counted stays.', {});
    if (performance.now() > until) break;
    facts.set(entry.id, await countOne(workspace, entry, stamp));
    done++;
    report?.(done, waiting.length);
    // Reading a recording blocks: let others speak in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { entries, facts, uncounted: waiting.length - done };
}

type Waiting = { entry: RecordingEntry; stamp: string };

/** What is kept and still right goes into `facts`; gives the rest. */
async function readKept(
  { db }: Workspace,
  entries: readonly RecordingEntry[],
  facts: Map<string, Facts>,
): Promise<Waiting[]> {
  const rows = await db
    .selectFrom('recordings')
    .leftJoin('documents', 'documents.id', 'recordings.id')
    .leftJoin('dataset_facts', 'dataset_facts.recording_id', 'recordings.id')
    .select(['recordings.id', 'recordings.stamp', 'documents.version', 'dataset_facts.facts'])
    .select(['dataset_facts.stamp as counted', 'dataset_facts.document_version as at'])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return entries.flatMap((entry) => {
    const row = known.get(entry.id);
    if (!row || entry.phase !== 'closed') return [];
    const stamp = [FACTS_VERSION, ACTION_RULES_VERSION, KEYFRAME_RULES_VERSION, row.stamp].join(' ');
    if (row.facts === null || row.counted !== stamp || row.at !== (row.version ?? 0)) return [{ entry, stamp }];
    facts.set(entry.id, JSON.parse(row.facts) as Facts); // Written by countOne.
    return [];
  });
}

/** Never throws for a recording that cannot be read: its figures stay unknown, and `failed` says why. */
async function countOne(workspace: Workspace, entry: RecordingEntry, stamp: string): Promise<Facts> {
  const { db } = workspace;
  const document = await db.transaction().execute((trx) => readDocument(trx, entry.id));
  let facts: Facts = NOTHING;
  let figures = '';
  try {
    const { page, segments } = openFolder(entry.folder);
    const records = document?.records ?? toRecords(initialRecords(page.steps, page.marks, ''));
    const counted = countRecording(page.steps, records, entry.goal);
    const [first] = segments;
    facts = {
      ...counted.row,
      resolution: first ? `${first.width}x${first.height}` : null,
      annotators: await annotatorsOf(workspace, entry.id),
      agreement: document ? await replicaAgreement(workspace, entry.id, page.steps) : null,
      goal: goalOf(records),
      failed: null,
    };
    figures = JSON.stringify(counted.figures);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    facts = { ...NOTHING, failed: error.message };
  }
  const values = { stamp, document_version: document?.version ?? 0, facts: JSON.stringify(facts), figures };
  await db
    .insertInto('dataset_facts')
    .values({ recording_id: entry.id, ...values })
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(values))
    .execute();
  return facts;
}

/** Rows as somebody is to see them: what is masked looks as if nobody had annotated it. */
export async function maskDataRows(workspace: Workspace, rows: readonly DataRow[], mask: Mask): Promise<DataRow[]> {
  const shown: DataRow[] = [];
  for (const row of rows) {
    const masked = mask.get(row.recording);
    if (!masked) {
      shown.push(row);
      continue;
    }
    const { folder, goal } = await workspace.getRecording(row.recording);
    const { page } = openFolder(folder);
    const begun = toRecords(initialRecords(page.steps, page.marks, ''));
    const counted = countRecording(page.steps, begun, goal).row;
    shown.push({ ...row, ...counted, goal, annotators: [], agreement: null, state: masked.state });
  }
  return shown;
}

/** Transactions of nobody: the beginning of a document, and what an import brought. */
const NOBODY = ['studio', 'import'];

/** Who changed the annotation, by name. */
async function annotatorsOf({ db }: Workspace, recording: string): Promise<string[]> {
  const rows = await db
    .selectFrom('annotation_transactions as line')
    .leftJoin('people', 'people.id', 'line.person')
    .select(['line.person', 'people.name'])
    .distinct()
    .where('line.document_id', '=', recording)
    .where('line.person', 'not in', NOBODY)
    .execute();
  return [...new Set(rows.map(({ person, name }) => name ?? person))].sort();
}

async function joinRows(
  { db }: Workspace,
  entries: readonly RecordingEntry[],
  facts: ReadonlyMap<string, Facts>,
): Promise<DataRow[]> {
  const [tags, splits] = [await readTags(db), await readSplits(db)];
  return entries.map((entry): DataRow => {
    const { goal, failed: _failed, ...counted } = facts.get(entry.id) ?? NOTHING;
    return {
      recording: entry.id,
      task: entry.task,
      software: entry.app,
      goal: goal || entry.goal,
      state: entry.state,
      verdict: entry.verdict,
      startedAt: entry.startedAt,
      seconds: entry.durationUs === null ? null : entry.durationUs / 1e6,
      person: entry.person,
      tags: tags.get(entry.id) ?? [],
      split: splits.get(entry.task) ?? null,
      ...counted,
    };
  });
}
