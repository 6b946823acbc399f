import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { confirm, nameElement, setTitle } from '../../../core/annotate/edit.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { addClicks } from '../../documents/clicks-for-tests.ts';
import { type Documents, openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { openReviews, type Reviews } from '../../documents/review/service.ts';
import { carriedTexts } from '../../import/carried.ts';
import { forgetCrop, keepCrop, knownCrops, readFollowers, readVocabulary } from '../crops.ts';
import { documentsOf, documentVersions, listDocuments, readDocumentLog, recordingsWithOwn } from '../documents.ts';
import { addPerson } from '../people.ts';
import { progressOfMain, workFigures } from '../progress.ts';
import {
  listStates,
  recordingFacts,
  recordingState,
  setStateBeforeReview,
  takeRecording,
} from '../recording-states.ts';
import {
  begunAsChecks,
  countBegun,
  countByRecording,
  countEvents,
  countEventsOf,
  documentsForWork,
  eventAt,
  eventsOfKind,
  eventsOfKinds,
  findAnyEvent,
  findEvent,
  hasReview,
  lastEvent,
  lastEvents,
  lengthOfReview,
  readLogs,
  readReviewEvents,
  unseenApproved,
  withMentions,
  workFor,
  workOn,
} from '../review-events.ts';
import {
  countLinesOf,
  findAnyLine,
  findLine,
  linesSince,
  logsOf,
  namesOfWriters,
  nextLabel,
  readHistory,
  touchedSince,
  touchesBetween,
  wholeLog,
  writersIn,
  wroteOutside,
} from '../transactions.ts';
import type { Workspace } from '../workspace.ts';
import { type StoreEngine, workspacesOver } from './engines-for-tests.ts';

/** Documents and their reviews, as the rooms above the store do them. */

const ID = '3f2a9c1e';

type Hands = {
  documents: Documents;
  reviews: Reviews;
  people: string[];
  gesture(person: string, name: string, at: number): Promise<void>;
  send(person: string, act: ReviewAct): Promise<void>;
};

async function handsOf(workspace: Workspace): Promise<Hands> {
  addClicks(workspace, ID);
  await workspace.syncIndex();
  const people: string[] = [];
  for (const name of ['Ada', 'Ben', 'Cleo']) people.push((await addPerson(workspace.store, { name, email: null })).id);
  const documents = openDocuments(workspace, reviewGate());
  const reviews = openReviews(workspace, documents);
  const steps = (await documents.openRecording(ID)).steps.map(({ id }) => id);
  return {
    documents,
    reviews,
    people,
    async gesture(person, name, at) {
      const records = toRecords((await documents.get(ID)).records);
      const changes = nameElement(records, steps[at]!, name, 'hand');
      await documents.apply(ID, { id: randomUUID(), label: `Name ${name}`, changes }, person);
      const named = toRecords((await documents.get(ID)).records);
      const confirmed = confirm(named, steps[at]!, true);
      if (confirmed.length > 0)
        await documents.apply(ID, { id: randomUUID(), label: 'Confirm', changes: confirmed }, person);
    },
    send: async (person, act) => void (await reviews.send(ID, person, randomUUID(), act)),
  };
}

/** Ada annotates, Ben sends it back, Ada mends it, Ben approves it. */
async function wholeStory(hands: Hands): Promise<void> {
  const { documents, people, gesture, send } = hands;
  const [ada, ben] = people as [string, string];
  const version = async (): Promise<number> => (await documents.get(ID)).version;
  for (let at = 0; at < 4; at++) await gesture(ada, at % 2 === 0 ? 'OK' : 'Größe', at);
  await send(ada, { type: 'submit', document: ID, version: await version() });
  await send(ben, { type: 'claim' });
  const { steps } = await documents.openRecording(ID);
  const decide = async (at: number, verdict: 'accept' | 'reject') =>
    send(ben, {
      type: 'decide',
      item: { kind: 'step', action: steps[at]!.id },
      version: await version(),
      verdict,
      reason: verdict === 'reject' ? 'wrong-element' : null,
      comment: verdict === 'reject' ? '@Ada look again, 100% "wrong"' : '',
    });
  for (let at = 0; at < 4; at++) await decide(at, at === 1 ? 'reject' : 'accept');
  await send(ben, {
    type: 'verdict',
    verdict: 'reject',
    version: await version(),
    reasons: ['wrong-element'],
    comment: '',
  });
  await gesture(ada, 'Size', 1);
  await send(ada, { type: 'submit', document: ID, version: await version() });
  await send(ben, { type: 'claim' });
  await decide(1, 'accept');
  await send(ben, { type: 'verdict', verdict: 'approve', version: await version(), reasons: [], comment: '' });
}

/** With ids and times by the order in which they first come. */
function masked(value: unknown): unknown {
  const seen = new Map<string, string>();
  const text = JSON.stringify(value, (_, one) => (one instanceof Map || one instanceof Set ? [...one] : one));
  const plain = text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      const name = seen.get(id) ?? `ID-${seen.size + 1}`;
      seen.set(id, name);
      return name;
    });
  return JSON.parse(plain);
}

/** Everything that the store says of one recording's work. `people` are in the order of their coming. */
async function everything({ store }: Workspace, people: readonly string[]): Promise<unknown> {
  const [ada, ben, cleo] = people as [string, string, string];
  const events = await readReviewEvents(store, ID);
  const lines = await linesSince(store, ID, 0);
  const last = lines.at(-1)!;
  const known = lines[0]!;
  const actions = [...(await readDocumentLog(store, ID))!.records.keys()];
  return {
    document: await readDocumentLog(store, ID),
    versions: await documentVersions(store, [ID, 'none']),
    listed: [await listDocuments(store), await listDocuments(store, [ID]), await documentsOf(store, ID)],
    own: await recordingsWithOwn(store),
    log: await wholeLog(store, ID),
    logs: await logsOf(store, ID),
    line: await findLine(store, known.id),
    any: await findAnyLine(store, [known.id, 'x']),
    count: await countLinesOf(store, ID, [known.id, last.id, 'x']),
    history: [
      await readHistory(store, ID, { limit: 3 }),
      await readHistory(store, ID, { limit: 50, action: actions.find((id) => id.startsWith('label:'))?.slice(6) }),
    ],
    touches: (await touchesBetween(store, ID, 1, 6)).length,
    writers: (await writersIn(store, [ID], 1)).map(({ person }) => person),
    outside: [
      await wroteOutside(store, ID, ada, [{ from: 1, to: null }]),
      await wroteOutside(store, ID, ada, [{ from: 5, to: 6 }]),
      await wroteOutside(store, ID, ben, []),
    ],
    names: await namesOfWriters(store, ID, ['studio']),
    labels: [await nextLabel('undo', store, ID, ada), await nextLabel('redo', store, ID, ada)],
    since: await touchedSince(store, ID, { version: 2, person: ben }),
    progress: [await progressOfMain(store, null), await progressOfMain(store, ID), await workFigures(store, [ID])],
    state: [await recordingState(store, ID), await recordingFacts(store, ID), await listStates(store, 'gimp')],
    taken: [
      await store.transaction((trx) => takeRecording(trx, ID)),
      await store.transaction((trx) => takeRecording(trx, 'nothing')),
    ],
    events,
    kinds: [
      await eventsOfKind(store, ID, 'decide'),
      (await eventsOfKinds(store, ['claim', 'verdict'])).map((e) => e.read()),
    ],
    counts: [
      await countEvents(store, ID, ben),
      await countEvents(store, ID, ben, 3),
      await lengthOfReview(store, ID),
      await countByRecording(store, 'decide'),
      await countBegun(store, ada),
      await countEventsOf(store, ID, [events[0]!.id, 'x']),
    ],
    found: [
      await findEvent(store, events[1]!.id),
      await findAnyEvent(store, [events[1]!.id]),
      await lastEvent(store, ID),
    ],
    at: [await eventAt(store, ID, 2), await eventAt(store, ID, 99), await hasReview(store, ID)],
    reviewed: [await lastEvents(store), await readLogs(store, [ID]), await withMentions(store, [ID])],
    work: [
      await workFor(store, { person: ada, check: null }),
      await workFor(store, { person: cleo, check: ID }),
      await workOn(store, [ID, 'x']),
    ],
    atWork: [
      await documentsForWork(store, { person: ada, check: null }),
      await documentsForWork(store, { person: cleo, check: ID }),
    ],
    approved: [await unseenApproved(store, ada), await unseenApproved(store, cleo), await begunAsChecks(store, cleo)],
    vocabulary: [await readVocabulary(store, 'gimp', null), await readVocabulary(store, 'gimp', cleo)],
    followers: await readFollowers(store, 'gimp', 'OK', null),
    carried: (await carriedTexts({ store }, ID)).map(({ name, text }) => [name, text.length]),
  };
}

/** Gives what the store says at the end, for comparing engines. */
export function workContract(start: () => Promise<StoreEngine>, told: (said: unknown) => void): void {
  let workspace: Workspace;
  workspacesOver(start, (fresh) => {
    workspace = fresh;
  });

  test('a recording is annotated, sent back, mended and approved', async () => {
    const hands = await handsOf(workspace);
    await wholeStory(hands);
    expect((await workspace.getRecording(ID)).state).toBe('approved');
    expect((await hands.reviews.get(ID, hands.people[2]!)).state).toBe('approved');
    told(masked(await everything(workspace, hands.people)));
    await hands.documents.close();
  });

  test('a gesture that came before is answered, one that is refused leaves nothing, undo and redo go on', async () => {
    const { documents, people, gesture } = await handsOf(workspace);
    const [ada] = people as [string];
    await gesture(ada, 'OK', 0);
    const records = toRecords((await documents.get(ID)).records);
    const subtask = [...records.values()].find(({ kind }) => kind === 'subtask')!;
    const titled = { id: randomUUID(), label: 'Title', changes: setTitle(records, subtask.id, 'First') };
    const first = await documents.apply(ID, titled, ada);
    expect(await documents.apply(ID, titled, ada)).toEqual(first);
    const gone = { id: randomUUID(), label: 'Gone', changes: [{ op: 'remove' as const, record: subtask }] };
    await expect(documents.apply(ID, gone, ada)).rejects.toMatchObject({ code: 'CONFLICT' });
    const before = await documents.get(ID);
    await documents.undo(ID, ada);
    await documents.redo(ID, ada);
    const after = await documents.get(ID);
    expect(after.records).toEqual(before.records);
    expect(after.version).toBe(before.version + 2);
    await documents.close();
  });

  test('of two who claim at once one does', async () => {
    const { reviews, documents, people, gesture, send } = await handsOf(workspace);
    const [ada, ben, cleo] = people as [string, string, string];
    for (let at = 0; at < 4; at++) await gesture(ada, 'OK', at);
    await send(ada, { type: 'submit', document: ID, version: (await documents.get(ID)).version });
    const both = [ben, cleo].map((person) => reviews.send(ID, person, randomUUID(), { type: 'claim' }));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await documents.close();
  });

  describe('pixels of named boxes', () => {
    test('are kept, counted and forgotten', async () => {
      const { documents, people, gesture } = await handsOf(workspace);
      await gesture(people[0]!, 'OK', 0);
      const crop = { software_id: 'gimp', name: 'OK', hash: 'ff', quick: 4_294_967_295, width: 3, height: 4 };
      const { store } = workspace;
      for (const action of ['b', 'a', 'c']) await keepCrop(store, { document: ID, action }, crop);
      await keepCrop(store, { document: ID, action: 'c' }, { ...crop, name: 'Abort' });
      const nothing = { document: '', action: '', owner: null };
      const { software_id: _software, ...known } = crop;
      expect(await knownCrops(store, 'gimp', nothing)).toEqual([
        { ...known, name: 'Abort', count: 1 },
        { ...known, count: 2 },
      ]);
      await forgetCrop(store, { document: ID, action: 'c' });
      expect(await knownCrops(store, 'gimp', { ...nothing, document: ID, action: 'a' })).toEqual([
        { ...known, count: 1 },
      ]);
      await setStateBeforeReview(store, ID, 'annotated');
      expect(await recordingState(store, ID)).toBe('annotating');
      await documents.close();
    });
  });
}
