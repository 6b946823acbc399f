import type { ChatLine, ChatMessage } from '../../../schemas/export-chat.ts';
import { oneLine } from '../../words.ts';
import type { ExportTask } from '../model.ts';
import { TERMINATE } from '../pyautogui/calls.ts';
import { pythonOf } from '../pyautogui/code.ts';
import { orNull, type Trajectory, type TrajectoryStep, trajectoryOf } from '../trajectories/steps.ts';
import { codeWithoutMarks, IMAGE, withoutMarks } from './marks.ts';

/** `task`: one conversation a task, a turn a step. `step`: one a step, with the steps so far in words. */
export type Samples = 'task' | 'step';

/** One turn: the screen, and what to do on it. */
type Turn = { image: string; narration: string | null; answer: string };

/**
 * A task as conversations: the user shows the screen, the assistant says and does the next step. Users and assistants
 * alternate strictly, beginning with a user, so the count is even (LLaMA-Factory drops others in silence), and there are as
 * many `<image>` as pictures.
 */
export function chatLines(
  task: ExportTask,
  from: string,
  samples: Samples,
): { lines: ChatLine[]; trajectory: Trajectory } {
  const trajectory = trajectoryOf(task, { from });
  const turns = turnsOf(trajectory);
  if (trajectory.steps.length === 0) return { lines: [], trajectory };
  const goal = withoutMarks(task.goal);
  const lines = samples === 'task' ? [conversation(goal, turns)] : turns.map((_, at) => oneStep(goal, turns, at));
  return { lines, trajectory };
}

function turnsOf({ steps, end }: Trajectory): Turn[] {
  const turns = steps.map((step): Turn => {
    const { image, exported } = step;
    return { image, narration: orNull(exported.narration), answer: answerOf(step) };
  });
  if (end) turns.push({ image: end, narration: null, answer: codeLine(pythonOf([TERMINATE])) });
  return turns;
}

/** The reply for a step: each part only where somebody wrote it, and the code last. */
function answerOf({ exported, calls }: TrajectoryStep): string {
  const parts: [string, string | null][] = [
    ['Thought', exported.thought],
    ['Action Thought', exported.actionThought],
    ['Action', exported.narration],
  ];
  const said = parts.flatMap(([name, text]) => (text?.trim() ? [`${name}: ${withoutMarks(text.trim())}`] : []));
  return [...said, codeLine(codeWithoutMarks(pythonOf(calls)))].join('\n');
}

const codeLine = (code: string): string => `Code:\n${code}`;

function conversation(goal: string, turns: readonly Turn[]): ChatLine {
  const messages = turns.flatMap(({ answer }, at): ChatMessage[] => [
    { role: 'user', content: at === 0 ? `${IMAGE}${goal}` : IMAGE },
    { role: 'assistant', content: answer },
  ]);
  return { messages, images: turns.map(({ image }) => `images/${image}`) };
}

function oneStep(goal: string, turns: readonly Turn[], at: number): ChatLine {
  const { image, answer } = turns[at]!;
  const before = turns
    .slice(0, at)
    .map(({ narration }, place) => `${place + 1}. ${withoutMarks(oneLine(narration ?? ''))}`.trim());
  const content = [`${IMAGE}${goal}`, ...(before.length > 0 ? ['', 'Steps so far:', ...before] : [])].join('\n');
  return {
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: answer },
    ],
    images: [`images/${image}`],
  };
}
