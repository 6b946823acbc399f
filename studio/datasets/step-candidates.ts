import { candidatesNow, type KnownCandidate } from '../../core/agents/candidates/fold.ts';
import { stepReward } from '../../core/agents/candidates/reward.ts';
import type { StepToDo } from '../../core/agents/steps-done.ts';
import type { ExportAction, ExportCandidate, ExportSubtask } from '../../core/export/model.ts';
import { StudioError } from '../../schemas/errors.ts';
import { CANDIDATE_FOLDER, CANDIDATES_SAID_FILE, type CandidateSaid } from '../../schemas/step-candidates.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { folderIn } from '../files/inside.ts';
import { appendLine } from '../recordings/append-line.ts';
import { readCandidateLogs, readCandidatesSaid } from '../recordings/candidate-log.ts';
import type { RecordingEntry } from '../store/recordings.ts';

/** Models' answers to the steps of a recording, beside what the person did there. */

/** Keeps what somebody says of a candidate; `right` null: it is taken back. Throws USAGE for one that is none of the recording's. */
export async function sayOfCandidate(
  { id, folder }: Pick<RecordingEntry, 'id' | 'folder'>,
  said: Pick<CandidateSaid, 'person' | 'candidate' | 'right'>,
): Promise<void> {
  await withFolderLock(folder, 'candidates-said', async () => {
    if (!stepCandidatesIn(folder, id).some((one) => one.id === said.candidate))
      throw new StudioError(
        'USAGE',
        `Recording ${id} has no candidate "${said.candidate}". \`samples show\` lists them.`,
        {
          recording: id,
        },
      );
    const at = new Date().toISOString();
    const line: CandidateSaid = { schema: 'trajectory-studio/candidates-said', version: 1, at, ...said };
    await appendLine(folderIn(folder, CANDIDATE_FOLDER), CANDIDATES_SAID_FILE, line);
  });
}

/** Throws BAD_FILE, FUTURE_VERSION. */
export const stepCandidatesIn = (folder: string, recording: string): KnownCandidate[] =>
  candidatesNow(readCandidateLogs(folder), readCandidatesSaid(folder), recording);

export type WorthCandidate = KnownCandidate & { reward: number; why: string };

/** Each candidate of these steps with its reward, by action. So many steps after it are compared with what an answer does, at most. */
const MOST_NEXT = 100;
export function worthOfCandidates(
  steps: readonly ExportAction[],
  known: readonly KnownCandidate[],
): Map<string, WorthCandidate[]> {
  const byAction = Map.groupBy(known, ({ action }) => action);
  const worth = new Map<string, WorthCandidate[]>();
  for (const [at, { id, beforeImage }] of steps.entries()) {
    const some = byAction.get(id);
    if (!some || !beforeImage) continue;
    const { origin } = beforeImage;
    const next = steps.slice(at, at + MOST_NEXT).map((step) => inPicture(step, origin));
    // Many answers are the same text.
    const rewards = new Map<string, ReturnType<typeof stepReward>>();
    const rewardOf = ({ text, screen, coordinates }: KnownCandidate): ReturnType<typeof stepReward> => {
      const key = JSON.stringify([text, screen, coordinates]);
      const found = rewards.get(key) ?? stepReward(text, next, { screen, coordinates });
      rewards.set(key, found);
      return found;
    };
    worth.set(
      id,
      some.map((one) => ({ ...one, ...rewardOf(one) })),
    );
  }
  return worth;
}

/** A step in px of a picture whose top left lies at `origin` of the virtual desktop. */
function inPicture({ action, element, beforeImage }: ExportAction, origin: { x: number; y: number }): StepToDo {
  const moved = ({ x, y, ...point }: typeof action.start): typeof action.start => ({
    ...point,
    x: x === null ? null : x - origin.x,
    y: y === null ? null : y - origin.y,
  });
  const own = beforeImage?.origin ?? origin;
  const box = element?.box;
  return {
    action: { ...action, start: moved(action.start), end: moved(action.end) },
    box: box ? { ...box, x: box.x + own.x - origin.x, y: box.y + own.y - origin.y } : null,
  };
}

export function withCandidates(subtasks: readonly ExportSubtask[], known: readonly KnownCandidate[]): ExportSubtask[] {
  const worth = worthOfCandidates(
    subtasks.flatMap(({ actions }) => actions),
    known,
  );
  return subtasks.map((subtask) => ({
    ...subtask,
    actions: subtask.actions.map((one) => {
      const candidates = worth.get(one.id)?.map(
        ({ id, model, system, prompt, text, reward, judges, people }): ExportCandidate => ({
          id,
          model,
          system,
          prompt,
          text,
          reward,
          judges,
          people,
        }),
      );
      return candidates ? { ...one, candidates } : one;
    }),
  }));
}
