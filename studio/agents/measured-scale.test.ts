import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import { addRun } from '../datasets/run-for-tests.ts';
import { type ModelServer, startModelServer } from '../models/model-server-for-tests.ts';
import { spending } from '../models/spending.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { knownScale, measuredHead } from './measured-scale.ts';
import { redIn } from './red-square-for-tests.ts';

/** A model is asked for known squares once; its runs keep what its places count. */

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const SIZE = { width: 1000, height: 700 };
const asking = { key: null, rate: null, timeoutMs: 2000, tries: 1, backoffMs: 1 };
const signal = new AbortController().signal;

async function measured(budget: number | null = null, model = 'm-1') {
  const prices = { input: 1000, output: 1000 };
  const spent = spending(prices, budget);
  const limits = { rounds: 30, timeMs: null, budget };
  const head = {
    ...agentHeadForTests({ limits, prices, model }),
    endpoint: server!.url,
    protocol: 'openai' as const,
    screen: SIZE,
  };
  const said: string[] = [];
  const known = knownScale(workspace, { head, model: asking, spent, signal, progress: (text) => said.push(text) });
  return { scale: await known.catch((error: Error) => error), said, spent, head };
}

test('one that writes thousandths in code is measured in six requests, paid within the budget, and asked no more', async () => {
  server = await startModelServer(async ({ pictures }) => {
    const [x, y] = await redIn(pictures.at(-1)!);
    return {
      kind: 'answer',
      text: `There.\n\`\`\`python\npyautogui.click(${Math.round(x * 1000)}, ${Math.round(y * 1000)})\n\`\`\``,
    };
  });
  const { scale, said, spent, head } = await measured(10);
  expect(scale).toBe('0-1000');
  expect(said.join()).toContain('6 of 6 known squares were hit, read as 0 to 1000');
  expect(spent.cost).toBeCloseTo(6 * 1.05, 9);
  expect(server.asked).toHaveLength(6);
  await addRun(workspace, { id: 'later', passed: true });
  const file = join(workspace.recordingsDir, 'later', 'agent.json');
  writeFileSync(
    file,
    JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), head: { ...head, coordinates: '0-1000' } }),
  );
  await workspace.syncIndex();
  expect(await measured()).toMatchObject({ scale: '0-1000', said: [expect.stringContaining('as for its run later')] });
  expect(server.asked).toHaveLength(6);
  // Another model is another one.
  await measured(null, 'm-2');
  expect(server.asked).toHaveLength(12);
  // The runs that follow have that much less to spend.
  const wishes = { head: { ...head, model: 'm-3' }, model: asking, signal, progress: () => undefined };
  const then = await measuredHead(workspace, wishes);
  expect(then.coordinates).toBe('0-1000');
  expect(then.limits.budget).toBeCloseTo(10 - 6 * 1.05, 9);
});

test('where it cannot be measured nothing is run, and the reason is said', async () => {
  server = await startModelServer(() => ({ kind: 'answer', text: 'pyautogui.click(500, 350)' }));
  expect((await measured()).scale).toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/no unit fits.*--coordinates/),
  });
  expect((await measured(2)).scale).toMatchObject({ message: expect.stringContaining('over the budget of 2') });
  await server.close();
  server = await startModelServer(() => ({ kind: 'status', status: 500 }));
  expect((await measured()).scale).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('no usable answer'),
  });
});

test('stopped meanwhile, it is stopped, and nothing is said of the model', async () => {
  const stop = new AbortController();
  server = await startModelServer(() => {
    stop.abort(new Error('stopped by hand'));
    return { kind: 'answer', text: 'pyautogui.click(1, 1)' };
  });
  const head = { ...agentHeadForTests({ model: 'm-1' }), endpoint: server.url, protocol: 'openai' as const };
  const wishes = { head, model: asking, signal: stop.signal, progress: () => undefined };
  await expect(measuredHead(workspace, wishes)).rejects.toThrow('stopped by hand');
});
