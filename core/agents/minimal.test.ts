import { expect, test } from 'vitest';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import type { ModelReply } from '../../schemas/model-requests.ts';
import { beginAgent } from './agent.ts';
import type { AgentCommand, Came } from './machine.ts';

/** VideoGUI's minimal agent (figure 7) with its plan given: one answer does one step. */

const SCREEN: Came = {
  came: 'screen',
  seen: { picture: { sha256: '0'.repeat(64), width: 100, height: 70 }, titles: ['A window'] },
};
const DONE: Came = { came: 'acted', problem: null };
const answer = (text: string): Came => ({ came: 'answer', reply: { text, calls: [], raw: text, usage: null } });
const code = (line: string): Came => answer(`\`\`\`python\n${line}\n\`\`\``);

/** A computer tool's call, as Anthropic's models write one. */
function called(input: Record<string, string | number>): Came {
  const raw = [{ type: 'tool_use', id: 'toolu_1', name: 'computer', input }];
  const reply: ModelReply = {
    text: '',
    calls: [{ id: 'toolu_1', name: 'computer', kind: 'computer' }],
    raw,
    usage: null,
  };
  return { came: 'answer', reply };
}

/** The step that the actor is asked for after these. */
function stepAfter(...came: Came[]): string {
  const plan = { high: ['Write and save'], mid: [['Click the field', 'Press the key']] };
  const agent = beginAgent(agentHeadForTests({ agent: 'minimal', plan }));
  const commands: AgentCommand[] = came.map((one) => agent.next(one).command);
  const command = commands.at(-1);
  if (command?.do !== 'ask') return command?.do ?? '';
  const parts = command.request.turns.flatMap((turn) => (turn.by === 'user' ? turn.parts : []));
  const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  return /The step now: (.*)/.exec(text)?.[1] ?? '';
}

test('an answer that acts does its step, also where it waits beside', () => {
  expect(stepAfter(SCREEN)).toBe('Click the field');
  expect(stepAfter(SCREEN, code('pyautogui.click(1, 2)'), DONE, SCREEN)).toBe('Press the key');
  expect(stepAfter(SCREEN, code('pyautogui.sleep(1)\npyautogui.click(1, 2)'), DONE, SCREEN)).toBe('Press the key');
});

test.each<[string, Came]>([
  ['waits in code', code('pyautogui.sleep(1)')],
  ['waits by a tool', called({ action: 'wait', duration: 1 })],
  ['looks at the screen again', called({ action: 'screenshot' })],
])('an answer that only %s has not done its step, and the next one can', (_, waiting) => {
  expect(stepAfter(SCREEN, waiting, DONE, SCREEN)).toBe('Click the field');
  expect(stepAfter(SCREEN, waiting, DONE, SCREEN, waiting, DONE, SCREEN)).toBe('Click the field');
  expect(stepAfter(SCREEN, waiting, DONE, SCREEN, code('pyautogui.click(1, 2)'), DONE, SCREEN)).toBe('Press the key');
});
