import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeAnswer } from '../../core/agents/judge/judge-for-tests.ts';
import { addRun } from '../datasets/run-for-tests.ts';
import { type ModelServer, startModelServer } from '../models/model-server-for-tests.ts';
import type { OpenWorkspace } from '../session/open-workspace.ts';
import { servedWorkspace, type TestServer } from './server-for-tests.ts';

let server: TestServer;
let ws: string;
let open: OpenWorkspace;
let models: ModelServer;
let down = false;
servedWorkspace((made) => {
  ({ server, ws, open } = made);
});
beforeAll(async () => {
  models = await startModelServer(({ texts }) =>
    down
      ? { kind: 'status', status: 400, body: 'no such model' }
      : { kind: 'answer', text: judgeAnswer(texts, 'failed') },
  );
  for (const id of ['a-run', 'b-run']) await addRun(open.workspace, { id, passed: false });
  await open.refresh({ now: true });
});
afterAll(() => models?.close());

type AskedJudges = Parameters<TestServer['client']['judges']['ask']>[0]['with'];
const panel = (more: Partial<AskedJudges> = {}): AskedJudges => ({
  protocol: 'openai',
  endpoint: models.url,
  models: ['one'],
  prompts: 1,
  pictures: 10,
  key: { from: 'none' },
  budget: null,
  prices: null,
  ...more,
});
const ask = (recordings: string[], more: Partial<AskedJudges> = {}) =>
  server.client.judges.ask({ ws, recordings, labelled: false, with: panel(more) });

describe('judges asked in the page', () => {
  test('judge each recording as a job, and what was answered before is not asked again', async () => {
    const { id } = await ask(['a-run', 'b-run']);
    const job = await open.jobs.finished(id);
    expect(job).toMatchObject({ kind: 'ask-judges', subject: '2 recordings', state: 'done' });
    expect(job.message).toBe('2 of 2 recordings judged: 0 succeeded, 2 failed, 0 unsure.');
    expect(models.asked).toHaveLength(4);
    expect(await server.client.judges.of({ ws, recording: 'b-run' })).toMatchObject([{ verdict: 'failed', own: true }]);
    await open.jobs.finished((await ask(['b-run'])).id);
    expect(models.asked).toHaveLength(4);
  });

  test('a typed key goes to the endpoint alone: such a job cannot be begun again', async () => {
    const { id } = await ask(['a-run'], { models: ['keyed'], key: { from: 'typed', key: 'sk-typed' } });
    expect(await open.jobs.finished(id)).toMatchObject({ state: 'done' });
    expect((await server.client.jobs.list({ ws })).find((job) => job.id === id)?.again ?? false).toBe(false);
    expect((await server.client.jobs.get({ ws, job: id })).call).toBeNull();
  });

  test('an endpoint that fails is said, with what was judged until then; it can be begun again', async () => {
    down = true;
    const { id } = await ask(['a-run', 'b-run'], { models: ['two'] });
    expect(await open.jobs.finished(id)).toMatchObject({ state: 'failed', error: { code: 'ENDPOINT_FAILED' } });
    down = false;
    const again = await server.client.jobs.again({ ws, job: id });
    expect(await open.jobs.finished(again.id)).toMatchObject({ state: 'done' });
  });

  test('is refused at once where it cannot begin', async () => {
    await expect(ask([])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(ask(['a-run'], { budget: 1 })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(ask(['a-run'], { endpoint: 'file:///etc/passwd' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(ask(['none'])).rejects.toMatchObject({ code: 'UNKNOWN_RECORDING' });
    const key = { from: 'env', variable: 'NO_SUCH_KEY_HERE' } as const;
    await expect(ask(['a-run'], { key })).rejects.toMatchObject({ code: 'USAGE' });
    expect(await server.client.judges.labelled({ ws })).toEqual({ n: 0 });
    const labelled = server.client.judges.ask({ ws, recordings: [], labelled: true, with: panel() });
    await expect(labelled).rejects.toMatchObject({ code: 'USAGE' });
  });
});
