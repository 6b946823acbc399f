import { beforeAll, describe, expect, test } from 'vitest';
import { PLAIN_POLICY } from '../../../core/review/model-for-tests.ts';
import { servedWorkspace, type TestServer } from '../../api/server-for-tests.ts';
import { addClicks } from '../clicks-for-tests.ts';
import { refusal, type Team, teamOf } from './people-for-tests.ts';

let server: TestServer;
let ws: string;
let team: Team;
let [mia, ada, ben]: [string, string, string] = ['', '', ''];

const ask = (person: string, more: Partial<Parameters<typeof server.client.review.assign>[0]>) =>
  server.client.review.assign({ ws, person, work: 'annotate', to: [], ...more });
const listed = async (person: string, recording: string) =>
  (await server.client.recordings.list({ ws, person })).find(({ id }) => id === recording)?.assigned;

servedWorkspace((made) => {
  ({ server, ws } = made);
});
beforeAll(async () => {
  team = teamOf(server, ws);
  const people = [];
  for (const name of ['Mia', 'Ada', 'Ben']) people.push((await server.client.people.add({ ws, name, email: null })).id);
  [mia, ada, ben] = people as [string, string, string];
  const { workspace } = await server.studio.workspaces.get(ws);
  for (const id of ['one', 'two', 'three', 'blind']) addClicks(workspace, id);
  await workspace.syncIndex();
});

describe('assigning many', () => {
  test('writes an act for each, shows it in lists and queues, and tells what was so already', async () => {
    const wishes = { recordings: ['one', 'two'], to: ['Ada'], due: '2026-12-05' };
    expect(await ask(mia, wishes)).toEqual({ assigned: ['one', 'two'], unchanged: [], refused: [] });
    expect(await ask(mia, { ...wishes, recordings: ['one'] })).toMatchObject({ assigned: [], unchanged: ['one'] });
    expect((await listed(ben, 'one'))?.annotate).toMatchObject({ people: [ada], due: '2026-12-05', by: mia });
    expect(await listed(ben, 'three')).toBeUndefined();
    const queue = await server.client.review.queue({ ws, person: ada });
    expect(queue.slice(0, 2).map(({ recording, assigned }) => [recording, assigned?.due])).toEqual([
      ['one', '2026-12-05'],
      ['two', '2026-12-05'],
    ]);
    const history = await server.client.review.history({ ws, recording: 'one', person: mia });
    expect(history.map(({ act, person }) => [act.type, person])).toEqual([['assign', mia]]);
    expect(await ask(mia, { tasks: [(await team.state(mia, 'one')) && 'GIMP_1'] })).toMatchObject({ refused: [] });
    expect(await listed(ben, 'one')).toBeUndefined();
  });

  test('tells which of them refuse it and assigns the others', async () => {
    await team.annotate(ben, 'two', () => 'Button');
    const outcome = await ask(mia, { recordings: ['two', 'three'], work: 'review', to: ['ben'] });
    expect(outcome).toEqual({
      assigned: ['three'],
      unchanged: [],
      refused: [{ recording: 'two', why: 'Ben took part in it, and nobody reviews their own work.' }],
    });
  });

  test('refuses people who are nobody here, and recordings that are not here, before anything is assigned', async () => {
    expect((await refusal(ask(mia, { recordings: ['one'], to: ['Zoe'] }))).message).toContain('"Zoe" is nobody');
    expect((await refusal(ask(mia, { recordings: ['one', 'zzz'], to: ['Ada'] }))).code).toBe('UNKNOWN_RECORDING');
    expect((await refusal(ask('me', { recordings: ['one'], to: ['Ada'] }))).code).toBe('USAGE');
    expect(await listed(ben, 'one')).toBeUndefined();
  });

  test('gives blind work to as many as annotate it', async () => {
    await team.send(mia, 'blind', { type: 'plan', replicas: 2 });
    const why = '2 annotate it blind, so it is assigned to 2 at most.';
    expect(await ask(mia, { recordings: ['blind'], to: ['Ada', 'Ben', 'Mia'] })).toMatchObject({ refused: [{ why }] });
    expect(await ask(mia, { recordings: ['blind'], to: ['Ada', 'Ben'] })).toMatchObject({ assigned: ['blind'] });
    expect((await team.state(ada, 'blind')).assigned?.annotate?.people).toEqual([ada, ben]);
  });

  test('is done, as planning and the rules themselves, by managers alone where some are named (RV16)', async () => {
    await server.client.review.setPolicy({ ws, policy: { ...PLAIN_POLICY, managers: ['mia'] } });
    expect((await server.client.review.policy({ ws })).managers).toEqual([mia]);
    const why = 'Mia plans and assigns work here.';
    expect(await ask(ada, { recordings: ['one'], to: ['Ada'] })).toMatchObject({ refused: [{ why }] });
    const plan = await refusal(team.send(ada, 'one', { type: 'plan', replicas: 2 }));
    expect(plan.message).toBe(`Nothing was changed. ${why}`);
    const rules = await refusal(server.client.review.setPolicy({ ws, person: ada, policy: PLAIN_POLICY }));
    expect(rules.message).toBe(`The rules were not changed. ${why}`);
    expect(await ask(mia, { recordings: ['one'], to: ['Ada'] })).toMatchObject({ assigned: ['one'] });
    await server.client.review.setPolicy({ ws, person: 'Mia', policy: PLAIN_POLICY });
    expect(await server.client.review.policy({ ws })).toEqual(PLAIN_POLICY);
  });
});

test('of somebody’s hidden check is seen by them alone, as of a recording that nobody has worked on (RV12)', async () => {
  const recording = 'three';
  await ask(mia, { recordings: [recording], work: 'review', to: [] });
  await team.annotate(ben, recording, () => 'Button');
  await team.send(mia, recording, { type: 'claim' });
  await team.acceptRest(mia, recording);
  await team.verdict(mia, recording, 'approve');
  let seed = 0;
  for (; seed < 400; seed++) {
    await server.client.review.setPolicy({ ws, policy: { ...PLAIN_POLICY, replicas: 2, checkShare: 0.15, seed } });
    const mine = (await server.client.recordings.list({ ws, person: ada })).find(({ id }) => id === recording);
    if (mine?.state === 'recorded') break;
  }
  expect(seed).toBeLessThan(400);
  expect(await ask(ada, { recordings: [recording], to: ['Ben'] })).toMatchObject({ assigned: [recording] });
  expect((await listed(ada, recording))?.annotate?.people).toEqual([ben]);
  expect((await listed(ben, recording))?.annotate ?? null).toBeNull();
  const history = await server.client.review.history({ ws, recording, person: ben });
  expect(history.filter(({ act, person }) => act.type === 'assign' && person === ada)).toEqual([]);
});
