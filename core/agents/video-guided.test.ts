import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentVideo } from '../../schemas/agents.ts';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import type { ModelRequest } from '../../schemas/model-requests.ts';
import { beginAgent } from './agent.ts';
import type { AgentCommand, Came } from './machine.ts';
import { windowOf } from './video-guided.ts';

/** Mobile-Agent-V's algorithm 1, a test for each of its lines. */

const hash = (n: number): string => String(n).padStart(64, '0');
const film = (more: Partial<AgentVideo> = {}): AgentVideo => {
  const frames = more.frames ?? 6;
  const windows = Array.from({ length: frames }, (_, n) => ({ sha256: hash(1000 + n + 1), width: 4, height: 2 }));
  return { recording: 'r', task: 'Task of the film', frames, window: 4, reflects: true, windows, ...more };
};
const click = (x: number): string => `I click.\n\`\`\`python\npyautogui.click(${x}, 2)\n\`\`\``;
const screen = (n: number): Came => ({
  came: 'screen',
  seen: { picture: { sha256: hash(n), width: 100, height: 70 }, titles: [`Screen ${n}`] },
});
const answer = (text: string): Came => ({ came: 'answer', reply: { text, calls: [], raw: text, usage: null } });
const DONE: Came = { came: 'acted', problem: null };

/** The agent after all of these came, and every command that it gave. */
function commandsAfter(video: AgentVideo, ...came: Came[]): AgentCommand[] {
  const agent = beginAgent(agentHeadForTests({ agent: 'video-guided', video, goal: 'Goal of the user' }));
  return came.map((one) => agent.next(one).command);
}
const requestIn = (command: AgentCommand | undefined): ModelRequest => {
  if (command?.do !== 'ask') throw new Error(`asks nothing: ${command?.do}`);
  return command.request;
};
const partsOf = (request: ModelRequest) => request.turns.flatMap((turn) => (turn.by === 'user' ? turn.parts : []));
const textOf = (request: ModelRequest): string =>
  partsOf(request)
    .flatMap((part) => ('text' in part ? [part.text] : []))
    .join('\n');
const picturesOf = (request: ModelRequest): string[] =>
  partsOf(request).flatMap((part) => ('picture' in part ? [part.picture.sha256] : []));
const exploration = [screen(1), answer(click(1)), answer('SAME'), DONE, screen(2)];

describe('algorithm 1', () => {
  test('lines 1 to 3: the film is there before anything is asked, and its window begins at the first keyframe', () => {
    expect(() => beginAgent(agentHeadForTests({ agent: 'video-guided' }))).toThrow('needs the keyframes');
    const [first] = commandsAfter(film(), screen(1));
    expect(picturesOf(requestIn(first))[0]).toBe(hash(1001));
  });

  test('lines 4 and 14: one exploration comes after the other, each from the window that the one before led to', () => {
    const commands = commandsAfter(
      film(),
      ...exploration,
      answer('2'),
      answer(click(2)),
      answer('SAME'),
      DONE,
      screen(3),
      answer('4'),
    );
    const decisions = commands.filter((one) => one.do === 'ask' && one.request.role === 'decision');
    expect(decisions.map((one) => picturesOf(requestIn(one))[0])).toEqual([1, 2, 4].map((n) => hash(1000 + n)));
    expect(commands.filter((one) => one.do === 'act')).toHaveLength(2);
  });

  test('line 5, equation 4: a window is of W keyframes in their order, fewer at the end, and never goes beyond the film', () => {
    expect(windowOf(1, film())).toEqual([1, 2, 3, 4]);
    expect(windowOf(5, film())).toEqual([5, 6]);
    const wholes = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(wholes, wholes, wholes, (frames, window, from) => {
        const start = Math.min(from, frames);
        const shown = windowOf(start, { frames, window });
        expect(shown[0]).toBe(start);
        expect(shown).toHaveLength(Math.min(window, frames - start + 1));
        expect(shown.every((n, at) => n === start + at && n <= frames)).toBe(true);
      }),
    );
  });

  test('line 6: the decision agent sees the window, the film’s task, the screen, the user’s task and what was done', () => {
    const commands = commandsAfter(film(), ...exploration, answer('2'));
    const request = requestIn(commands.at(-1));
    expect([request.role, picturesOf(request)]).toEqual(['decision', [hash(1002), hash(2)]]);
    const text = textOf(request);
    for (const one of [
      'Goal of the user',
      'Task of the film',
      'keyframes 2, 3, 4, 5 of 6',
      'Screen 2',
      'Done so far: 1. ',
    ])
      expect(text).toContain(one);
    expect(text).not.toContain('the end of the film');
    expect(textOf(requestIn(commandsAfter(film({ frames: 3 }), screen(1))[0]))).toContain(
      'the last one is the end of the film',
    );
  });

  test('lines 7 to 9: Done ends it, and nobody reflects on that', () => {
    expect(commandsAfter(film(), screen(1), answer('DONE: all of it')).at(-1)).toEqual({
      do: 'end',
      how: 'done',
      why: 'all of it',
    });
  });

  test('line 10: the reflection sees what the decision did, and what was decided; its act is the one that is done', () => {
    const decided = commandsAfter(film(), screen(1), answer(click(1)));
    const request = requestIn(decided.at(-1));
    expect([request.role, picturesOf(request)]).toEqual(['reflection', [hash(1001), hash(1)]]);
    expect(textOf(request)).toMatch(/The other agent decided: I click/);
    const same = commandsAfter(film(), screen(1), answer(click(1)), answer('SAME')).at(-1);
    const refined = commandsAfter(film(), screen(1), answer(click(1)), answer(click(9))).at(-1);
    expect([same, refined].map((one) => JSON.stringify(one).match(/"at":\[(\d)/)?.[1])).toEqual(['1', '9']);
    // The ablation of figure 6: without it the decision is done as it is.
    expect(commandsAfter(film({ reflects: false }), screen(1), answer(click(1))).at(-1)).toMatchObject({ do: 'act' });
  });

  test('line 11: what is done is looked at; an act that could not be done is told, and moves nothing', () => {
    const problem: Came = { came: 'acted', problem: 'no such key' };
    const commands = commandsAfter(film(), screen(1), answer(click(1)), answer('SAME'), problem, screen(1));
    expect(commands.slice(2, 4).map((one) => one.do)).toEqual(['act', 'look']);
    const request = requestIn(commands.at(-1));
    expect([request.role, picturesOf(request)[0]]).toEqual(['decision', hash(1001)]);
    expect(textOf(request)).toContain('(not done: no such key)');
  });

  test('line 12: the video agent sees the screen before the act and after it, the window and both tasks', () => {
    const request = requestIn(commandsAfter(film(), ...exploration).at(-1));
    expect([request.role, picturesOf(request)]).toEqual(['video', [hash(1001), hash(1), hash(2)]]);
    expect(request.computer).toBeNull();
    for (const one of ['Goal of the user', 'Task of the film']) expect(textOf(request)).toContain(one);
  });

  test('line 13: the window begins at the keyframe that was named; one that was not shown is no answer, and it stays', () => {
    const begins = (text: string): string | undefined =>
      picturesOf(requestIn(commandsAfter(film(), ...exploration, answer(text)).at(-1)))[0];
    expect(['3', 'Keyframe 4.', '1'].map(begins)).toEqual([3, 4, 1].map((n) => hash(1000 + n)));
    expect(['5', '0', 'none', ''].map(begins)).toEqual([1, 1, 1, 1].map((n) => hash(1000 + n)));
  });
});

test('reflections that cannot be read end it after three answers in a row of which nothing could be done', () => {
  const lost = commandsAfter(
    film(),
    screen(1),
    answer(click(1)),
    answer('Hm.'),
    screen(1),
    answer(click(1)),
    answer('Hm.'),
    screen(1),
    answer('Hm.'),
  );
  expect(lost.at(-1)).toMatchObject({ do: 'end', how: 'lost' });
});
