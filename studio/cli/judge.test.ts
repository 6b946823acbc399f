import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { judgeAnswer } from '../../core/agents/judge/judge-for-tests.ts';
import { addRun } from '../datasets/run-for-tests.ts';
import { type ModelServer, startModelServer } from '../models/model-server-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

/** `judge` and `judgements` against a scripted model. */

const folders = temporaryFolders();
const dir = folders.make();
afterAll(folders.clean);
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

beforeAll(async () => {
  const workspace = openWorkspace(dir, { create: true });
  await addRun(workspace, { id: 'a-run', passed: false });
  await workspace.syncIndex();
  await workspace.close();
});

const cli = (...args: string[]) => runHere([...args, '--workspace', dir]);
const begin = async () => {
  server = await startModelServer(({ texts }) => ({ kind: 'answer', text: judgeAnswer(texts, 'failed') }));
  return ['--endpoint', server.url, '--model', 'one,two'];
};

test('what goes to whom is said before the first request, and nothing is sent until somebody agrees', async () => {
  const { status, stderr } = await cli('judge', 'a-run', ...(await begin()), '--json');
  expect(status).not.toBe(0);
  expect(stderr).toMatch(
    /To http:\/\/127\.0\.0\.1:\d+ \(one, two\) go: 2 pictures of the whole screen of 1 recording, .* in at most 16 requests/,
  );
  expect(stderr).toContain('Nothing was sent');
  expect(server!.asked).toEqual([]);
});

test('the verdict, its reasons, and what it is worth: nothing can be said of so few', async () => {
  const asked = await cli('judge', 'a-run', ...(await begin()), '--yes');
  expect(asked).toMatchObject({ status: 0 });
  expect(asked.stdout).toContain('a-run: the judges say: failed');
  expect(asked.stdout).toContain('proves nothing');
  expect(server!.asked).toHaveLength(8);
  const list = await cli('judgements');
  expect(list.stdout).toMatch(/a-run +GIMP_1 +run +failed +one, two x 2 at/);
  expect(list.stdout).toContain('Nothing can be said of what it is worth: that takes 30 labelled recordings, and 0');
  const one = await cli('judgements', 'a-run');
  expect(one.stdout).toMatch(/failed; its log leads to the same[\s\S]*no {2}outcome: The text Hi stands/);
  expect((await cli('runs')).stdout).toMatch(/JUDGES[\s\S]*failed, 2 x 2/);
});

test.each<[string, string[], RegExp]>([
  ['no endpoint', ['judge', 'a-run', '--model', 'm'], /--endpoint is missing/],
  ['no model', ['judge', 'a-run', '--endpoint', 'http://127.0.0.1:9/v1'], /--model is missing/],
  ['an empty model', ['judge', 'a-run', '--endpoint', 'http://127.0.0.1:9/v1', '--model', ' ,'], /one to eight names/],
  ['nothing named', ['judge', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm'], /Name the recordings/],
  [
    'no label',
    ['judge', '--labelled', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm'],
    /Nothing has a label yet/,
  ],
  ['no such run', ['judge', 'zzz', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm'], /zzz/],
  [
    'a budget alone',
    ['judge', 'a-run', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm', '--budget', '1'],
    /needs --price-in/,
  ],
  [
    'four wordings',
    ['judge', 'a-run', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm', '--prompts', '4'],
    /--prompts/,
  ],
])('refused: %s', async (_, args, why) => {
  const { status, stderr } = await cli(...args);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(why);
});

test('an endpoint that is down ends it with a clear error, and the status says so', async () => {
  const line = ['judge', 'a-run', '--endpoint', 'http://127.0.0.1:9/v1', '--model', 'm', '--tries', '1', '--yes'];
  const { status, stdout } = await cli(...line);
  expect(status).toBe(1);
  expect(stdout).toMatch(/a-run: no verdict \(endpoint: http:\/\/127\.0\.0\.1:9 gave no usable answer/);
});
