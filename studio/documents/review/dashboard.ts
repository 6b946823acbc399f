import { type AgreementUnits, poolAgreement } from '../../../core/review/compare.ts';
import { type Review, replicasOf } from '../../../core/review/project.ts';
import { NOBODY } from '../../../core/review/rules.ts';
import type { Dashboard } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { REJECT_REASONS, type RejectReason, type ReviewEvent } from '../../../schemas/review.ts';
import { RECORDING_STATES, type RecordingState } from '../../../schemas/task-terms.ts';
import { breathe } from '../../store/breathe.ts';
import { listDocuments, recordingsWithOwn } from '../../store/documents.ts';
import { listPeople } from '../../store/people.ts';
import { OF_THE_RECORDING } from '../../store/recording-folder.ts';
import { listStates } from '../../store/recording-states.ts';
import { eventsOfKinds } from '../../store/review-events.ts';
import type { Store } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { FigureSide, ReviewFigures } from './figures.ts';
import { judgementsOf } from './judgements.ts';
import { stepSeconds } from './pace.ts';
import type { ReviewParts, Reviews } from './service.ts';
import { documentsNow } from './situation.ts';

type Row = { id: string; task_id: string; software_id: string; state: RecordingState };
type States = Record<RecordingState, number>;

/** Asked of one software (its id), or of all; as `person` is to see it. */
type Asked = { software?: string | undefined; person?: string | undefined };

/**
 * States, people, time and agreement of a workspace. Figures of documents that have not changed are not worked out again.
 */
export async function dashboardOf(
  workspace: Workspace,
  parts: Reviews & ReviewParts,
  { software, person }: Asked = {},
): Promise<Dashboard> {
  const { store } = workspace;
  const found = await listStates(store, software);
  const mask = await parts.maskOf(person);
  const rows = found.map((row) => ({ ...row, state: mask.get(row.id)?.state ?? row.state }));
  const ids = new Set(rows.map(({ id }) => id));
  const replicas = await replicasIn(workspace, parts, rows);
  const recordings = await recordingsOf(parts, replicas);
  const pairs = await pairsOf(parts, replicas);
  return {
    states: countStates(rows),
    software: await softwareOf(workspace, rows),
    people: await peopleOf(workspace, parts, ids),
    pairs,
    agreement: poolAgreement(recordings.map(({ units }) => units)),
    recordings: recordings.map(({ units: _units, ...one }) => one),
    judgements: await judgementsOf(store, parts.reader, ids),
    reasons: await reasonsOf(workspace, ids),
  };
}

const noStates = (): States => ({
  recorded: 0,
  annotating: 0,
  annotated: 0,
  'in-review': 0,
  rejected: 0,
  approved: 0,
});

function countStates(rows: readonly Row[]): States {
  const states = noStates();
  for (const { state } of rows) if (RECORDING_STATES.includes(state)) states[state]++;
  return states;
}

async function softwareOf(workspace: Workspace, rows: readonly Row[]): Promise<Dashboard['software']> {
  const names = new Map((await workspace.listSoftware()).map(({ id, name }) => [id, name]));
  return [...Map.groupBy(rows, ({ software_id }) => software_id)]
    .map(([id, some]) => ({ id, name: names.get(id) ?? id, states: countStates(some), total: some.length }))
    .toSorted((a, b) => b.total - a.total || (a.id < b.id ? -1 : 1));
}

type Replicated = { row: Row; sides: FigureSide[] };

/** Recordings with two or more replicas that were submitted. */
async function replicasIn({ store }: Workspace, { reader }: ReviewParts, rows: readonly Row[]): Promise<Replicated[]> {
  const candidates = await recordingsWithOwn(store);
  const found: Replicated[] = [];
  for (const row of rows) {
    if (!candidates.has(row.id)) continue;
    await breathe();
    const sides = replicasOf(await reader.load(store, row.id))
      .filter(({ submitted }) => submitted !== null)
      .map(({ id, person }) => ({ id, person }));
    if (sides.length > 1) found.push({ row, sides });
  }
  return found;
}

type RecordingFigures = Dashboard['recordings'][number] & { units: AgreementUnits };

async function recordingsOf({ figures }: ReviewParts, replicas: readonly Replicated[]): Promise<RecordingFigures[]> {
  const found: RecordingFigures[] = [];
  for (const { row, sides } of replicas) {
    await breathe();
    const known = await readable(figures.figures(row.id, sides));
    if (!known) continue;
    const { agreement, differences, units } = known;
    const { id: recording, task_id: task, software_id: software, state } = row;
    found.push({ recording, task, software, state, documents: sides.length, agreement, differences, units });
  }
  const value = ({ agreement }: RecordingFigures): number => agreement.overall.value ?? 2;
  return found.toSorted((a, b) => value(a) - value(b) || (a.recording < b.recording ? -1 : 1));
}

/** Null for a recording whose files are damaged: it says so where it is opened, and the others are still compared. */
async function readable<T>(figures: Promise<T>): Promise<T | null> {
  try {
    return await figures;
  } catch (error) {
    if (error instanceof StudioError && OF_THE_RECORDING.has(error.code)) return null;
    throw error;
  }
}

async function pairsOf({ figures }: ReviewParts, replicas: readonly Replicated[]): Promise<Dashboard['pairs']> {
  const byPair = new Map<string, { people: [string, string]; all: ReviewFigures[] }>();
  for (const { row, sides } of replicas) {
    await breathe();
    const sorted = sides.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [at, one] of sorted.entries()) {
      for (const other of sorted.slice(at + 1)) {
        const people: [string, string] = [one.person ?? one.id, other.person ?? other.id];
        const key = people.join(' ');
        const known = byPair.get(key) ?? { people, all: [] };
        const found = await readable(figures.figures(row.id, [one, other]));
        if (!found) continue;
        known.all.push(found);
        byPair.set(key, known);
      }
    }
  }
  return [...byPair.values()]
    .map(({ people, all }) => ({
      people,
      recordings: all.length,
      agreement: poolAgreement(all.map(({ units }) => units)),
    }))
    .toSorted((a, b) => (a.people.join(' ') < b.people.join(' ') ? -1 : 1));
}

type Person = Dashboard['people'][number];

async function peopleOf(
  { store }: Workspace,
  { reader, figures }: ReviewParts,
  recordings: ReadonlySet<string>,
): Promise<Person[]> {
  const work = new Map<string, Work>();
  const of = (person: string): Work => {
    const known = work.get(person) ?? newWork();
    work.set(person, known);
    return known;
  };
  const rows = await eventsOfKinds(store, ['begin', 'submit', 'verdict']);
  const authors = new Map<string, readonly string[]>();
  for (const row of rows) {
    await breathe();
    if (recordings.has(row.recording)) count(row.read(), of, authors);
  }
  const checks = new Map<string, AgreementUnits[]>();
  for (const [person, { checked }] of work) {
    for (const { recording, document } of checked) {
      await breathe();
      const { units } = await figures.check(recording, { id: document, person });
      checks.set(person, [...(checks.get(person) ?? []), units]);
    }
  }
  const reviews = new Map<string, Review>();
  for (const id of new Set(rows.map(({ recording }) => recording))) {
    await breathe();
    if (recordings.has(id)) reviews.set(id, await reader.load(store, id));
  }
  await countSteps(store, recordings, reviews, of);
  const seconds = await stepSeconds(store, recordings);
  return (await listPeople(store)).map(({ id, name }) => {
    const { begun, submitted, reviewed, rejected, returned, steps } = work.get(id) ?? newWork();
    const units = checks.get(id) ?? [];
    return {
      id,
      name,
      begun: begun.size,
      submitted: submitted.size,
      reviewed,
      rejected,
      returned,
      steps,
      medianStepSeconds: seconds.get(id) ?? null,
      checks: { n: units.length, overall: poolAgreement(units).overall },
    };
  });
}

type Work = {
  begun: Set<string>;
  submitted: Set<string>;
  reviewed: number;
  rejected: number;
  returned: number;
  steps: number;
  checked: { recording: string; document: string }[];
};

const newWork = (): Work => ({
  begun: new Set(),
  submitted: new Set(),
  reviewed: 0,
  rejected: 0,
  returned: 0,
  steps: 0,
  checked: [],
});

const checkDocuments = new WeakMap<Map<string, readonly string[]>, Set<string>>();

function count(
  { act, person, recording, facts }: ReviewEvent,
  of: (person: string) => Work,
  authors: Map<string, readonly string[]>,
): void {
  const checks = checkDocuments.get(authors) ?? new Set();
  checkDocuments.set(authors, checks);
  if (act.type === 'begin' && facts.document !== null) {
    of(person).begun.add(facts.document);
    if (facts.check) checks.add(facts.document);
  }
  if (act.type === 'submit') {
    of(person).submitted.add(act.document);
    if (checks.has(act.document)) of(person).checked.push({ recording, document: act.document });
    else authors.set(recording, facts.authors ?? []);
  }
  if (act.type !== 'verdict') return;
  of(person).reviewed++;
  if (act.verdict === 'approve') {
    if (facts.authors) authors.set(recording, facts.authors);
    return;
  }
  of(person).rejected++;
  for (const author of authors.get(recording) ?? []) of(author).returned++;
}

/** Confirmed steps of the documents that somebody wrote in. */
async function countSteps(
  store: Store,
  recordings: ReadonlySet<string>,
  reviews: ReadonlyMap<string, Review>,
  of: (person: string) => Work,
): Promise<void> {
  const now = await documentsNow(store, null, (recording) => reviews.get(recording));
  const rows = await listDocuments(store);
  for (const { id, recording_id } of rows) {
    const document = now.get(id);
    if (!document || !recordings.has(recording_id)) continue;
    for (const author of document.authors) if (!NOBODY.has(author)) of(author).steps += document.done;
  }
}

/** Each rejection by its reason. A verdict repeats the reasons of the items that it sends back: those are counted already. */
async function reasonsOf({ store }: Workspace, recordings: ReadonlySet<string>): Promise<Dashboard['reasons']> {
  const counts = new Map<RejectReason, number>();
  /** By recording: the reasons that items were given since its last verdict. */
  const ofItems = new Map<string, Set<RejectReason>>();
  for (const { recording, text, read } of await eventsOfKinds(store, ['decide', 'verdict'])) {
    await breathe();
    if (!recordings.has(recording) || !text.includes('"reject"')) continue;
    const { act } = read();
    const isReject = (act.type === 'decide' || act.type === 'verdict') && act.verdict === 'reject';
    if (!isReject) continue;
    const given = ofItems.get(recording) ?? new Set();
    const reasons =
      act.type === 'decide' ? [act.reason].filter((one) => one !== null) : act.reasons.filter((one) => !given.has(one));
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    ofItems.set(recording, act.type === 'decide' ? new Set([...given, ...reasons]) : new Set());
  }
  const order = (reason: RejectReason): number => REJECT_REASONS.indexOf(reason);
  return [...counts]
    .map(([reason, total]) => ({ reason, count: total }))
    .toSorted((a, b) => b.count - a.count || order(a.reason) - order(b.reason));
}
