import type { VerifierAction } from '../../../schemas/export-cua-verifier.ts';
import { pixelCalls, type QwenCall } from '../chat/words.ts';
import { type ExportAction, type ExportTask, itemName, type LeftOut, type PictureRef } from '../model.ts';
import type { NamedPicture } from '../pictures.ts';
import { NO_PICTURE } from '../pyautogui/calls.ts';
import { thoughtsOf } from '../trajectories/steps.ts';
import { extension } from '../videogui/rows.ts';

/** The log of a trajectory: a line an action, in the words of `computer_use`, and the screen before each. */

export const CUA_VERIFIER_BENCH = 'cua-verifier-bench';

type ActionLog = { lines: VerifierAction[]; pictures: NamedPicture[]; leftOut: LeftOut[] };

/**
 * Line n is done on picture n; the last picture is the one after everything. An action for which `computer_use` has no word is
 * said in ours, as `other`, so that neither a line nor its picture is missing.
 */
export function actionLog(task: ExportTask): ActionLog {
  const log: ActionLog = { lines: [], pictures: [], leftOut: [] };
  const leaveOut = (item: string, reason: string, what = ''): void => {
    log.leftOut.push({ item, from: CUA_VERIFIER_BENCH + what, reason });
  };
  if (!task.goal.trim()) {
    leaveOut(task.id, 'it has no goal, so there is no instruction');
    return log;
  }
  const show = (picture: PictureRef): void => {
    const name = `screenshot${log.pictures.length}${extension(picture.path)}`;
    log.pictures.push({ picture, name });
  };
  let shown: PictureRef | null = null;
  for (const subtask of task.subtasks.toSorted((a, b) => a.id - b.id)) {
    for (const exported of subtask.actions.toSorted((a, b) => a.rank - b.rank)) {
      const item = itemName(task.id, subtask.id, exported.rank);
      // The screen after a step is the one before the next.
      const before: PictureRef | null = exported.beforeImage ?? shown;
      shown = exported.afterImage;
      if (!before) {
        leaveOut(item, NO_PICTURE);
        continue;
      }
      const made = pixelCalls(exported);
      if ('reason' in made)
        leaveOut(item, `the action in words of computer_use, which has it as "other": ${made.reason}`, '/action');
      const done =
        'reason' in made ? { action: 'other', description: exported.narration, why: made.reason } : oneCall(made.calls);
      const { holdMs } = exported.action;
      if (holdMs !== null && !('reason' in made)) leaveOut(item, `that it was held for ${holdMs} ms`, '/hold');
      show(before);
      log.lines.push(lineOf(timeOf(task, exported.action.start.t), done, exported));
    }
  }
  if (log.lines.length === 0) return { ...log, pictures: [] };
  if (shown) show(shown);
  else leaveOut(task.id, 'there is no picture of the screen after its last step', '/last');
  const status = endOf(task);
  if (status !== null) log.lines.push(lineOf(timeOf(task, task.durationUs), { action: 'terminate', status }, null));
  return log;
}

/** A demonstration that ends says that it is done; null: the run was ended, and nobody said anything. */
function endOf({ run }: ExportTask): 'success' | 'failure' | null {
  if (!run || run.how === 'done') return 'success';
  return run.how === 'gave-up' ? 'failure' : null;
}

function lineOf(
  timestamp: string,
  done: QwenCall & Record<string, unknown>,
  exported: ExportAction | null,
): VerifierAction {
  return {
    timestamp,
    // Readers of such logs keep the lines whose source is called so.
    source: exported?.by === 'person' ? 'WebSurfer (person)' : 'WebSurfer',
    action: done.action,
    arguments: { ...done, thoughts: (exported && thoughtsOf(exported)) ?? '' } as VerifierAction['arguments'], // Points are pairs.
    url: '',
  };
}

/** Several calls are one action: where the pointer is put first is the place of what is done there. */
function oneCall(calls: readonly QwenCall[]): QwenCall & Record<string, unknown> {
  const [first, ...others] = calls;
  const moves = first?.action === 'mouse_move' && others.length > 0;
  const [call, ...more] = moves ? others : calls;
  const start = moves ? first.coordinate : undefined;
  const begun = start && (call?.coordinate ? { start_coordinate: start } : { coordinate: start });
  const again = more.every((one) => JSON.stringify(one) === JSON.stringify(call));
  return {
    ...call!, // Nothing is done by no call.
    ...begun,
    ...(more.length > 0 && (again ? { times: more.length + 1 } : { followed_by: more })),
  };
}

function timeOf({ recordings }: ExportTask, t: number): string {
  const begun = Date.parse(recordings[0]?.startedAt ?? '1970-01-01T00:00:00Z');
  return new Date(begun + Math.round(t / 1000)).toISOString();
}
