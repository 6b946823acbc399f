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

/** The prompt for a step that is asked for by itself (docs/agents.md, "Candidates of a step"). `screen`: of its picture, px. */
export const stepSamplerSystem = ({ width, height }: AgentHead['screen']): string =>
  [
    'You use a computer to reach a goal. You are shown the screen as it is now, and say the next step alone.',
    `The picture shows a screen of ${width} x ${height} pixels.\n${CODE}`,
    RULES,
  ].join('\n\n');

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

export const parserSystem = (): string =>
  `You plan how a goal is reached on a computer. Break it down into atomic tasks in their order: each is one thing that can be checked by itself, and may need the answer of one before it.\n${LIST}\nWhen the goal cannot be reached, answer with FAIL: and the reason.`;

export const managerSystem = (): string =>
  'You word an atomic task for the one who does it with the mouse and the keyboard. You are shown what was done before, with the answers that it gave: where the atomic task needs one, write the answer itself. Answer with the wording in one to three sentences, and nothing else; when it cannot be done, with FAIL: and the reason.';

export const reflectorSystem = (): string =>
  `You look at the screen after each act of somebody who does an atomic task on a computer. Answer with one line:
CONTINUE when more is to be done,
DONE when the atomic task is done; where it asks for something, add it after a colon, such as DONE: 12 files
WRONG: and what is wrong, when the act was none that helps,
FAIL: and the reason, when the atomic task cannot be done.`;

const FILM = `You are shown keyframes of a film in which somebody does a task, side by side and numbered from left to right: the screen before each
of their acts. A frame with a red border is the end of the film. The user's task may be another one: then do it in the way of the film.`;

export const decisionSystem = (head: AgentHead): string =>
  [
    `You use a computer, and do what a film shows. ${FILM}`,
    'Find the keyframe that shows the screen as it is now, see what was done there, and do that.',
    howToAct(head),
    ENDS,
    RULES,
  ].join('\n\n');

export const deepReflectionSystem = (head: AgentHead): string =>
  [
    `You check an act before it is done on a computer. ${FILM}`,
    'Go through the acts of the film one by one, find the keyframe that shows the screen as it is now, and compare what was done there with what the other agent decided. When it is the same, answer with SAME alone on a line. When it is another, answer with the act that is right.',
    howToAct(head),
    RULES,
  ].join('\n\n');

export const videoSystem = (): string =>
  `You follow a film while its task is done on a computer. ${FILM}\nYou are shown the screen before and after an act. Answer with the number of the keyframe that shows the screen as it is after the act, and nothing else.`;

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
