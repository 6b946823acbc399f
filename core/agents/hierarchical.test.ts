import { expect, test } from 'vitest';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import { beginAgent } from './agent.ts';
import type { AgentCommand, Came } from './machine.ts';

/** LightManus (naturalgaia.txt 4.1): parser, manager, operator, reflector. */

const SCREEN: Came = {
  came: 'screen',
  seen: { picture: { sha256: '0'.repeat(64), width: 100, height: 70 }, titles: ['A window'] },
};
const answer = (text: string): Came => ({ came: 'answer', reply: { text, calls: [], raw: text, usage: null } });
const CLICK = answer('```python\npyautogui.click(1, 2)\n```');
const DONE: Came = { came: 'acted', problem: null };

function commandsAfter(...came: Came[]): AgentCommand[] {
  const agent = beginAgent(agentHeadForTests({ agent: 'hierarchical' }));
  return came.map((one) => agent.next(one).command);
}
/** The role that asks last, and what it says. */
function lastAsked(...came: Came[]): { role: string; text: string } {
  const command = commandsAfter(...came).at(-1);
  if (command?.do !== 'ask') throw new Error(`asks nothing: ${JSON.stringify(command)}`);
  const parts = command.request.turns.flatMap((turn) => (turn.by === 'user' ? turn.parts : []));
  return { role: command.request.role, text: parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') };
}
const parsed = [SCREEN, answer('1. Count the files\n2. Write the number'), SCREEN];
const operated = [...parsed, answer('Count what the list shows.'), SCREEN, CLICK, DONE, SCREEN];

test('the goal is parsed, the first atomic task is worded, done, and looked at after its act', () => {
  expect(lastAsked(SCREEN).role).toBe('parser');
  expect(lastAsked(...parsed)).toMatchObject({
    role: 'manager',
    text: expect.stringContaining('The atomic task: Count the files'),
  });
  expect(lastAsked(...parsed, answer('Count what the list shows.'), SCREEN)).toMatchObject({
    role: 'operator',
    text: expect.stringContaining('Do this, and then say DONE: Count what the list shows.'),
  });
  expect(lastAsked(...operated).role).toBe('reflector');
});

test('an answer is handed on to the atomic tasks behind it, and the last one ends the run with all of them', () => {
  const second = [...operated, answer('DONE: 12 files'), SCREEN];
  expect(lastAsked(...second)).toMatchObject({
    role: 'manager',
    text: expect.stringContaining('Its answer: 12 files'),
  });
  const whole = commandsAfter(...second, answer('Write 12.'), SCREEN, CLICK, DONE, SCREEN, answer('DONE'));
  expect(whole.at(-1)).toEqual({ do: 'end', how: 'done', why: '12 files' });
});

test('reflection mends what erred: the operator is told that its act was wrong, and goes on', () => {
  expect(lastAsked(...operated, answer('WRONG: the list is closed'), SCREEN)).toMatchObject({
    role: 'operator',
    text: expect.stringContaining('The last act was wrong: the list is closed'),
  });
});

test('an atomic task is tried twice; then the run is over, since those behind it stand on it', () => {
  const failed = [...operated, answer('FAIL: there is no list'), SCREEN];
  expect(lastAsked(...failed)).toMatchObject({
    role: 'manager',
    text: expect.stringContaining('failed: there is no list'),
  });
  const again = commandsAfter(
    ...failed,
    answer('Open the list.'),
    SCREEN,
    CLICK,
    DONE,
    SCREEN,
    answer('FAIL: still none'),
  );
  expect(again.at(-1)).toMatchObject({
    do: 'end',
    how: 'gave-up',
    why: expect.stringMatching(/Count the files.*still none/),
  });
});

test('an operator that does much without reaching it has failed; a reflector that says none of its words is asked again', () => {
  const round = [CLICK, DONE, SCREEN, answer('CONTINUE'), SCREEN];
  const much = [...parsed, answer('Do it.'), SCREEN, ...Array.from({ length: 10 }, () => round).flat()];
  expect(lastAsked(...much)).toMatchObject({ role: 'manager', text: expect.stringContaining('has done much') });
  const silent = commandsAfter(...operated, answer('Hm.'), SCREEN, answer(''), SCREEN, answer('Well.'));
  expect(silent.at(-1)).toMatchObject({ do: 'end', how: 'lost' });
});
