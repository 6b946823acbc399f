import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { confirm, nameElement, removeSteps } from '../../../core/annotate/edit.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { servedWorkspace, type TestServer } from '../../api/server-for-tests.ts';
import { addClicks } from '../clicks-for-tests.ts';
import { refusal, type Team, teamOf } from './people-for-tests.ts';

/**
 * Everything that is kept from people while they annotate blind, asked of every route that a person can call (RV6, RV12).
 */

let server: TestServer;
let ws: string;
let team: Team;
let [ada, ben, cleo]: [string, string, string] = ['', '', ''];

const POLICY = {
  replicas: 2,
  replicaShare: 1,
  checkShare: 0,
  seed: 1,
  reviewAdjudicated: false,
  demonstratorMayReview: false,
};
const setPolicy = (policy: Partial<typeof POLICY>) =>
  server.client.review.setPolicy({ ws, policy: { ...POLICY, ...policy } });

/** The same clicks under another id, of a task of its own. */
async function add(id: string, task: string): Promise<void> {
  const { workspace } = await server.studio.workspaces.get(ws);
  const file = join(addClicks(workspace, id), 'recording.json');
  const recording = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...recording, task: { ...recording.task, id: task } }));
  await workspace.syncIndex();
}
servedWorkspace((made) => {
  ({ server, ws } = made);
});
beforeAll(async () => {
  team = teamOf(server, ws);
  const people = [];
  for (const name of ['Ada', 'Ben', 'Cleo'])
    people.push((await server.client.people.add({ ws, name, email: null })).id);
  [ada, ben, cleo] = people as [string, string, string];
});

describe('a replica', () => {
  test("is nobody else's to ask proposals of, nor to grow boxes in, before all have submitted", async () => {
    await setPolicy({});
    await add('shared', 'GIMP_1');
    const [step] = await team.steps('shared');
    const own = `shared~${ada}`;
    await team.write(ada, 'shared', (records, [first]) => nameElement(records, first!, 'Ada names it so', 'hand'), own);
    const asked = { ws, recording: 'shared', document: own, action: step!.id };
    const { client } = server;
    for (const person of [ben, undefined]) {
      const who = person === undefined ? {} : { person };
      for (const ask of [
        client.annotation.proposals({ ...asked, ...who }),
        client.annotation.grow({ ...asked, ...who, x: 1, y: 1 }),
        client.annotation.get({ ws, recording: 'shared', document: own, ...who }),
        client.annotation.history({ ws, recording: 'shared', document: own, ...who }),
        client.annotation.watch({ ws, recording: 'shared', document: own, since: 0, ...who }),
      ]) {
        expect(await refusal(ask)).toEqual({ code: 'CONFLICT', message: expect.stringContaining('kept from you') });
      }
    }
    expect(await client.annotation.proposals({ ...asked, person: ada })).toEqual(expect.any(Array));
  });

  test('says nothing of its records when somebody else tries to write in it', async () => {
    const [step] = await team.steps('shared');
    const label = { kind: 'label', id: `label:${step!.id}`, action: step!.id } as const;
    const rest = { elementSource: null, startName: null, endName: null, purpose: null, dragKind: null } as const;
    const record = { ...label, ...rest, element: 'x', narration: null, text: null, confirmed: false, flagged: false };
    const transaction = { id: crypto.randomUUID(), label: 'Guess', changes: [{ op: 'add' as const, record }] };
    const document = `shared~${ada}`;
    const { code, message } = await refusal(
      server.client.annotation.apply({ ws, recording: 'shared', document, transaction, person: ben }),
    );
    expect([code, message]).toEqual(['CONFLICT', expect.stringContaining("another person's own annotation")]);
  });
});

describe('a hidden check', () => {
  /** Everything that Cleo is told of a recording, with what tells it from others taken out. */
  async function told(recording: string, task: string): Promise<unknown> {
    const { client } = server;
    const of = { ws, recording, person: cleo };
    const { own } = await team.state(cleo, recording);
    const [first] = await team.steps(recording);
    const asked = { ...of, action: first!.id };
    const source = { kind: 'filter' as const, filter: { tasks: [task] } };
    const preview = (all: boolean) =>
      client.exports.preview({ ws, person: cleo, wishes: { formats: [{ name: 'videogui' }], source, all } });
    const try_ = async (work: Promise<unknown>) => ({ ...(await refusal(work)) });
    const acts: ReviewAct[] = [
      { type: 'claim' },
      { type: 'release' },
      { type: 'withdraw', document: own ?? '' },
      { type: 'submit', document: own ?? '', version: 99 },
      { type: 'reopen', comment: 'again' },
      { type: 'judge', action: first!.id, grounded: true, error: null, comment: '' },
      { type: 'verdict', verdict: 'approve', version: 1, reasons: [], comment: '' },
      { type: 'settle', difference: 'goal', side: null, transaction: null },
      { type: 'resolve', thread: 'none' },
    ];
    const refused = [];
    for (const act of acts) refused.push(await try_(team.send(cleo, recording, act)));
    const stream = await client.annotation.watch({ ...of, since: 0 });
    const line = await stream.next();
    await stream.return();
    const answers = {
      state: await team.state(cleo, recording),
      history: await client.review.history(of),
      work: (await client.review.queue({ ws, person: cleo })).filter((item) => item.recording === recording),
      main: await client.annotation.get(of),
      mainHistory: await client.annotation.history({ ...of, limit: 50 }),
      mainOfStep: await client.annotation.history({ ...asked, limit: 50 }),
      firstLine: line.value,
      mainProposals: await client.annotation.proposals(asked),
      own: await client.annotation.get({ ...of, document: own ?? '' }),
      ownHistory: await client.annotation.history({ ...of, document: own ?? '', limit: 50 }),
      ownProposals: await client.annotation.proposals({ ...asked, document: own ?? '' }),
      row: (await client.recordings.list({ ws, person: cleo })).find(({ id }) => id === recording),
      opened: (await client.recordings.open(of)).row,
      task: await client.tasks.get({ ws, task, person: cleo }),
      taskRow: (await client.tasks.list({ ws, person: cleo })).find(({ id }) => id === task),
      dataRow: (await client.dataset.rows({ ws, person: cleo })).rows.find((row) => row.recording === recording),
      statistics: await client.dataset.statistics({ ws, person: cleo, source }),
      previews: [await preview(true), await preview(false)],
      refused,
      others: [
        await try_(client.annotation.get({ ...of, document: `${recording}~${ada}` })),
        await try_(client.review.compare(of)),
        await try_(
          team.write(cleo, recording, (records) => removeSteps(records, [first!.id], 'mistake', ''), recording),
        ),
        await try_(client.annotation.undo({ ...of })),
      ],
    };
    const text = JSON.stringify(answers)
      .replaceAll(recording, 'RECORDING')
      .replaceAll(task, 'TASK')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    return JSON.parse(text);
  }

  test('is told from no other blind work by any answer, before it is begun, while it is made, and when it could be submitted', async () => {
    // The known answer: one step removed, the others named; reviewed and approved.
    await setPolicy({ replicas: 1 });
    await add('known', 'GIMP_8');
    await team.write(ada, 'known', (records, [, second]) => removeSteps(records, [second!], 'mistake', 'Slipped'));
    for (const [at, { id }] of (await team.steps('known')).entries()) {
      await team.write(ada, 'known', (records) => nameElement(records, id, `Known ${at}`, 'hand'));
      if (at !== 1) await team.write(ada, 'known', (records) => confirm(records, id, true));
    }
    await team.submit(ada, 'known');
    await team.send(ben, 'known', { type: 'claim' });
    const pin = { action: null, role: null, place: null, t: null };
    await team.send(ben, 'known', { type: 'comment', thread: null, pin, text: 'Good' });
    await team.acceptRest(ben, 'known');
    await team.verdict(ben, 'known', 'approve');
    // The same names stand elsewhere too: what is offered is learnt from there.
    await add('other', 'GIMP_7');
    await team.annotate(ada, 'other', (at) => `Known ${at}`);
    await add('plain', 'GIMP_9');
    for (let seed = 1; seed < 500; seed++) {
      await setPolicy({ checkShare: 0.15, seed });
      const work = await server.client.review.queue({ ws, person: cleo });
      if (work.some(({ recording }) => recording === 'known')) break;
    }
    const both = async () => [await told('known', 'GIMP_8'), await told('plain', 'GIMP_9')] as const;
    const { client } = server;
    const states = async () => (await client.review.dashboard({ ws, person: cleo })).states;

    const [check, plain] = await both();
    expect(check).toEqual(plain);
    expect(JSON.stringify(check)).not.toContain('approved');
    expect(await states()).toMatchObject({ approved: 0 });
    expect((await client.review.dashboard({ ws })).states).toMatchObject({ approved: 1 });
    const csv = await client.review.dashboardCsv({ ws, person: cleo, table: 'software' });
    const source = { kind: 'filter' as const, filter: { state: ['approved' as const] } };
    expect(await client.dataset.statistics({ ws, person: cleo, source })).toMatchObject({ recordings: 0 });
    expect(await client.dataset.statistics({ ws, source })).toMatchObject({ recordings: 1 });
    expect(csv).not.toBe(await client.review.dashboardCsv({ ws, table: 'software' }));

    // The check first: who has begun something else has another turn.
    const answers = [];
    for (const recording of ['known', 'plain']) {
      const { event, state } = await team.send(cleo, recording, { type: 'begin' });
      const { at: _at, id: _id, ...said } = event;
      answers.push(JSON.stringify([said, state]).replaceAll(recording, 'RECORDING').replaceAll(/UUID/g, ''));
    }
    expect(answers[0]).toBe(answers[1]);
    const [begun, plainBegun] = await both();
    expect(begun).toEqual(plainBegun);

    for (const recording of ['known', 'plain']) {
      await team.send(cleo, recording, { type: 'comment', thread: null, pin, text: 'Which button?' });
      for (const { id } of await team.steps(recording)) {
        await team.write(cleo, recording, (records) => confirm(records, id, true), `${recording}~${cleo}`);
      }
    }
    const [done, plainDone] = await both();
    expect(done).toEqual(plainDone);
    expect(await states()).toMatchObject({ approved: 0 });
  });

  test('takes a plan as any other recording does, and stays as it is for everybody else', async () => {
    const before = await team.state(ada, 'known');
    for (const recording of ['known', 'plain']) {
      expect(await refusal(team.send(cleo, recording, { type: 'plan', replicas: 1 }))).toEqual({
        code: 'CONFLICT',
        message: 'Nothing was changed. 1 annotate it blind already, so at least two have to.',
      });
      const { event, state } = await team.send(cleo, recording, { type: 'plan', replicas: 3 });
      expect([event.facts.check, state.replicas]).toEqual([null, 3]);
    }
    const { n: _n, ...after } = await team.state(ada, 'known');
    expect(after).toEqual({ ...before, n: undefined });
    const seen = await server.client.review.history({ ws, recording: 'known', person: ada });
    expect(seen.map(({ act }) => act.type)).not.toContain('plan');
  });

  test('once submitted is what it is, and its score is on the dashboard', async () => {
    await team.submit(cleo, 'known');
    expect(await team.state(cleo, 'known')).toMatchObject({ state: 'approved', blind: false });
    const { people } = await server.client.review.dashboard({ ws });
    expect(people.find(({ id }) => id === cleo)?.checks.n).toBe(1);
  });
});
