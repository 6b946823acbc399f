import type { ChatLine, ChatMessage } from '../../../schemas/export-chat.ts';
import { replaced } from '../../replaced.ts';
import { oneLine } from '../../words.ts';
import type { ExportAction, ExportTask } from '../model.ts';
import { TERMINATE } from '../pyautogui/calls.ts';
import { pythonOf } from '../pyautogui/code.ts';
import { orNull, type Trajectory, type TrajectoryStep, trajectoryOf } from '../trajectories/steps.ts';
import { codeWithoutMarks, IMAGE, withoutMarks } from './marks.ts';
import { type AnswerWay, answerWords, overWords, toolsText } from './words.ts';

/** `task`: one conversation a task, a turn a step. `step`: one a step, with the steps so far in words. */
export type Samples = 'task' | 'step';

/** One turn: the screen, and what to do on it. */
type Turn = { image: string; narration: string | null; answer: string; isEnd?: boolean };

/** The roles of turns that call a tool, and what they show. */
type Roles = { seen: ChatMessage['role']; call: ChatMessage['role'] };
const TALK: Roles = { seen: 'user', call: 'assistant' };
export const TOOL_ROLES: Readonly<Record<'ms-swift' | 'llamafactory', Roles>> = {
  'ms-swift': { seen: 'tool_response', call: 'tool_call' },
  llamafactory: { seen: 'observation', call: 'function_call' },
};

/**
 * A task as conversations: the user shows the screen, the assistant says and does the next step. Users and assistants
 * alternate strictly, beginning with a user, so the count is even (LLaMA-Factory drops others in silence), and there are as
 * many `<image>` as pictures.
 */
export function chatLines(
  task: ExportTask,
  from: string,
  samples: Samples,
  way: AnswerWay = 'code',
): { lines: ChatLine[]; trajectory: Trajectory } {
  const trajectory = trajectoryOf(
    task,
    way === 'code' ? { from } : { from, withoutCode: true, refuses: refusing(way) },
  );
  const turns = turnsOf(trajectory, way);
  if (trajectory.steps.length === 0) return { lines: [], trajectory };
  const goal = withoutMarks(task.goal);
  const roles = way === 'tools' ? TOOL_ROLES[from.startsWith('ms-swift') ? 'ms-swift' : 'llamafactory'] : TALK;
  const made =
    samples === 'task' ? [conversation(goal, turns, roles)] : turns.map((_, at) => oneStep(goal, turns, at, roles));
  const lines = way === 'tools' ? made.map((line) => ({ ...line, tools: toolsText(task.resolution) })) : made;
  return { lines, trajectory };
}

const refusing =
  (way: Exclude<AnswerWay, 'code'>) =>
  (exported: ExportAction): string | null => {
    const made = answerWords(exported, way);
    return 'reason' in made ? made.reason : null;
  };

function turnsOf({ steps, end }: Trajectory, way: AnswerWay): Turn[] {
  const turns = steps.map((step): Turn => {
    const { image } = step;
    const exported = way === 'qwen' ? inThousandths(step.exported) : step.exported;
    return { image, narration: orNull(exported.narration), answer: answerOf({ ...step, exported }, way) };
  });
  const over = way === 'code' ? codeLine(pythonOf([TERMINATE])) : doneLine(overWords(way), way);
  if (end) turns.push({ image: end, narration: null, answer: over, isEnd: true });
  return turns;
}

/** A made narration says its place in the unit of the call beside it. */
function inThousandths(exported: ExportAction): ExportAction {
  const { pixels, positions, beforeImage, narration } = exported;
  if (!pixels || !positions || !beforeImage) return exported;
  const share = (px: number, size: number): number => Math.round((px / size) * 1000);
  // At once: where a drag began may read in thousandths as where it ended does in pixels.
  const places = [positions.start, positions.end].map(([x, y]) => ({
    value: `(${x}, ${y})`,
    by: `(${share(x, beforeImage.width)}, ${share(y, beforeImage.height)})`,
  }));
  return { ...exported, narration: replaced(narration, places) };
}

/** The reply for a step: each part only where somebody wrote it, and what does it last. */
function answerOf({ exported, calls }: TrajectoryStep, way: AnswerWay): string {
  const isTars = way.startsWith('ui-tars');
  const parts: [string, string | null][] = isTars
    ? // Its `Action:` is the call; what is said of the step is thought.
      [
        [
          'Thought',
          [exported.thought, exported.actionThought, exported.narration].filter((one) => one?.trim()).join('\n'),
        ],
      ]
    : [
        ['Thought', exported.thought],
        ['Action Thought', exported.actionThought],
        ['Action', exported.narration],
      ];
  const said = parts.flatMap(([name, text]) => (text?.trim() ? [`${name}: ${withoutMarks(text.trim())}`] : []));
  if (way === 'code') return [...said, codeLine(codeWithoutMarks(pythonOf(calls)))].join('\n');
  const made = answerWords(exported, way, reasonsOf(exported));
  if (way === 'tools') return 'words' in made ? made.words : '';
  // Steps without words were left out before.
  return [...said, ...('words' in made ? [doneLine(made.words, way)] : [])].join('\n');
}

/** The words of a step stand in its call: beside one there is no place for them. */
function reasonsOf({ thought, actionThought, narration }: ExportAction): { thought?: string; intent?: string } {
  const thoughts = [thought, actionThought].flatMap((one) => (one?.trim() ? [one.trim()] : [])).join('\n');
  const intent = narration.trim();
  return { ...(thoughts !== '' && { thought: thoughts }), ...(intent !== '' && { intent }) };
}

const doneLine = (words: string, way: AnswerWay): string => (way === 'ui-tars' ? `Action: ${words}` : words);

const codeLine = (code: string): string => `Code:\n${code}`;

function conversation(goal: string, turns: readonly Turn[], { seen, call }: Roles): ChatLine {
  const messages = turns.flatMap(({ answer, isEnd }, at): ChatMessage[] => [
    at === 0 ? { role: 'user', content: `${IMAGE}${goal}` } : { role: seen, content: IMAGE },
    { role: isEnd ? 'assistant' : call, content: answer },
  ]);
  return { messages, images: turns.map(({ image }) => `images/${image}`) };
}

function oneStep(goal: string, turns: readonly Turn[], at: number, { call }: Roles): ChatLine {
  const { image, answer, isEnd } = turns[at]!;
  const before = turns
    .slice(0, at)
    .map(({ narration }, place) => `${place + 1}. ${withoutMarks(oneLine(narration ?? ''))}`.trim());
  const content = [`${IMAGE}${goal}`, ...(before.length > 0 ? ['', 'Steps so far:', ...before] : [])].join('\n');
  return {
    messages: [
      { role: 'user', content },
      { role: isEnd ? 'assistant' : call, content: answer },
    ],
    images: [`images/${image}`],
  };
}
