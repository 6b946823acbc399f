import { judgeCard } from '../../core/agents/judge/card.ts';
import type { JudgementShown, PanelShown } from '../../schemas/api/judges.ts';
import { errorBody } from '../../schemas/errors.ts';
import { judgingsIn, keyOfPanel } from '../recordings/judge-log.ts';
import { breathe } from '../store/breathe.ts';
import type { Workspace } from '../store/workspace.ts';
import { outcomeLabels } from './labels.ts';

/** The worth of each panel of judges, by all that a workspace knows better than a model does. */

type Judged = Pick<JudgementShown, 'recording' | 'panel' | 'verdict' | 'own' | 'judges'>;

/** Judgings that this workspace did not make have no say in it. */
export async function panelsOf(workspace: Workspace, judged: readonly Judged[]): Promise<PanelShown[]> {
  const labels = await outcomeLabels(workspace);
  const own = judged.filter((one) => one.own);
  const panels = [...Map.groupBy(own, ({ panel }) => keyOfPanel(panel))].map(([key, some]) => {
    const verdicts = some.map(({ recording, verdict, judges }) => ({
      recording,
      verdict,
      opinions: judges.map(({ opinion }) => opinion?.outcome ?? null),
    }));
    return { key, shown: { panel: some[0]!.panel, card: judgeCard(verdicts, labels) } }; // No group is empty.
  });
  return panels.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ shown }) => shown);
}

/** The worth of all panels by everything that was judged here; a log that cannot be read has no say either. */
export async function panelsIn(workspace: Workspace): Promise<PanelShown[]> {
  const judged: Judged[] = [];
  for (const entry of [...(await workspace.listRecordings()), ...(await workspace.listPlays())]) {
    await breathe();
    try {
      for (const { judging } of await judgingsIn(workspace.store, entry))
        judged.push({ ...judging, recording: entry.id });
    } catch (error) {
      if (errorBody(error).code === 'INTERNAL') throw error;
    }
  }
  return panelsOf(workspace, judged);
}
