import { type JudgeCard, judgeCard } from '../../../core/agents/judge/card.ts';
import { JUDGE_RULES_VERSION } from '../../../core/agents/judge/prompts.ts';
import { append } from '../../../core/lists.ts';
import type { AllJudgements, JudgementShown, PanelShown } from '../../../schemas/api/judges.ts';
import { errorBody } from '../../../schemas/errors.ts';
import type { JudgeHead, JudgeLine } from '../../../schemas/judge.ts';
import { aboutJudging, readJudgeLogs } from '../../recordings/judge-log.ts';
import { breathe } from '../../store/breathe.ts';
import { isOwnMark } from '../../store/own-mark.ts';
import type { RecordingEntry } from '../../store/recordings.ts';
import type { Workspace } from '../../store/workspace.ts';
import { replayJudging } from './judge.ts';
import { outcomeLabels } from './labels.ts';

/** What judges said in a workspace, and what each panel of them is worth here. */

/** Those who are asked the same way: figures of others are not theirs. */
const panelOf = ({ endpoint, protocol, models, prompts, rules }: JudgeHead): PanelShown['panel'] => ({
  models: [...models].sort(),
  prompts,
  protocol,
  origin: new URL(endpoint).origin,
  rules,
});

const keyOf = (panel: PanelShown['panel']): string => JSON.stringify(panel);

/** The newest judging of each panel that came to an end, of each recording. Throws BAD_FILE, FUTURE_VERSION. */
export async function judgementsIn(
  workspace: Workspace,
  entry: Pick<RecordingEntry, 'id' | 'folder' | 'task'>,
): Promise<JudgementShown[]> {
  const newest = new Map<string, JudgementShown>();
  for (const { lines } of readJudgeLogs(entry.folder)) {
    const shown = await shownOf(workspace, entry, lines);
    if (shown) newest.set(keyOf(shown.panel), shown);
  }
  return [...newest.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
}

async function shownOf(
  { store }: Workspace,
  { id, task }: Pick<RecordingEntry, 'id' | 'task'>,
  lines: readonly JudgeLine[],
): Promise<JudgementShown | null> {
  const begun = lines.find((line) => line.type === 'begun');
  const ended = lines.find((line) => line.type === 'ended');
  if (!begun || !ended || ended.verdict === null) return null;
  const { head, at } = begun;
  // A copied folder speaks of another recording.
  const own = head.subject.recording === id && (await isOwnMark(store, aboutJudging(lines), ended.mark));
  return {
    recording: id,
    task,
    kind: head.subject.kind,
    at,
    panel: panelOf(head),
    verdict: ended.verdict,
    cost: ended.cost,
    own,
    replays: replayJudging(lines, JUDGE_RULES_VERSION),
    judges: lines.flatMap((line) => (line.type === 'said' ? [{ judge: line.judge, opinion: line.opinion }] : [])),
    refused: lines.flatMap((line) => (line.type === 'answered' && line.refused !== null ? [line.refused] : [])),
  };
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
  const labels = await outcomeLabels(workspace);
  const panels = [
    ...Map.groupBy(
      shown.filter(({ own }) => own),
      ({ panel }) => keyOf(panel),
    ).values(),
  ].map((some) => ({
    panel: some[0]!.panel, // No group is empty.
    card: cardOf(some, labels),
  }));
  const rows = shown
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .map(({ judges: _judges, refused: _refused, replays: _replays, ...row }) => row);
  return { rows, panels: panels.sort((a, b) => (keyOf(a.panel) < keyOf(b.panel) ? -1 : 1)), unreadable };
}

function cardOf(some: readonly JudgementShown[], labels: Parameters<typeof judgeCard>[1]): JudgeCard {
  const verdicts = some.map(({ recording, verdict, judges }) => ({
    recording,
    verdict,
    opinions: judges.map(({ opinion }) => opinion?.outcome ?? null),
  }));
  return judgeCard(verdicts, labels);
}
