import { combine } from '../../../core/play/checks.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import type { Composition, Member } from '../../../schemas/composition.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Pace } from '../../../schemas/play.ts';
import { checksOfTask, wantsAnswer } from '../../play/checks/checks-file.ts';
import { mendedTexts } from '../../play/mended.ts';
import { play } from '../../play/play.ts';
import { scriptOf } from '../../play/script.ts';
import { readRecording } from '../../store/recording-folder.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import { answerOf } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { asksAnswer, type MemberActor, whyFailed } from './actor.ts';

/** The player as an actor: each task's demonstration is performed again, and the answer that the task has is given. */

type PlayerWishes = { ffmpeg: FfmpegInfo; version: string; pace: Pace; patienceMs: number; signal: AbortSignal };

/** Throws USAGE for a member without a demonstration, and what reading those throws. */
export async function openPlayer(
  workspace: Workspace,
  { members }: Composition,
  order: readonly string[],
  { ffmpeg, version, pace, patienceMs, signal }: PlayerWishes,
): Promise<MemberActor> {
  const demonstrations = new Map<string, RecordingEntry>();
  const recordings = await workspace.listRecordings();
  for (const id of order) {
    const member = members.find((one) => one.id === id);
    if (member) demonstrations.set(id, demonstrationOf(recordings, member));
  }
  // All are read before anything is done: one that cannot be played is said now.
  const screens = new Map<string, Pick<MemberActor, 'size' | 'layout'>>();
  for (const [id, one] of demonstrations) {
    const { size, layout } = await scriptOf(one.folder, ffmpeg, signal, await mendedTexts(workspace, one.id));
    screens.set(id, { size, layout });
  }
  const [given] = screens.values();
  if (!given) throw new StudioError('USAGE', 'There is no task to play.', {});
  return {
    actor: { kind: 'player' },
    ...given,
    screenFor: (own) => screens.get(own[0] ?? '') ?? given,
    async act({ member, task, stage, timeMs, progress, beside, recorded, signal: stop }) {
      const demonstration = demonstrations.get(member.id);
      if (!demonstration) throw new RangeError(`no demonstration of ${member.id}`);
      const answers = asksAnswer(member) || (await wantsAnswer(workspace, task));
      const answer = answers ? (await answerOf(workspace.store, task)) || null : null;
      const deadline = AbortSignal.timeout(timeMs);
      const report = await play({
        workspace,
        ffmpeg,
        version,
        recording: demonstration,
        stage: 'virtual',
        on: stage,
        recipe: null,
        pace,
        patienceMs,
        answer,
        progress,
        beside,
        onRecording: recorded,
        deadline,
        signal: stop,
      });
      const late = deadline.aborted && report.stopped !== null ? `the limit of ${timeMs / 1000} s was reached` : null;
      const checks = await checksOfTask(workspace, task);
      return {
        recording: report.played ?? '',
        answer,
        checked: checks && {
          passed: report.passed === true,
          score: combine(checks, report.checks).score,
          why: whyFailed(report.checks),
        },
        steps: report.steps.length,
        questions: [],
        cost: null,
        stopped: late ?? (report.stopped === null ? null : `the play stopped: ${report.why}`),
      };
    },
  };
}

/** The one that the member names; else the newest that is proven; else the newest. */
function demonstrationOf(all: readonly RecordingEntry[], { id, task, recording }: Member): RecordingEntry {
  const own = all.filter((one) => one.phase === 'closed' && one.task === task && one.verdict !== 'damaged');
  const named = recording === undefined ? null : own.find((one) => one.id.startsWith(recording));
  const proven = own.find(({ folder }) => readRecording(folder).verified?.proven === true);
  const found = recording === undefined ? (proven ?? own[0]) : named;
  if (found) return found;
  const which = recording === undefined ? 'no demonstration' : `no whole demonstration “${recording.slice(0, 60)}”`;
  throw new StudioError('USAGE', `The task ${task} of “${id}” has ${which}, so it cannot be played. Record one.`, {
    member: id,
    task,
  });
}
