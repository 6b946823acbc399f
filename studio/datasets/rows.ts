import { type Records, toRecords } from '../../core/annotate/document.ts';
import { removalId } from '../../core/annotate/ids.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import { countRecording } from '../../core/curate/figures.ts';
import type { CountedRow } from '../../core/curate/statistics.ts';
import { judgedFigures } from '../../core/review/judged.ts';
import { ACTION_RULES_VERSION } from '../../schemas/actions.ts';
import type { DataRow, Figures } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { KEYFRAME_RULES_VERSION, type Recording } from '../../schemas/recording.ts';
import { withDraftOrigins } from '../documents/drafts.ts';
import { judgedIn, judgedUntil } from '../documents/review/judgements.ts';
import { openFolder } from '../recordings/closed.ts';
import { byNewerRules, derivedKey, isKept, isLong } from '../recordings/derived.ts';
import { breathe } from '../store/breathe.ts';
import { readSplits, readTags } from '../store/curation.ts';
import { readDocumentLog } from '../store/documents.ts';
import { countsBeside, keepFacts, keepReviewFigures, listFacts, readFigures } from '../store/facts.ts';
import { type Mask, NOTHING_MASKED } from '../store/mask.ts';
import { madeOf, OF_THE_RECORDING } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { namesOfWriters } from '../store/transactions.ts';
import type { Workspace } from '../store/workspace.ts';
import { replicaAgreement } from './agreement.ts';
import { goalOf } from './annotated.ts';
import { proofsOf } from './proofs.ts';

/** Version of the rows in dataset_facts. Raise it when their shape or the way they are counted changes. */
const FACTS_VERSION = 7;

/** A recording's figures that the index does not hold: kept in the database until its files or its annotation change. */
type Facts = Pick<
  DataRow,
  | 'steps'
  | 'subtasks'
  | 'kinds'
  | 'boxes'
  | 'names'
  | 'missing'
  | 'drafted'
  | 'resolution'
  | 'annotators'
  | 'agreement'
  | 'judged'
> & {
  /** The annotated goal; empty when nobody wrote one. */
  goal: string;
  /** Why it cannot be counted; null when it was. */
  failed: string | null;
  verified: Recording['verified'] | null;
};

const NOTHING: Facts = {
  steps: null,
  subtasks: null,
  kinds: {},
  boxes: null,
  names: null,
  missing: null,
  drafted: null,
  resolution: null,
  annotators: [],
  agreement: null,
  judged: null,
  goal: '',
  failed: null,
  verified: null,
};

export type Counting = {
  signal?: AbortSignal | undefined;
  report?(done: number, total: number): void;
  /** Stops counting after so many ms and leaves the rest uncounted. */
  budgetMs?: number;
  /** Recordings that are long, or that nothing was derived of yet, are left uncounted too: one holds up everything else. */
  short?: boolean;
  /** Recordings that are to look as if nobody had annotated them (store/mask.ts). */
  mask?: Mask | undefined;
};

/** The data set's rows, the newest recording first, as they are counted now. `uncounted`: recordings that wait for counting. */
export async function datasetRows(
  workspace: Workspace,
  counting: Counting = {},
): Promise<{ rows: DataRow[]; uncounted: number }> {
  const { entries, facts, uncounted } = await countAll(workspace, counting);
  const rows = await maskedData(workspace, await joinRows(workspace, entries, facts), counting.mask);
  return { rows: rows.map(({ row }) => row), uncounted };
}

/** The rows with what statistics need of them. */
export async function countedRows(workspace: Workspace, counting: Counting = {}): Promise<CountedRow[]> {
  const { entries, facts, besides } = await countAll(workspace, counting);
  const figures = await readFigures(workspace.store);
  if (besides)
    for (const [id, { value }] of await countsBeside(workspace.store, besideUs())) {
      if (besides.has(id)) figures.set(id, (JSON.parse(value) as CountBeside).figures); // Written by countOne.
    }
  const counted: CountedRow[] = [];
  for (const { row, begun } of await maskedData(workspace, await joinRows(workspace, entries, facts), counting.mask)) {
    await breathe();
    const text = row.steps === null ? undefined : figures.get(row.recording);
    // Written by countOne below.
    counted.push({ row, figures: begun?.figures ?? (text === undefined ? null : (JSON.parse(text) as Figures)) });
  }
  return counted;
}

async function countAll(
  workspace: Workspace,
  { signal, report, budgetMs, short }: Counting,
): Promise<{ entries: RecordingEntry[]; facts: Map<string, Facts>; besides: Set<string> | null; uncounted: number }> {
  const entries = await workspace.indexedRecordings();
  const facts = new Map<string, Facts>();
  const { waiting, besides } = await readKept(workspace, entries, facts);
  const until = budgetMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + budgetMs;
  let done = 0;
  for (const one of waiting) {
    const { entry } = one;
    await breathe();
    if (signal?.aborted) throw new StudioError('CANCELLED', 'Counting was stopped; what was counted stays.', {});
    if (performance.now() > until) break;
    if (short && !isQuick(entry.folder)) continue;
    facts.set(entry.id, await countOne(workspace, one));
    done++;
    report?.(done, waiting.length);
  }
  return { entries, facts, besides, uncounted: waiting.length - done };
}

/** Read in a moment, also as the first one of this process: what is derived of it is kept, and it is not long. */
const isQuick = (folder: string): boolean => !isLong(folder) && isKept(folder, derivedKey(folder));

/** `beside`: the row of this recording is of a newer program's rules, and stays. */
type Waiting = { entry: RecordingEntry; stamp: string; beside: boolean };

/** The count that countOne keeps beside a newer program's. */
type CountBeside = { facts: Facts; figures: string };

const rulesOfUs = (): string => [FACTS_VERSION, ACTION_RULES_VERSION, KEYFRAME_RULES_VERSION].join(' ');
const besideUs = (): string => `data set ${rulesOfUs()}`;

/** Puts figures that are kept and still right into `facts`; gives the recordings without, and those counted by newer rules. */
async function readKept(
  { store }: Workspace,
  entries: readonly RecordingEntry[],
  facts: Map<string, Facts>,
): Promise<{ waiting: Waiting[]; besides: Set<string> | null }> {
  const rows = await listFacts(store);
  const known = new Map(rows.map((row) => [row.id, row]));
  const judged = await judgedUntil(store);
  const rules = rulesOfUs();
  const newer = rows.filter(({ counted }) => counted !== null && byNewerRules(counted, rules)).map(({ id }) => id);
  const besides = newer.length > 0 ? new Set(newer) : null;
  const ours = besides && (await countsBeside(store, besideUs()));
  const waiting: Waiting[] = [];
  for (const entry of entries) {
    await breathe();
    const row = known.get(entry.id);
    if (!row || entry.phase !== 'closed') continue;
    const stamp = [rules, judged.get(entry.id) ?? 0, row.stamp].join(' ');
    const beside = besides?.has(entry.id) ?? false;
    const kept = beside ? ours?.get(entry.id) : null;
    // Both written by countOne.
    if (kept?.versions === versionsOf(stamp, row.version ?? 0))
      facts.set(entry.id, (JSON.parse(kept.value) as CountBeside).facts);
    else if (!beside && row.facts !== null && row.counted === stamp && row.at === (row.version ?? 0))
      facts.set(entry.id, JSON.parse(row.facts) as Facts);
    else waiting.push({ entry, stamp, beside });
  }
  return { waiting, besides };
}

const versionsOf = (stamp: string, document: number): string => `${stamp} ${document}`;

/** Never throws for a recording that cannot be read: its figures stay unknown, and `failed` says why. */
async function countOne(workspace: Workspace, { entry, stamp, beside }: Waiting): Promise<Facts> {
  const { store } = workspace;
  const document = await store.reading((trx) => readDocumentLog(trx, entry.id));
  const written = document && (await withDraftOrigins(workspace, entry, entry.id, document.records));
  let facts: Facts = NOTHING;
  let figures = '';
  try {
    const { page, meta } = openFolder(entry.folder);
    // Deriving what was never opened is a piece of its own.
    await breathe();
    const { records, counted } = madeOf(entry.folder, () => {
      const said = written ?? toRecords(initialRecords(page.steps, page.marks, ''));
      return { records: said, counted: countRecording(page.steps, said, entry.goal) };
    });
    await breathe();
    const [first] = meta.segments;
    facts = {
      ...counted.row,
      resolution: first ? `${first.width}x${first.height}` : null,
      annotators: [...(await namesOfWriters(store, entry.id, NOBODY))].sort(),
      agreement: document ? await replicaAgreement(workspace, entry, page.steps) : null,
      judged: judgedFigures(await judgedIn(store, entry.id), keptSteps(page.steps, records)),
      goal: goalOf(records),
      failed: null,
      verified: meta.verified ?? null,
    };
    figures = JSON.stringify(counted.figures);
  } catch (error) {
    // A full disk or a database that is held is not the recording's fault, and not to be kept as such.
    if (!(error instanceof StudioError) || !OF_THE_RECORDING.has(error.code)) throw error;
    facts = { ...NOTHING, failed: error.message };
  }
  const version = document?.version ?? 0;
  if (beside) {
    const place = { recording: entry.id, about: besideUs(), versions: versionsOf(stamp, version) };
    await keepReviewFigures(store, place, JSON.stringify({ facts, figures } satisfies CountBeside));
  } else {
    await keepFacts(store, entry.id, { stamp, document_version: version, facts: JSON.stringify(facts), figures });
  }
  return facts;
}

const keptSteps = <T extends { id: string }>(steps: readonly T[], records: Records): T[] =>
  steps.filter(({ id }) => !records.has(removalId(id)));

type Begun = { row: Partial<DataRow>; figures: Figures | null };

/** Rows as somebody is to see them: what is masked looks as if nobody had annotated it, with the figures of that. */
async function maskedData(
  workspace: Workspace,
  rows: readonly DataRow[],
  mask: Mask = NOTHING_MASKED,
): Promise<{ row: DataRow; begun?: Begun }[]> {
  const shown: { row: DataRow; begun?: Begun }[] = [];
  for (const row of rows) {
    const masked = mask.get(row.recording);
    if (!masked) {
      shown.push({ row });
      continue;
    }
    const { folder, goal } = await workspace.getRecording(row.recording);
    const begun = row.steps === null ? { row: {}, figures: null } : begunData(folder, goal);
    const { state } = masked;
    shown.push({ row: { ...row, ...begun.row, goal, annotators: [], agreement: null, judged: null, state }, begun });
  }
  return shown;
}

/** The figures of a recording that nobody annotated; none when it can no longer be read. */
function begunData(folder: string, goal: string): Begun {
  try {
    const { page } = openFolder(folder);
    return madeOf(folder, () => {
      const begun = toRecords(initialRecords(page.steps, page.marks, ''));
      return countRecording(page.steps, begun, goal);
    });
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { steps, subtasks, kinds, boxes, names, missing, drafted, resolution } = NOTHING;
    return { row: { steps, subtasks, kinds, boxes, names, missing, drafted, resolution }, figures: null };
  }
}

/** Transactions of nobody: the beginning of a document, and what an import brought. */
const NOBODY = ['studio', 'import'];

async function joinRows(
  workspace: Workspace,
  entries: readonly RecordingEntry[],
  facts: ReadonlyMap<string, Facts>,
): Promise<DataRow[]> {
  const { store } = workspace;
  const [tags, splits] = [await readTags(store), await readSplits(store)];
  const proofs = await proofsOf(
    workspace,
    entries.map(({ id, task, folder }) => ({ id, task, folder, verified: facts.get(id)?.verified ?? null })),
  );
  return entries.map((entry): DataRow => {
    const { goal, failed: _failed, verified, ...counted } = facts.get(entry.id) ?? NOTHING;
    const proof = proofs.get(entry.id) ?? 'untried';
    return {
      recording: entry.id,
      task: entry.task,
      software: entry.app,
      goal: goal || entry.goal,
      state: entry.state,
      verdict: entry.verdict,
      proof,
      ...(proof === 'said' && verified?.by && { proofSaid: verified.by }),
      startedAt: entry.startedAt,
      seconds: entry.durationUs === null ? null : entry.durationUs / 1e6,
      person: entry.person,
      tags: tags.get(entry.id) ?? [],
      split: splits.get(entry.task) ?? null,
      ...counted,
    };
  });
}
