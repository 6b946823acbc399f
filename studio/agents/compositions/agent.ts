import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { AgentHead } from '../../../schemas/agents.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { checksOfTask } from '../../play/checks/checks-file.ts';
import { PLAIN_LAYOUT } from '../../play/stage/stage.ts';
import { taskById } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type RunWishes, recipeHash, runAgent } from '../run.ts';
import { type MemberActor, whyFailed } from './actor.ts';

/** A model as the actor: each task is a run of its own, told the instruction in the place of the task's goal. */

type AgentWishes = {
  ffmpeg: FfmpegInfo;
  version: string;
  /** What all its runs are begun with. */
  head: Omit<AgentHead, 'task' | 'software' | 'goal' | 'recipe' | 'plan' | 'resumes'>;
  model: RunWishes['model'];
  /** Plays the user whom it may ask; absent: that is a rule, or nobody. */
  userModel?: RunWishes['userModel'];
  patienceMs: number;
};

export function openAgent(
  workspace: Workspace,
  { ffmpeg, version, head, model, userModel, patienceMs }: AgentWishes,
): MemberActor {
  /** Of all tasks together. */
  let left = head.limits.budget;
  return {
    actor: { kind: 'agent', agent: head.agent, model: head.model, endpoint: head.endpoint },
    size: head.screen,
    layout: PLAIN_LAYOUT,
    async act({ task, recipe, instruction, user, stage, timeMs, progress, beside, recorded, signal }) {
      const { id, software } = await taskById(workspace.store, task);
      const hasChecks = (await checksOfTask(workspace, id)) !== null;
      const report = await runAgent({
        workspace,
        ffmpeg,
        version,
        head: {
          ...head,
          task: id,
          software,
          goal: instruction,
          ...(user && { user }),
          plan: { high: null, mid: null },
          // The stage's own, whatever its recipe says.
          screen: { width: stage.width, height: stage.height },
          recipe: recipeHash(recipe),
          limits: { ...head.limits, timeMs, budget: left },
          resumes: null,
        },
        recipe,
        film: new Map(),
        on: stage,
        ...(!hasChecks && { unchecked: true as const }),
        model,
        ...(userModel && { userModel }),
        patienceMs,
        withoutCage: false,
        live: null,
        beside,
        onRecording: recorded,
        progress,
        signal,
      });
      if (left !== null) left = Math.max(0, left - (report.cost ?? 0));
      if (signal.aborted) throw new StudioError('CANCELLED', 'It was stopped.', {});
      // Nothing of what follows could be asked either.
      if (report.how === 'endpoint' || report.how === 'failed' || report.how === 'budget' || report.how === 'uncounted')
        throw new StudioError('ENDPOINT_FAILED', `The run ${report.recording} ended: ${report.why}`, {
          run: report.recording,
        });
      return {
        recording: report.recording,
        answer: report.answer,
        checked: hasChecks ? { passed: report.passed, score: report.score, why: whyFailed(report.checks) } : null,
        steps: report.steps,
        questions: report.questions ?? [],
        cost: report.cost,
        stopped: report.how === 'done' ? null : `it ended: ${report.how}${report.why === '' ? '' : `, ${report.why}`}`,
      };
    },
  };
}
