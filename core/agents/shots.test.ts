import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentHead, AgentShot } from '../../schemas/agents.ts';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import type { ModelPart, ModelRequest } from '../../schemas/model-requests.ts';
import { SCALES } from '../../schemas/scales.ts';
import { taskWith } from '../export/tasks-for-tests.ts';
import { beginAgent } from './agent.ts';
import type { AgentCommand, Came } from './machine.ts';
import { wantedOf } from './reading.ts';
import { shotOf, shotParts } from './shots.ts';

/** Demonstrations that an agent is shown before its task. */

const hash = (n: number): string => String(n).padStart(64, '0');
const shotFor = (task: ReturnType<typeof taskWith>): AgentShot => {
  const { steps, ...shot } = shotOf(task);
  const pictured = steps.map((step, n) => ({
    ...step,
    picture: step.picture && { sha256: hash(1000 + n), width: step.picture.width, height: step.picture.height },
  }));
  return { ...shot, steps: pictured };
};
const SHOT = shotFor(
  taskWith([[{ at: [30, 40] }, { kind: 'type', text: 'Hi' }], [{ kind: 'press', keys: ['ctrl', 's'] }]]),
);
const screen = (n: number): Came => ({
  came: 'screen',
  seen: { picture: { sha256: hash(n), width: 100, height: 70 }, titles: [] },
});
const answer = (text: string): Came => ({ came: 'answer', reply: { text, calls: [], raw: text, usage: null } });
const CLICK = 'I click.\n```python\npyautogui.click(1, 2)\n```';
const DONE: Came = { came: 'acted', problem: null };

function requestsOf(more: Partial<AgentHead>, ...came: Came[]): ModelRequest[] {
  const agent = beginAgent(agentHeadForTests({ shots: [SHOT], ...more }));
  const commands: AgentCommand[] = came.map((one) => agent.next(one).command);
  return commands.flatMap((command) => (command.do === 'ask' ? [command.request] : []));
}
const partsOf = ({ turns }: ModelRequest): ModelPart[] =>
  turns.flatMap((turn) => (turn.by === 'model' ? [] : turn.parts));
const picturesIn = (request: ModelRequest): string[] =>
  partsOf(request).flatMap((part) => ('picture' in part ? [part.picture.sha256] : []));
const SHOWN = [hash(1000), hash(1001), hash(1002)];

test('each screen stands before its step, in words and code, and a step that only waits is none', () => {
  const task = taskWith([
    [
      { at: [30, 40], narration: 'Click the box' },
      { kind: 'wait' },
      { kind: 'type', withheld: { reason: 'password' } as never, text: null as never, narration: '' },
    ],
  ]);
  const parts = shotParts(agentHeadForTests({ shots: [shotFor(task)] }));
  expect(parts.slice(1)).toEqual([
    { text: 'Demonstration 1, in PowerPoint. Its goal: "Make a slide"' },
    { picture: { sha256: hash(1000), width: 100, height: 50 } },
    { text: 'Step 1: Click the box\n```python\npyautogui.click(x=30, y=40)\n```' },
    { picture: { sha256: hash(1001), width: 100, height: 50 } },
    { text: 'Step 2: not described\nWhat was done is not shown.' },
    { text: 'Demonstration 1 ends here.' },
    { text: 'Now your own task.' },
  ]);
  expect(shotParts(agentHeadForTests({}))).toEqual([]);
});

test('law: code in the unit that the model counts in is read as the place that was pressed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 49 }),
      fc.constantFrom(...SCALES),
      (x, y, unit) => {
        const parts = shotParts(
          agentHeadForTests({ shots: [shotFor(taskWith([[{ at: [x, y] }]]))], coordinates: unit }),
        );
        const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
        const raw = /```python\n[^`]*```/.exec(text)?.[0] ?? '';
        const wanted = wantedOf(
          { text: raw, calls: [], raw, usage: null },
          { screen: { width: 100, height: 50 }, coordinates: unit, held: [] },
        );
        expect(wanted).toMatchObject({ kind: 'acts' });
        const [act] = wanted.kind === 'acts' ? (wanted.steps[0]?.acts ?? []) : [];
        if (act?.do !== 'click' || !act.at) throw new Error(`no click: ${raw}`);
        // A hundredth of 100 x 50 is half a pixel of its height.
        expect(Math.abs(act.at[0] - x)).toBeLessThanOrEqual(1);
        expect(Math.abs(act.at[1] - y)).toBeLessThanOrEqual(1);
      },
    ),
  );
});

describe('every request of who acts shows them, whole, however many screens were left out', () => {
  test('direct', () => {
    const round = (n: number): Came[] => [screen(n), answer(CLICK), DONE];
    const requests = requestsOf({}, ...[1, 2, 3, 4, 5].flatMap(round), screen(6));
    expect(requests).toHaveLength(6);
    for (const request of requests) expect(picturesIn(request).slice(0, 3)).toEqual(SHOWN);
    // The three newest screens behind them.
    expect(picturesIn(requests.at(-1)!).slice(3)).toEqual([hash(4), hash(5), hash(6)]);
  });

  test('minimal’s actor, and not its planner', () => {
    const plan = { high: ['Do it'], mid: [['One', 'Two']] };
    const [first, second] = requestsOf({ agent: 'minimal', plan }, screen(1), answer(CLICK), DONE, screen(2));
    expect([picturesIn(first!).slice(0, 3), picturesIn(second!).slice(0, 3)]).toEqual([SHOWN, SHOWN]);
    const [planner] = requestsOf({ agent: 'minimal' }, screen(1));
    expect(picturesIn(planner!)).toEqual([hash(1)]);
  });

  test.each([
    ['planner-actor', [screen(1), answer('Open it'), screen(2)]],
    ['hierarchical', [screen(1), answer('1. Open it'), screen(2), answer('Open it'), screen(3)]],
  ] as const)('the actor of %s', (agent, came) => {
    expect(picturesIn(requestsOf({ agent }, ...came).at(-1)!).slice(0, 3)).toEqual(SHOWN);
  });
});
