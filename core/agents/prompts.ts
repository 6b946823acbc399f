import type { AgentHead } from '../../schemas/agents.ts';

/** The texts that agents ask with. A change of one changes what runs ask: say so in docs/agents.md. */

const ENDS = `When the goal is reached, answer with DONE alone on a line; you may add words after a colon, such as
DONE: the file is saved
When it cannot be reached, answer with FAIL: and the reason.`;

const CODE = `Answer with your thought in a sentence or two, and then with what to do now as one block of PyAutoGUI code:
\`\`\`python
pyautogui.click(400, 200)
pyautogui.write("a text")
pyautogui.hotkey("ctrl", "s")
\`\`\`
Places are whole pixels of the picture, from its top left. The code is read and never run as a program: only the keyboard and
the mouse are used, nothing is imported, and no other call is made.`;

const TOOL = 'Use your tool for computers for what to do now. Places are those that the tool asks for.';

/** How an actor is to answer; declared: by its own tool. */
function howToAct({ declared, screen }: AgentHead): string {
  return `The picture shows a screen of ${screen.width} x ${screen.height} pixels.\n${declared ? TOOL : CODE}`;
}

const RULES = `Nothing is done but with the mouse and the keyboard. There is no shell, no file and no network outside of the
windows; keys that leave the screen, such as Ctrl+Alt+F1, are refused.`;

export const directSystem = (head: AgentHead): string =>
  ['You use a computer to reach a goal.', howToAct(head), ENDS, RULES].join('\n\n');

export const stepSystem = (head: AgentHead): string =>
  [
    'You use a computer. You are told one step of a plan at a time, and do exactly that step.',
    howToAct(head),
    'When the step needs nothing to be done, answer with DONE alone on a line. When it cannot be done, answer with FAIL: and the reason.',
    RULES,
  ].join('\n\n');

const LIST = 'Answer with a numbered list alone, one item a line, and nothing else.';

export const highSystem = (): string =>
  `You plan how a goal is reached on a computer. Break it down into a few subtasks in their order, each a sentence.\n${LIST}`;

export const midSystem = (): string =>
  `You plan how a subtask is done on a computer. Break it down into steps in their order, each one action with the mouse or the keyboard, such as “Click the button Save”.\n${LIST}`;

export const plannerSystem = (): string =>
  `You plan how a goal is reached on a computer, while somebody else uses the mouse and the keyboard. You are shown the screen after each subgoal. Answer with the next subgoal in one sentence, and nothing else.\n\n${ENDS}`;

/** The items of a numbered or dotted list; where there is none, the lines. */
export function listIn(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('```'));
  const items = lines.flatMap((line) => {
    const item = /^(?:[-*•]|(?:step\s{1,3})?\d{1,3}[.):])\s{0,9}(.{1,2000})$/i.exec(line)?.[1];
    return item === undefined ? [] : [item.trim()];
  });
  return (items.length > 0 ? items : lines).slice(0, 100);
}
