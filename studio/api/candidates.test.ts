import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { teamOf } from '../documents/review/people-for-tests.ts';
import { type ModelServer, type ScriptedAnswer, startModelServer } from '../models/model-server-for-tests.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { servedWorkspace, type TestServer } from './server-for-tests.ts';

/** Candidates of steps through the API, as the page asks for them. */

let server: TestServer;
let ws: string;
let open: OpenWorkspace;
let models: ModelServer;
const RIGHT: ScriptedAnswer = { kind: 'answer', text: 'pyautogui.click(10, 20)' };
let answering = (): ScriptedAnswer => RIGHT;
servedWorkspace((made) => {
  ({ server, ws, open } = made);
});
beforeAll(async () => {
  models = await startModelServer(() => answering());
  await addRecording(open.workspace, { id: 'made' });
  await open.refresh({ now: true });
});
afterAll(() => models?.close());

type Asked = Parameters<TestServer['client']['candidates']['ask']>[0]['with'];
const ask = (more: Partial<Asked> = {}, recording = 'made') =>
  server.client.candidates.ask({
    ws,
    recording,
    with: {
      protocol: 'openai',
      endpoint: models.url,
      model: 'one',
      judge: null,
      each: 2,
      temperature: 1,
      coordinates: null,
      key: { from: 'none' },
      budget: null,
      prices: null,
      ...more,
    },
  });
const finished = (id: string) => open.jobs.finished(id);

test('are a job, which asks nothing again that was answered, and is begun again by its call', async () => {
  const { id } = await ask();
  expect(await finished(id)).toMatchObject({ kind: 'sample', subject: 'made', state: 'done' });
  expect((await finished(id)).message).toBe('4 candidates of 2 steps.');
  expect(models.asked).toHaveLength(4);
  const list = await server.client.candidates.of({ ws, recording: 'made' });
  expect(list.map(({ number, n, reward }) => [number, n, reward])).toEqual([
    [1, 1, 1],
    [1, 2, 1],
    [2, 1, 1],
    [2, 2, 1],
  ]);
  expect(list[0]).toMatchObject({ did: expect.stringMatching(/^Click/), frame: 0, judged: null, people: null });
  expect((await finished((await ask()).id)).message).toBe('4 candidates of 2 steps.');
  expect(models.asked).toHaveLength(4);
});

test('one that failed is begun again by its call, and goes on with what was answered', async () => {
  let n = 0;
  answering = () => (n++ === 1 ? { kind: 'status', status: 400, body: 'no' } : RIGHT);
  const { id } = await ask({ model: 'shaky' });
  expect(await finished(id)).toMatchObject({ state: 'failed' });
  const again = await server.client.jobs.again({ ws, job: id });
  expect(await finished(again.id)).toMatchObject({ state: 'done', message: '4 candidates of 2 steps.' });
  expect(n).toBe(5);
});

test('a typed key goes to the endpoint alone: such a job cannot be begun again', async () => {
  const { id } = await ask({ key: { from: 'typed', key: 'sk-typed' }, model: 'keyed' });
  expect(await finished(id)).toMatchObject({ state: 'done' });
  expect((await server.client.jobs.get({ ws, job: id })).call).toBeNull();
  expect(models.asked.at(-1)?.headers.authorization).toBe('Bearer sk-typed');
});

describe('refused', () => {
  test.each<[string, Partial<Asked>, RegExp]>([
    ['an address that is none', { endpoint: 'ftp://x' }, /http/],
    ['a budget without prices', { budget: 1 }, /price/],
    [
      'a variable that is not there',
      { key: { from: 'env', variable: 'NO_SUCH_VARIABLE_HERE' } },
      /NO_SUCH_VARIABLE_HERE/,
    ],
  ])('%s', async (_, more, why) => {
    await expect(ask(more)).rejects.toThrow(why);
  });
});

test('of a recording that is somebody’s hidden check they are shown none, and say nothing', async () => {
  const team = teamOf(server, ws);
  const add = async (name: string) => (await server.client.people.add({ ws, name, email: null })).id;
  const [ada, ben, cleo] = [await add('Ada'), await add('Ben'), await add('Cleo')];
  const policy = { replicas: 1, replicaShare: 1, checkShare: 0, seed: 1, reviewAdjudicated: false };
  const setPolicy = (more: object) =>
    server.client.review.setPolicy({ ws, policy: { ...policy, demonstratorMayReview: false, ...more } });
  await setPolicy({});
  await team.annotate(ada, 'made', (at) => `Known ${at}`);
  await team.send(ben, 'made', { type: 'claim' });
  await team.acceptRest(ben, 'made');
  await team.verdict(ben, 'made', 'approve');
  const isCheck = async () =>
    (await server.client.review.queue({ ws, person: cleo })).some(({ recording }) => recording === 'made');
  for (let seed = 1; seed < 500 && !(await isCheck()); seed++) await setPolicy({ checkShare: 0.15, seed });
  expect(await isCheck()).toBe(true);
  const of = (person?: string) => server.client.candidates.of({ ws, recording: 'made', ...(person && { person }) });
  const [first] = await of(ada);
  expect(await of(cleo)).toEqual([]);
  const word = { ws, recording: 'made', candidate: first!.id, right: true };
  await expect(server.client.candidates.say({ ...word, person: cleo })).rejects.toThrow(/blind/);
  await server.client.candidates.say({ ...word, person: ada });
  expect((await of(ada))[0]?.people).toBe(1);
});
