import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { beginAgent } from '../../core/agents/agent.ts';
import type { AgentCommand, Came } from '../../core/agents/machine.ts';
import { AGENTS, type AgentLine, type SimulatedUser } from '../../schemas/agents.ts';
import type { ModelRequest } from '../../schemas/model-requests.ts';
import { PROTOCOLS } from '../../schemas/protocols.ts';
import type { Model } from '../models/model.ts';
import type { ScriptedAnswer } from '../models/model-server-for-tests.ts';
import { runCounts } from './counts.ts';
import { type Ran, STEPS, scriptedRuns } from './driven-for-tests.ts';
import { fakeDisplay } from './fake-display-for-tests.ts';
import { truthful } from './truthful-model-for-tests.ts';

const { runOn, server, close, clean } = scriptedRuns();
afterEach(close);
afterAll(clean);

const pressed = ({ display }: Ran): string[] =>
  display.done.flatMap((act) => (act.do === 'key' && act.down ? [act.key] : []));
const requestsOf = (lines: readonly AgentLine[]) =>
  lines.flatMap((line) => (line.type === 'asked' ? [line.request] : []));

/** What the agent of a log asks when it is given what came then, and what it wants at last. */
function replayed(lines: readonly AgentLine[]): { requests: unknown[]; command: AgentCommand } {
  const begun = lines.find((line) => line.type === 'begun')!;
  const machine = beginAgent(begun.head);
  const requests: unknown[] = [];
  let command: AgentCommand = { do: 'look' };
  const came = (line: AgentLine): Came | null => {
    if (line.type === 'seen') {
      const { sha256, width, height, titles } = line;
      return { came: 'screen', seen: { picture: { sha256, width, height }, titles } };
    }
    if (line.type === 'answered') {
      const { reply, question: said } = line;
      return { came: 'answer', reply, ...(said && { said }) };
    }
    return line.type === 'acted' ? { came: 'acted', problem: line.problem } : null;
  };
  for (const line of lines) {
    if (command.do === 'ask' && line.type === 'asked') requests.push(command.request);
    const next = came(line);
    if (next) command = machine.next(next).command;
  }
  return { requests, command };
}

describe.each(AGENTS)('the agent %s', (agent) => {
  test.each(PROTOCOLS)('with a model that knows the truth does all of it by %s, and says so', async (protocol) => {
    const ran = await runOn(truthful({ steps: STEPS }), { agent, protocol });
    expect(ran.ended.how).toBe('done');
    expect(ran.display.done[0]).toMatchObject({ do: 'click', at: [40, 21], count: 1, button: 'left' });
    expect(pressed(ran).map((key) => key.toLowerCase())).toEqual(['h', 'i', 'ctrl', 's']);
    expect(runCounts(ran.lines, { prices: null })).toMatchObject({ steps: 3, unclear: 0, refused: 0 });
  });

  test('lets a model wait for a screen that is not ready, and does its step afterwards', async () => {
    let waits = 0;
    const late = truthful({ steps: STEPS, waits: (step) => (step === 1 && waits++ < 2 ? 0.001 : 0) });
    const ran = await runOn(late, { agent });
    expect(ran.ended.how).toBe('done');
    expect(ran.display.done[0]).toMatchObject({ do: 'click', at: [40, 21] });
    expect(pressed(ran)).toEqual(['H', 'i', 'ctrl', 's']);
    const did = ran.lines.flatMap((line) => (line.type === 'acted' ? line.what : []));
    expect(did.filter((what) => what === 'wait 1 ms')).toHaveLength(2);
  });

  test('asks the same again when it is replayed from its log without a model', async () => {
    let count = 0;
    const truth = truthful({ steps: STEPS });
    // Something unclear and something refused are in the log, too.
    const odd: ScriptedAnswer[] = [
      { kind: 'answer', text: 'Hm.' },
      { kind: 'answer', text: '```python\nimport os\nimport pyautogui\n```' },
    ];
    const { lines } = await runOn(
      (asked) => (asked.texts[0]!.includes('goal.') && count++ < 2 ? odd[count - 1]! : truth(asked)),
      {
        agent,
      },
    );
    const { requests, command } = replayed(lines);
    expect(JSON.stringify(requests)).toBe(JSON.stringify(requestsOf(lines)));
    expect(command).toMatchObject({ do: 'end', how: 'done' });
  });

  test('a question to the user is answered between two requests, kept, and asked the same again', async () => {
    const user: SimulatedUser = {
      kind: 'slots',
      most: 2,
      seed: 7,
      knows: [{ words: ['room'], value: 'Lab 305', isTold: false }],
    };
    const truth = truthful({ steps: STEPS });
    const { ended, lines } = await runOn(
      (asked) =>
        asked.texts[0]?.includes('Lab 305') ? truth(asked) : { kind: 'answer', text: 'I lack it.\nASK: Which room?' },
      { agent, user },
    );
    expect(ended.how).toBe('done');
    expect(runCounts(lines, { prices: null })).toMatchObject({
      steps: 3,
      unclear: 0,
      questions: [{ question: 'Which room?', kind: 'valid', values: ['Lab 305'] }],
    });
    expect(JSON.stringify(replayed(lines).requests)).toBe(JSON.stringify(requestsOf(lines)));
  });

  test('a model that plays the user is asked with the question alone, and what it says is kept and not asked again', async () => {
    const asks: ModelRequest[] = [];
    const userModel: Model = {
      async ask(request) {
        asks.push(request);
        return { text: 'In Lab 305, of course.', calls: [], raw: null, usage: null };
      },
    };
    const user: SimulatedUser = {
      kind: 'model',
      most: 2,
      seed: 7,
      knows: [{ words: ['room'], value: 'Lab 305', isTold: false }],
      played: { exact: 'Meet in Lab 305.', endpoint: 'http://127.0.0.1/v1', protocol: 'openai', model: 'm' },
    };
    const truth = truthful({ steps: STEPS });
    const { ended, lines } = await runOn(
      (asked) =>
        asked.texts[0]?.includes('of course') ? truth(asked) : { kind: 'answer', text: 'I lack it.\nASK: Which room?' },
      { agent, user },
      { userModel },
    );
    expect([ended.how, asks.length]).toEqual(['done', 1]);
    const question = { question: 'Which room?', answer: 'In Lab 305, of course.', kind: 'valid', values: ['Lab 305'] };
    expect(runCounts(lines, { prices: null })).toMatchObject({ steps: 3, unclear: 0, questions: [question] });
    expect(JSON.stringify(replayed(lines).requests)).toBe(JSON.stringify(requestsOf(lines)));
  });

  test('garbage is told to the model, never done, and ends the run', async () => {
    const ran = await runOn(() => ({ kind: 'answer', text: '' }), { agent });
    expect(ran.ended.how).toBe('lost');
    expect(ran.display.done).toEqual([]);
    expect(server().asked.length).toBe(3);
  });
});

test.each(PROTOCOLS)('a model waits for the screen in the words of %s', async (protocol) => {
  let waits = 0;
  const late = truthful({ steps: STEPS, waits: () => (waits++ === 0 ? 0.001 : 0) });
  const ran = await runOn(late, { agent: 'direct', protocol });
  const did = ran.lines.flatMap((line) => (line.type === 'acted' ? [line.what] : []));
  // OpenAI's tool has no word for how long.
  expect(did[0]).toEqual([protocol === 'responses' ? 'wait 1000 ms' : 'wait 1 ms']);
  expect([ran.ended.how, did.length]).toEqual(['done', 4]);
});

test('a run that ends with an act waits for the screen to rest, so that its checks see what came of it', async () => {
  for (const agent of ['minimal', 'direct'] as const) {
    const { ended, display } = await runOn(truthful({ steps: STEPS }), { agent });
    expect(ended.how).toBe('done');
    expect(display.rested.at(-1)).toBe(display.done.length);
  }
});

test('reflection mends the decision that errs once', async () => {
  const model = () => truthful({ steps: STEPS, errsAt: 1 });
  const mended = await runOn(model(), { agent: 'video-guided' });
  expect([mended.ended.how, pressed(mended)]).toEqual(['done', ['H', 'i', 'ctrl', 's']]);
  const erring = await runOn(model(), { agent: 'direct' });
  expect(pressed(erring).join('')).toBe('wrongctrls');
});

test('a plan that is given helps the model that only lacks plans', async () => {
  const narrations = ['Click the field', 'Type “Hi”', 'Press Ctrl+S'];
  const model = () => truthful({ steps: STEPS, narrations, plansNonsense: true });
  const without = await runOn(model(), { agent: 'minimal' });
  expect(without.display.done).toEqual([]);
  const given = { high: ['Write and save'], mid: [narrations] };
  const withPlan = await runOn(model(), { agent: 'minimal', plan: given });
  expect(pressed(withPlan)).toEqual(['H', 'i', 'ctrl', 's']);
  const high = await runOn(truthful({ steps: STEPS }), { agent: 'minimal', plan: { high: ['A', 'B'], mid: null } });
  expect(
    requestsOf(high.lines)
      .map(({ role }) => role)
      .filter((role) => role !== 'actor'),
  ).toEqual(['planner-mid', 'planner-mid']);
});

test('what is forbidden is not done, logged, and told to the model with the reason', async () => {
  const asks: readonly [ScriptedAnswer, RegExp][] = [
    [
      { kind: 'answer', text: '', acts: [{ do: 'keys', keys: ['ctrl', 'alt', 'f1'] }] },
      /ctrl\+alt\+f1 leave the stage/,
    ],
    [
      { kind: 'answer', text: '```python\nimport subprocess\nsubprocess.run(["ls"])\nimport pyautogui\n```' },
      /it imports "subprocess"/,
    ],
    [{ kind: 'answer', text: '{"name": "bash", "arguments": {"command": "ls"}}' }, /“bash” is not allowed: no program/],
    [
      { kind: 'answer', text: '{"name": "navigate", "arguments": {"url": "http://h"}}' },
      /“navigate” is not allowed: there is no network/,
    ],
  ];
  for (const [answer, why] of asks) {
    const ran = await runOn((_, n) => (n === 0 ? answer : { kind: 'answer', text: 'DONE' }));
    const [first] = ran.lines.filter((line) => line.type === 'answered');
    expect(first?.note).toMatchObject({ kind: 'refused', why: expect.stringMatching(why) });
    expect(ran.display.done).toEqual([]);
    expect(server().asked[1]!.texts.join('\n')).toMatch(why);
    expect(ran.ended).toEqual({ how: 'done', why: '' });
  }
});

describe('limits hold exactly', () => {
  const loops = (): ScriptedAnswer => ({ kind: 'answer', text: 'Again.', acts: [{ do: 'click', x: 5, y: 5 }] });

  test('rounds', async () => {
    const ran = await runOn(loops, { limits: { rounds: 4, timeMs: null, budget: null } });
    expect(ran.ended.how).toBe('rounds');
    expect(server().asked).toHaveLength(4);
  });

  test('money: counted from what the endpoint says, and never gone over', async () => {
    // An answer is 1,000 tokens in and 50 out: 1.05 with these prices.
    const prices = { input: 1000, output: 1000 };
    for (const [budget, requests] of [
      [0, 0],
      [1, 1],
      [2.1, 2],
      [3.1, 2],
      [3.15, 3],
    ] as const) {
      const ran = await runOn(loops, { prices, limits: { rounds: 30, timeMs: null, budget } });
      expect(ran.ended.how).toBe('budget');
      expect(server().asked).toHaveLength(requests);
      expect(runCounts(ran.lines, { prices }).cost).toBeCloseTo(requests * 1.05, 9);
    }
  });

  test('money where the endpoint does not count: the run ends and says so', async () => {
    const prices = { input: 1, output: 1 };
    const ran = await runOn(() => ({ ...loops(), usage: null }) as ScriptedAnswer, {
      prices,
      limits: { rounds: 30, timeMs: null, budget: 9 },
    });
    expect(ran.ended).toMatchObject({ how: 'uncounted' });
    expect(server().asked).toHaveLength(1);
    expect(runCounts(ran.lines, { prices }).tokens.uncounted).toBe(1);
  });

  test('time, also in the middle of a request; and the stop', async () => {
    const deadline = AbortSignal.timeout(150);
    const late = await runOn(
      () => ({ kind: 'silence' }),
      { limits: { rounds: 30, timeMs: 150, budget: null } },
      { deadline },
    );
    expect(late.ended).toEqual({ how: 'time', why: 'the limit of 0.15 s was reached' });
    const control = new AbortController();
    const display = fakeDisplay(() => control.abort());
    const stopped = await runOn(loops, {}, { stop: control.signal, display });
    expect(stopped.ended.how).toBe('stopped');
    expect(display.done).toHaveLength(1);
  });
});

test('an endpoint that fails ends the run, which is kept up to there', async () => {
  const bad: readonly ScriptedAnswer[] = [
    { kind: 'status', status: 500 },
    { kind: 'body', body: '<html>', type: 'text/html' },
    { kind: 'redirect', to: 'http://127.0.0.1:1/' },
    { kind: 'cut', after: 30, text: 'x' },
    { kind: 'endless' },
  ];
  for (const answer of bad) {
    const ran = await runOn((_, n) => (n === 0 ? { kind: 'answer', acts: [{ do: 'type', text: 'a' }] } : answer));
    expect(ran.ended).toMatchObject({ how: 'endpoint', why: expect.stringContaining('gave no usable answer') });
    expect(pressed(ran)).toEqual(['a']);
    expect(ran.lines.at(-1)).toMatchObject({ type: 'ended', how: 'endpoint' });
  }
});

test('pictures lie beside the log by their hash, and no line of it holds their bytes', async () => {
  const { folder, lines } = await runOn(truthful({ steps: STEPS }));
  const seen = lines.filter((line) => line.type === 'seen');
  expect(seen.length).toBeGreaterThan(3);
  for (const { file } of seen) expect(readFileSync(join(folder, file)).subarray(1, 4).toString()).toBe('PNG');
  expect(readFileSync(join(folder, 'agent.jsonl'), 'utf8')).not.toContain('base64');
});
