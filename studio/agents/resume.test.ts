import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { AGENTS, type AgentHead, type AgentLine } from '../../schemas/agents.ts';
import { PROTOCOLS } from '../../schemas/protocols.ts';
import type { ModelAsked } from '../models/model-server-for-tests.ts';
import { runCounts } from './counts.ts';
import { type Ran, STEPS, scriptedRuns } from './driven-for-tests.ts';
import { fakeDisplay } from './fake-display-for-tests.ts';
import { replayOf } from './replay.ts';
import { truthful } from './truthful-model-for-tests.ts';

/** Runs that were broken off and are gone on with: each agent, in each protocol, wherever it was killed. */

const { runOn, server, close, clean } = scriptedRuns();
afterEach(close);
afterAll(clean);

const PRICES = { input: 1000, output: 1000 };
/** Of an answer: 1,000 tokens in and 50 out. */
const PRICE = 1.05;

const requestsOf = (lines: readonly AgentLine[]) =>
  lines.flatMap((line) => (line.type === 'asked' ? [line.request] : []));
const answersOf = (lines: readonly AgentLine[]) => lines.filter((line) => line.type === 'answered');

type Whole = Ran & { asked: readonly ModelAsked[] };
async function whole(more: Partial<AgentHead>): Promise<Whole> {
  const ran = await runOn(truthful({ steps: STEPS }), { prices: PRICES, ...more });
  return { ...ran, asked: [...server().asked] };
}

/** A model that has answered these before: the scripted one counts what it was asked. */
function toldBefore(asked: readonly ModelAsked[]) {
  const truth = truthful({ steps: STEPS });
  for (const one of asked) truth(one);
  return truth;
}

/** Goes on with the log as a kill leaves it, after so many lines. */
async function goOn(first: Whole, count: number, more: Partial<AgentHead>) {
  const before = first.lines.slice(0, count);
  const paid = answersOf(before).length;
  const replay = replayOf(first.folder, before);
  const head = { prices: PRICES, ...more, resumes: 'run-1' };
  return { paid, ...(await runOn(toldBefore(first.asked.slice(0, paid)), head, { replay })) };
}

/** So many kills, spread over the lines of the log. */
const KILLS = 20;
function killsIn({ length }: readonly AgentLine[]): number[] {
  const last = length - 1;
  return [...new Set(Array.from({ length: KILLS }, (_, n) => 1 + Math.round((n * (last - 1)) / (KILLS - 1))))];
}

describe.each(AGENTS)('the agent %s', (agent) => {
  test.each(PROTOCOLS)(
    'is gone on with by %s, wherever it was killed: nothing is paid or done twice, and it comes to the same',
    { timeout: 120_000 },
    async (protocol) => {
      const first = await whole({ agent, protocol });
      expect(first.ended.how).toBe('done');
      for (const count of killsIn(first.lines)) {
        const again = await goOn(first, count, { agent, protocol });
        expect({ count, how: again.ended.how }).toEqual({ count, how: 'done' });
        expect(server().asked).toHaveLength(first.asked.length - again.paid);
        expect(again.display.done).toEqual(first.display.done);
        expect(requestsOf(again.lines)).toEqual(requestsOf(first.lines));
        expect(answersOf(again.lines).filter(({ replayed }) => replayed)).toHaveLength(again.paid);
      }
    },
  );

  test('keeps its limits exactly over all of its parts', { timeout: 60_000 }, async () => {
    const first = await whole({ agent });
    const paid = 2;
    const count = first.lines.findIndex((line) => line.type === 'asked' && line.n === paid + 1) + 1;
    const limits = { rounds: 30, timeMs: null, budget: null };
    const rounds = await goOn(first, count, { agent, limits: { ...limits, rounds: 3 } });
    expect([rounds.ended.how, server().asked.length]).toEqual(['rounds', 1]);
    const none = await goOn(first, count, { agent, limits: { ...limits, rounds: paid } });
    expect([none.ended.how, server().asked.length]).toEqual(['rounds', 0]);
    const budget = await goOn(first, count, { agent, limits: { ...limits, budget: 3 * PRICE } });
    expect([budget.ended.how, server().asked.length]).toEqual(['budget', 1]);
    expect(runCounts(budget.lines, { prices: PRICES }).cost).toBeCloseTo(3 * PRICE, 9);
    const spent = await goOn(first, count, { agent, limits: { ...limits, budget: paid * PRICE } });
    expect([spent.ended.how, server().asked.length]).toEqual(['budget', 0]);
  });
});

test('on a screen that is another one it ends, unpaid, and says where', { timeout: 30_000 }, async () => {
  const first = await whole({});
  const replay = replayOf(first.folder, first.lines);
  const display = fakeDisplay();
  display.done.push({ do: 'wait', ms: 1 });
  const again = await runOn(truthful({ steps: STEPS }), { resumes: 'run-1' }, { replay, display });
  expect(again.ended).toMatchObject({ how: 'failed', why: expect.stringContaining('is not what it was then') });
  expect(server().asked).toEqual([]);
});
