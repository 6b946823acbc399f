import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameElement } from '../../../core/annotate/edit.ts';
import { project } from '../../../core/review/project.ts';
import type { WorkItem } from '../../../schemas/api/review-models.ts';
import { startTestServer, type TestServer } from '../../api/server-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { readReviewEvents } from '../../store/review-events.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { addClicks } from '../clicks-for-tests.ts';
import { refusal, type Team, teamOf } from './people-for-tests.ts';

const folders = temporaryFolders();
const RECORDINGS = Array.from({ length: 12 }, (_, at) => `rec-${String(at + 1).padStart(2, '0')}`);
let server: TestServer;
let dir: string;
let ws: string;
let team: Team;
let people: string[];

beforeAll(async () => {
  const folder = folders.make();
  dir = join(folder, 'data');
  const made = openWorkspace(dir, { create: true });
  for (const id of RECORDINGS) addClicks(made, id);
  made.close();
  server = await startTestServer(folder);
  ({ id: ws } = await server.client.workspaces.open({ dir, create: false }));
  people = [];
  for (const name of ['Ada', 'Ben', 'Cleo']) people.push((await server.client.people.add({ ws, name })).id);
  team = teamOf(server, ws);
  const policy = { replicas: 2, replicaShare: 0.5, checkShare: 0, seed: 3, reviewAdjudicated: false };
  await server.client.review.setPolicy({ ws, policy: { ...policy, demonstratorMayReview: false } });
});
afterAll(async () => {
  await server?.close();
  folders.clean();
});

const queue = (person: string): Promise<WorkItem[]> => server.client.review.queue({ ws, person });

/** Recordings whose first review finds something wrong. */
const isFlawed = (recording: string): boolean => Number(recording.slice(-2)) % 2 === 0;

type Tally = Record<'annotated' | 'reviewed' | 'rejected' | 'repaired' | 'adjudicated' | 'asked again', number>;

/** Does the first thing of somebody's queue; false when there is nothing. */
async function work(person: string, tally: Tally): Promise<boolean> {
  const [next] = await queue(person);
  if (!next) return false;
  const { kind, recording } = next;
  if (kind === 'annotate') {
    // Ben calls the second element otherwise than the others.
    await team.annotate(person, recording, (at) => (at === 1 && person === people[1] ? 'OK button' : `Button ${at}`));
    tally.annotated++;
  } else if (kind === 'repair') {
    await repair(person, recording);
    tally.repaired++;
  } else {
    await team.send(person, recording, { type: 'claim' });
    if (kind === 'adjudicate') {
      await team.settleAll(person, recording);
      await team.verdict(person, recording, 'approve');
      tally.adjudicated++;
    } else if (await review(person, recording, tally)) tally.reviewed++;
    else tally.rejected++;
  }
  return true;
}

async function review(person: string, recording: string, tally: Tally): Promise<boolean> {
  const { round } = await team.state(person, recording);
  const actions = (await team.steps(recording)).map(({ id }) => id);
  if (isFlawed(recording) && round === 1) {
    await team.decide(person, recording, actions[0]!, 'accept');
    await team.decide(person, recording, actions[2]!, 'reject', 'That is the menu');
    const early = await refusal(team.verdict(person, recording, 'approve'));
    expect(early).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('1 item is rejected') });
    await team.verdict(person, recording, 'reject');
    return false;
  }
  const asked = await team.acceptRest(person, recording);
  if (round > 1) tally['asked again'] += asked;
  await team.verdict(person, recording, 'approve');
  return true;
}

async function repair(person: string, recording: string): Promise<void> {
  const { threads } = await team.state(person, recording);
  const [thread] = threads.filter(({ open }) => open);
  const actions = (await team.steps(recording)).map(({ id }) => id);
  expect(thread).toMatchObject({ item: { kind: 'step', action: actions[2] }, reason: 'wrong-element' });
  await team.send(person, recording, { type: 'begin' });
  const early = await refusal(team.submit(person, recording));
  expect(early).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('1 rejection is neither answered'),
  });
  await team.write(person, recording, (records) => nameElement(records, actions[2]!, 'Edit menu', 'hand'));
  const pin = { action: null, role: null, place: null, t: null };
  await team.send(person, recording, { type: 'comment', thread: thread!.id, pin, text: 'You are right' });
  await team.send(person, recording, { type: 'resolve', thread: thread!.id });
  await team.submit(person, recording);
}

describe('three people work through a data set of twelve recordings by their queues', () => {
  const tally: Tally = { annotated: 0, reviewed: 0, rejected: 0, repaired: 0, adjudicated: 0, 'asked again': 0 };

  test('until everything is approved', { timeout: 120_000 }, async () => {
    for (let turn = 0, idle = 0; idle < people.length; turn++) {
      expect(turn).toBeLessThan(200);
      idle = (await work(people[turn % people.length]!, tally)) ? 0 : idle + 1;
    }
    const rows = await server.client.recordings.list({ ws });
    expect(rows.map(({ state }) => state)).toEqual(RECORDINGS.map(() => 'approved'));
    const replicated = RECORDINGS.length - tally.reviewed;
    expect(replicated).toBeGreaterThan(2);
    expect(tally).toMatchObject({ adjudicated: replicated, annotated: RECORDINGS.length + replicated });
    expect(tally.rejected).toBeGreaterThan(0);
    expect(tally.repaired).toBe(tally.rejected);
    // Three steps a repaired recording: two that nobody had decided, and the one that was changed.
    expect(tally['asked again']).toBe(3 * tally.rejected);
  });

  test('nobody reviewed or adjudicated what they had taken part in', async () => {
    for (const recording of RECORDINGS) {
      const events = await server.client.review.history({ ws, recording, person: people[0]! });
      const authors = new Set(events.flatMap(({ act, facts }) => (act.type === 'submit' ? (facts.authors ?? []) : [])));
      const deciders = events.filter(({ act }) => ['claim', 'decide', 'settle', 'verdict'].includes(act.type));
      expect(deciders.length).toBeGreaterThan(0);
      for (const { person } of deciders) expect(authors).not.toContain(person);
    }
  });

  test('the database alone tells the whole history: each state leads to the next, and to the one that stands', async () => {
    const other = openWorkspace(dir, { create: false });
    for (const recording of RECORDINGS) {
      const events = await readReviewEvents(other.store, recording);
      expect(events.map(({ n }) => n)).toEqual(events.map((_, at) => at + 1));
      expect(events[0]?.facts.from).toBe('recorded');
      for (const [at, { facts }] of events.entries()) {
        expect(facts.to).toBe(events[at + 1]?.facts.from ?? 'approved');
        expect(project(events.slice(0, at + 1)).state).toBe(facts.to);
      }
      expect((await other.getRecording(recording)).state).toBe(project(events).state);
      // Folded all at once or one by one, it is the same.
      const oneByOne = events.reduce((review, event) => project([event], review), project([]));
      expect(oneByOne).toEqual(project(events));
    }
    other.close();
  });

  test('sources of an adjudication stay as they were submitted, and its document begins with what all agree on', async () => {
    for (const recording of RECORDINGS) {
      const state = await team.state(people[2]!, recording);
      const replicas = state.documents.filter(({ person }) => person !== null);
      if (replicas.length === 0) continue;
      for (const { version, submitted } of replicas) expect(version).toBe(submitted);
      const history = await server.client.annotation.history({ ws, recording, person: people[2]!, limit: 1000 });
      expect(history.at(-2)).toMatchObject({ label: 'Begin from what all agree on', person: 'studio' });
    }
  });

  test('rows of the data set have the agreement of those that were annotated twice, the same as the dashboard', async () => {
    const { rows, uncounted } = await server.client.dataset.rows({ ws });
    expect([rows.length, uncounted]).toEqual([12, 0]);
    const { recordings } = await server.client.review.dashboard({ ws });
    const known = new Map(recordings.map(({ recording, agreement }) => [recording, agreement.overall.value]));
    expect(rows.filter(({ agreement }) => agreement !== null)).toHaveLength(tally.adjudicated);
    for (const { recording, agreement } of rows) expect(agreement).toBe(known.get(recording) ?? null);
  });

  test('the dashboard tells of it, as JSON and as CSV', async () => {
    const dashboard = await server.client.review.dashboard({ ws });
    expect(dashboard.states).toMatchObject({ approved: 12, recorded: 0 });
    expect(dashboard.software).toMatchObject([{ id: 'gimp', total: 12 }]);
    const by = Object.fromEntries(dashboard.people.map((one) => [one.name, one]));
    const sum = (count: (one: (typeof dashboard.people)[number]) => number) =>
      dashboard.people.reduce((total, one) => total + count(one), 0);
    expect(sum(({ submitted }) => submitted)).toBe(tally.annotated);
    expect(sum(({ reviewed }) => reviewed)).toBe(tally.reviewed + tally.rejected + tally.adjudicated);
    expect(sum(({ returned }) => returned)).toBe(tally.rejected);
    expect(by.Ada!.medianStepSeconds).not.toBeNull();
    expect(dashboard.recordings).toHaveLength(tally.adjudicated);
    // Only where Ben took part is there a difference.
    const { pairs } = dashboard;
    const ben = pairs.filter((pair) => pair.people.includes(people[1]!));
    expect(ben.length).toBeGreaterThan(0);
    for (const { agreement } of ben) expect(agreement.elementF1.value).toBeLessThan(1);
    expect(dashboard.reasons).toEqual([{ reason: 'wrong-element', count: tally.rejected }]);
    const csv = await server.client.review.dashboardCsv({ ws, table: 'recordings' });
    const lines = csv.split('\r\n');
    expect(lines).toHaveLength(tally.adjudicated + 2);
    expect(lines[0]).toMatch(/^recording,task,software,state,documents,differences,boxIou,boxIou_n,/);
  });
});

describe('what is kept from whom', () => {
  test('while replicas are made nobody sees another one, and each sees their own', async () => {
    const made = (await server.studio.workspaces.get(ws)).workspace;
    addClicks(made, 'blind');
    await made.syncIndex();
    const [ada, ben, cleo] = people as [string, string, string];
    const recording = 'blind';
    await team.send(ada, recording, { type: 'plan', replicas: 2 });
    await team.annotate(ada, recording, (at) => `Ada's ${at}`);
    const hers = `blind~${ada}`;
    await team.send(ben, recording, { type: 'begin' });
    for (const person of [ben, cleo]) {
      expect(await team.state(person, recording)).toMatchObject({ blind: true, decisions: [], threads: [] });
      expect((await team.state(person, recording)).documents.map((one) => one.person)).not.toContain(ada);
      expect((await refusal(team.read(person, recording, hers))).code).toBe('CONFLICT');
      const history = server.client.annotation.history({ ws, recording, document: hers, person });
      expect((await refusal(history)).code).toBe('CONFLICT');
      expect((await refusal(server.client.review.compare({ ws, recording, person }))).code).toBe('CONFLICT');
      expect(await server.client.review.history({ ws, recording, person })).not.toContainEqual(
        expect.objectContaining({ person: ada }),
      );
    }
    // Neither by the names that she gave.
    const names = await server.client.annotation.vocabulary({ ws, software: 'gimp', person: ben });
    expect(names.map(({ name }) => name)).not.toContain("Ada's 0");
    const own = await server.client.annotation.vocabulary({ ws, software: 'gimp', person: ada });
    expect(own.map(({ name }) => name)).toContain("Ada's 0");
    // She may still take hers back, so Ben's is kept from her too.
    expect((await refusal(team.read(ada, recording, `blind~${ben}`))).code).toBe('CONFLICT');
    await team.annotate(ben, recording, (at) => `Ben's ${at}`);
    expect((await team.read(ada, recording, `blind~${ben}`)).version).toBeGreaterThan(1);
    expect((await team.state(ada, recording)).may.withdraw).toContain('Everybody has submitted');
    const { differences, agreement } = await server.client.review.compare({ ws, recording, person: cleo });
    expect(differences.filter(({ kind }) => kind === 'element')).toHaveLength(4);
    expect(agreement.overall.value).toBeLessThan(1);
  });

  test('a hidden check looks like ordinary work, keeps its answer, and is scored', async () => {
    const [ada, ben, cleo] = people as [string, string, string];
    const made = (await server.studio.workspaces.get(ws)).workspace;
    // One that Cleo took no part in.
    addClicks(made, 'known');
    await made.syncIndex();
    await team.send(ada, 'known', { type: 'plan', replicas: 1 });
    await team.annotate(ada, 'known', (at) => `Button ${at}`);
    await team.send(ben, 'known', { type: 'claim' });
    await team.acceptRest(ben, 'known');
    await team.verdict(ben, 'known', 'approve');
    const policy = { replicas: 1, replicaShare: 1, checkShare: 0.15, reviewAdjudicated: false, seed: 1 };
    const set = (seed: number) =>
      server.client.review.setPolicy({ ws, policy: { ...policy, seed, demonstratorMayReview: false } });
    let check: WorkItem | undefined;
    for (let seed = 1; !check && seed < 200; seed++) {
      await set(seed);
      check = (await queue(cleo)).find(({ recording }) => recording === 'known');
    }
    expect(check).toMatchObject({ kind: 'annotate', state: 'recorded', document: null, mine: false });
    expect(await team.state(cleo, 'known')).toMatchObject({ blind: true, state: 'recorded', own: `known~${cleo}` });
    // The main document is the one that a recording begins with, whatever stands in it.
    const beginning = await team.read(cleo, 'known');
    expect([beginning.version, [...beginning.records.values()].some(({ kind }) => kind === 'label')]).toEqual([
      1,
      false,
    ]);
    const seen = await server.client.recordings.list({ ws, person: cleo });
    expect(seen.find(({ id }) => id === 'known')).toMatchObject({ state: 'recorded', steps: 4, done: 0 });
    const begun = await team.send(cleo, 'known', { type: 'begin' });
    expect(begun).toMatchObject({ event: { facts: { check: null } }, state: { state: 'annotating' } });
    await team.annotate(cleo, 'known', (at) => (at === 0 ? 'Something else' : `Button ${at}`));
    expect((await made.getRecording('known')).state).toBe('approved');
    const { people: rows } = await server.client.review.dashboard({ ws });
    const row = rows.find(({ id }) => id === cleo)!;
    expect(row.checks.n).toBe(1);
    expect(row.checks.overall.value).toBeGreaterThan(0.5);
    expect(row.checks.overall.value).toBeLessThan(1);
  });
});

describe('the same act twice (RV14)', () => {
  test('is answered and not done twice; with an id of another recording it is refused', async () => {
    const made = (await server.studio.workspaces.get(ws)).workspace;
    for (const id of ['twice', 'thrice']) addClicks(made, id);
    await made.syncIndex();
    const [ada, ben] = people as [string, string];
    const id = randomUUID();
    const first = await team.send(ada, 'twice', { type: 'begin' }, id);
    expect((await team.send(ada, 'twice', { type: 'begin' }, id)).event).toEqual(first.event);
    expect(await server.client.review.history({ ws, recording: 'twice', person: ada })).toHaveLength(1);
    expect((await refusal(team.send(ada, 'thrice', { type: 'begin' }, id))).code).toBe('USAGE');
    expect((await refusal(team.send(ben, 'twice', { type: 'begin' }, id))).code).toBe('USAGE');
    expect((await refusal(team.send('nobody', 'twice', { type: 'begin' }))).code).toBe('USAGE');
  });
});
