import type { AgentnetLine } from '../../../schemas/export-trajectories.ts';
import { isCorrect } from '../../review/judged.ts';
import type { ExportTask } from '../model.ts';
import { TERMINATE } from '../pyautogui/calls.ts';
import { pythonOf } from '../pyautogui/code.ts';
import { orNull, type Trajectory, thoughtsOf, trajectoryOf } from './steps.ts';

export const AGENTNET = 'agentnet';

/**
 * A task as a line of AgentNet (OpenCUA's data), null when no step can stand in it. `reflection` is what the person saw the
 * step do; AgentNet's `observation` describes the screen before a step, which nobody writes here. `last_step_correct` and
 * `last_step_redundant` are of the step beside whose reflection they stand, where judges agree. Scores of whole tasks belong
 * to a judge whom nobody has asked and stay null.
 */
export function agentnetLine(task: ExportTask): { line: AgentnetLine | null; trajectory: Trajectory } {
  const trajectory = trajectoryOf(task, { from: AGENTNET });
  const { steps, end } = trajectory;
  if (steps.length === 0) return { line: null, trajectory };
  const traj: AgentnetLine['traj'] = steps.map(({ exported, image, calls }, index) => ({
    index,
    image,
    value: {
      code: pythonOf(calls),
      observation: null,
      thought: thoughtsOf(exported),
      action: orNull(exported.narration),
      last_step_correct: exported.judged ? isCorrect(exported.judged) : null,
      last_step_redundant: exported.judged?.redundant ?? null,
      reflection: orNull(exported.observation),
    },
  }));
  if (end) {
    traj.push({
      index: traj.length,
      image: end,
      value: {
        code: pythonOf([TERMINATE]),
        observation: null,
        thought: null,
        action: null,
        last_step_correct: null,
        last_step_redundant: null,
        reflection: null,
      },
    });
  }
  const line: AgentnetLine = {
    task_id: task.id,
    instruction: task.goal,
    task_completed: task.run ? task.run.success : task.state === 'approved' ? true : null,
    alignment_score: null,
    efficiency_score: null,
    task_difficulty: null,
    reason: null,
    natural_language_task: null,
    actual_task: null,
    traj,
  };
  return { line, trajectory };
}
