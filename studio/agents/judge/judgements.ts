import { JUDGE_RULES_VERSION } from '../../../core/agents/judge/prompts.ts';
import { append } from '../../../core/lists.ts';
import type { AllJudgements, JudgementShown } from '../../../schemas/api/judges.ts';
import { errorBody } from '../../../schemas/errors.ts';
import { panelsOf } from '../../datasets/panels.ts';
import { judgingsIn } from '../../recordings/judge-log.ts';
import { breathe } from '../../store/breathe.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { replayJudging } from './judge.ts';

/** What judges said in a workspace, and what each panel of them is worth here. */

/** The newest judging of each panel that came to an end, of each recording. Throws BAD_FILE, FUTURE_VERSION. */
export async function judgementsIn(
  workspace: Workspace,
  entry: Pick<RecordingEntry, 'id' | 'folder' | 'task'>,
): Promise<JudgementShown[]> {
  const found = await judgingsIn(workspace.store, entry);
  return found.map(({ judging, lines }) => ({
    ...judging,
    recording: entry.id,
    task: entry.task,
    replays: replayJudging(lines, JUDGE_RULES_VERSION),
  }));
}

/** Who reviews is to see no label, so the rows have none. Of all recordings, the newest judging first, and a card for each panel. Judgings that this workspace did not make have no say in it. */
export async function allJudgements(workspace: Workspace): Promise<AllJudgements> {
  const entries = [...(await workspace.listRecordings()), ...(await workspace.listPlays())];
  const shown: JudgementShown[] = [];
  const unreadable: AllJudgements['unreadable'] = [];
  for (const entry of entries) {
    await breathe();
    try {
      append(shown, await judgementsIn(workspace, entry));
    } catch (error) {
      unreadable.push({ recording: entry.id, why: errorBody(error).message });
    }
  }
  const rows = shown
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ judges: _judges, refused: _refused, replays: _replays, ...row }) => row);
  return { rows, panels: await panelsOf(workspace, shown), unreadable };
}
