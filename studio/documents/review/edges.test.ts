import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REVIEW_VERBS, type ReviewVerb } from '../../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { startTestServer, type TestServer } from '../../api/server-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { addClicks } from '../clicks-for-tests.ts';
import { refusal, type Team, teamOf } from './people-for-tests.ts';

/** Every state, verb and role: what is allowed is here, everything else must be refused and change nothing. */

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let team: Team;
let author: string;
let reviewer: string;
let stranger: string;

const SINGLE = ['recorded', 'annotating', 'annotated', 'in-review', 'rejected', 'approved'] as const;
type State = (typeof SINGLE)[number];
type Role = 'author' | 'reviewer' | 'stranger';

const EVERYBODY: readonly Role[] = ['author', 'reviewer', 'stranger'];

/** `comment` and `judge` are everybody's in every state, so they are not listed. */
const ALLOWED: Readonly<Record<State, Partial<Record<ReviewVerb, readonly Role[]>>>> = {
  recorded: { plan: EVERYBODY, assign: EVERYBODY, begin: EVERYBODY },
  annotating: { submit: ['author'], assign: EVERYBODY },
  annotated: { withdraw: ['author'], claim: ['reviewer', 'stranger'], assign: EVERYBODY },
  'in-review': {
    release: ['reviewer'],
    decide: ['reviewer'],
    approve: ['reviewer'],
    reject: ['reviewer'],
    assign: EVERYBODY,
  },
  // Somebody else may take the repair over: they become an author by it.
  rejected: { begin: EVERYBODY, assign: EVERYBODY },
  approved: { reopen: EVERYBODY },
};

beforeAll(async () => {
  const folder = folders.make();
  const dir = join(folder, 'data');
  const made = openWorkspace(dir, { create: true });
  for (const state of SINGLE) for (const verb of REVIEW_VERBS) addClicks(made, `${state}.${verb}`);
  made.close();
  server = await startTestServer(folder);
  ({ id: ws } = await server.client.workspaces.open({ dir, create: false }));
  author = (await server.client.people.add({ ws, name: 'Author' })).id;
  reviewer = (await server.client.people.add({ ws, name: 'Reviewer' })).id;
  stranger = (await server.client.people.add({ ws, name: 'Stranger' })).id;
  team = teamOf(server, ws);
});
afterAll(async () => {
  await server?.close();
  folders.clean();
});

/** Leads a recording to a state, the way that leads there. */
async function lead(recording: string, state: State): Promise<void> {
  if (state === 'recorded') return;
  const actions = (await team.steps(recording)).map(({ id }) => id);
  if (state === 'annotating') {
    await team.annotate(author, recording, () => 'Button');
    await team.send(author, recording, { type: 'withdraw', document: recording });
    return;
  }
  await team.annotate(author, recording, () => 'Button');
  if (state === 'annotated') return;
  await team.send(reviewer, recording, { type: 'claim' });
  if (state === 'rejected') {
    await team.decide(reviewer, recording, actions[0]!, 'reject');
    await team.verdict(reviewer, recording, 'reject');
    return;
  }
  // One is rejected, so that the whole can be; what is approved has none.
  await team.acceptRest(reviewer, recording);
  if (state === 'approved') await team.verdict(reviewer, recording, 'approve');
}

async function actOf(verb: ReviewVerb, recording: string): Promise<ReviewAct> {
  const { version } = await team.read(author, recording);
  const action = (await team.steps(recording))[0]!.id;
  const comment = 'Because';
  switch (verb) {
    case 'plan':
      return { type: 'plan', replicas: 1 };
    case 'assign':
      return { type: 'assign', work: 'annotate', to: [], due: null };
    case 'begin':
    case 'claim':
    case 'release':
      return { type: verb };
    case 'submit':
      return { type: 'submit', document: recording, version };
    case 'withdraw':
      return { type: 'withdraw', document: recording };
    case 'decide':
      return {
        type: 'decide',
        item: { kind: 'step', action },
        version,
        verdict: 'accept',
        reason: null,
        comment: '',
      };
    case 'comment':
      return { type: 'comment', thread: null, pin: { action, role: null, place: null, t: null }, text: comment };
    case 'settle':
      return { type: 'settle', difference: `element:${action}`, side: null, transaction: null };
    case 'approve':
    case 'reject':
      return { type: 'verdict', verdict: verb, version, reasons: ['unclear'], comment };
    case 'reopen':
      return { type: 'reopen', comment };
    case 'judge':
      return { type: 'judge', action, grounded: true, error: null, comment: '' };
  }
}

describe.each(SINGLE)('of a recording that is %s', (state) => {
  const ROLES: readonly Role[] = ['author', 'stranger', 'reviewer'];
  test.each(REVIEW_VERBS)('%s is done by whom it is for, and refused to everybody else (RV1, RV7)', async (verb) => {
    const recording = `${state}.${verb}`;
    await lead(recording, state);
    const ids = { author, reviewer, stranger };
    const allowed = verb === 'comment' || verb === 'judge' ? ROLES : (ALLOWED[state][verb] ?? []);
    const act = await actOf(verb, recording);
    for (const role of ROLES) {
      const before = await team.state(ids[role], recording);
      expect([role, before.may[verb] === null]).toEqual([role, allowed.includes(role)]);
      if (allowed.includes(role)) continue;
      const { code, message } = await refusal(team.send(ids[role], recording, act));
      expect([role, code]).toEqual([role, 'CONFLICT']);
      expect(message).toBe(`Nothing was changed. ${before.may[verb]}`);
      expect(await team.state(ids[role], recording)).toEqual(before);
    }
    const [doer] = ROLES.filter((role) => allowed.includes(role));
    if (doer) expect((await refusal(team.send(ids[doer], recording, act))).code).toBe('DONE');
    expect((await refusal(team.send('me', recording, act))).code).toBe('USAGE');
  });
});

test('of two who take a recording up at once one has it, and the other is told who', async () => {
  const made = (await server.studio.workspaces.get(ws)).workspace;
  addClicks(made, 'raced');
  await made.syncIndex();
  await lead('raced', 'annotated');
  const answers = await Promise.all(
    [reviewer, stranger].map((person) => refusal(team.send(person, 'raced', { type: 'claim' }))),
  );
  expect(answers.map(({ code }) => code).toSorted()).toEqual(['CONFLICT', 'DONE']);
  expect(answers.find(({ code }) => code === 'CONFLICT')?.message).toMatch(/(Reviewer|Stranger) is reviewing it/);
});

describe('what an act speaks of', () => {
  test('must be there, and be looked at as it is now', async () => {
    const made = (await server.studio.workspaces.get(ws)).workspace;
    addClicks(made, 'acts');
    await made.syncIndex();
    await lead('acts', 'in-review');
    const { version } = await team.read(reviewer, 'acts');
    const decide = {
      type: 'decide',
      item: { kind: 'step', action: 'none' },
      version,
      verdict: 'accept',
      reason: null,
      comment: '',
    } as const;
    const pin = { action: null, role: null, place: null, t: null };
    const bare: ReviewAct = { type: 'verdict', verdict: 'reject', version, reasons: [], comment: '' };
    const [first] = await team.steps('acts');
    const wrong: [ReviewAct, string, string][] = [
      [decide, 'USAGE', 'no step "none"'],
      [{ ...decide, item: { kind: 'edge', subtask: first!.id }, version: version + 1 }, 'USAGE', 'no version'],
      [{ ...decide, item: { kind: 'goal' }, verdict: 'reject' }, 'USAGE', 'needs a reason'],
      [{ type: 'comment', thread: 'none', pin, text: 'x' }, 'USAGE', 'no comment "none"'],
      [{ type: 'comment', thread: null, pin: { ...pin, action: 'none' }, text: 'x' }, 'UNKNOWN_STEP', '"none"'],
      [{ type: 'resolve', thread: 'none' }, 'USAGE', 'no comment'],
      [{ ...bare, version: version - 1 }, 'CONFLICT', 'changed since you looked'],
      [bare, 'USAGE', 'Say what is wrong'],
      [
        {
          type: 'judge',
          action: first!.id,
          grounded: null,
          error: { kind: 'planning', execution: 'knowledge', recoverable: false },
          comment: '',
        },
        'USAGE',
        'An execution error says which',
      ],
    ];
    const before = await team.state(reviewer, 'acts');
    for (const [act, code, message] of wrong) {
      const answer = await refusal(team.send(reviewer, 'acts', act));
      expect([act.type, answer]).toEqual([act.type, { code, message: expect.stringContaining(message) }]);
    }
    expect(await team.state(reviewer, 'acts')).toEqual(before);
  });

  test("is another document only when it is a known person's", async () => {
    const asked = [`recorded.plan~nobody`, 'approved.plan', '../x'].map((document) =>
      refusal(server.client.annotation.get({ ws, recording: 'recorded.plan', document, person: author })),
    );
    for (const { code } of await Promise.all(asked)) expect(['USAGE', 'CONFLICT']).toContain(code);
    const write = team.write(author, 'recorded.plan', () => [], 'recorded.plan~nobody');
    expect((await refusal(write)).code).not.toBe('DONE');
    const { store } = (await server.studio.workspaces.get(ws)).workspace;
    const rows = await sqlOf(store).selectFrom('documents').select('id').where('person', 'is not', null).execute();
    expect(rows).toEqual([]);
  });
});

describe('gestures on the document (RV5)', () => {
  test.each([
    ['recorded', ['author', 'reviewer', 'stranger']],
    ['annotating', ['author', 'reviewer', 'stranger']],
    ['annotated', []],
    ['in-review', ['reviewer']],
    ['rejected', ['author', 'reviewer', 'stranger']],
    ['approved', []],
  ] as const)('of one that is %s are taken from %j alone', async (state, roles: readonly Role[]) => {
    const made = (await server.studio.workspaces.get(ws)).workspace;
    for (const role of ['author', 'reviewer', 'stranger'] as const) {
      const recording = `write.${state}.${role}`;
      addClicks(made, recording);
      await made.syncIndex();
      await lead(recording, state);
      const person = { author, reviewer, stranger }[role];
      const write = team.write(person, recording, (records) => {
        const before = records.get('goal');
        if (before?.kind !== 'goal') throw new Error('no goal');
        return [{ op: 'change', before, after: { ...before, text: `By ${role}` } }];
      });
      const { code } = await refusal(write);
      expect([role, code]).toEqual([role, roles.includes(role) ? 'DONE' : 'CONFLICT']);
      const begins = state === 'recorded' || state === 'rejected';
      const after = (await made.getRecording(recording)).state;
      expect(after).toBe(begins ? 'annotating' : state);
    }
  });

  test('of a reviewer in their claim do not make them an author; others of theirs do', async () => {
    const made = (await server.studio.workspaces.get(ws)).workspace;
    addClicks(made, 'fixed');
    await made.syncIndex();
    await lead('fixed', 'in-review');
    const change = (text: string) =>
      team.write(reviewer, 'fixed', (records) => {
        const before = records.get('goal');
        if (before?.kind !== 'goal') throw new Error('no goal');
        return [{ op: 'change', before, after: { ...before, text } }];
      });
    await change('Put right');
    await team.send(reviewer, 'fixed', { type: 'release' });
    expect((await team.state(reviewer, 'fixed')).may.claim).toBeNull();
    await team.send(author, 'fixed', { type: 'withdraw', document: 'fixed' });
    await change('Written as an annotator');
    await team.submit(author, 'fixed');
    expect((await team.state(reviewer, 'fixed')).may.claim).toContain('nobody reviews their own work');
    expect((await team.state(reviewer, 'fixed')).documents[0]?.authors).toEqual([author, reviewer].toSorted());
  });
});
