import type { OutcomeLabel } from '../../core/agents/judge/card.ts';
import { isGoodPlay } from '../../core/play/verify.ts';
import { verdictKept } from '../recordings/verdict-kept.ts';
import { breathe } from '../store/breathe.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { hashOfChecks } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';
import { outcomesOfReviews } from './outcomes.ts';

/** Of which recordings something better than a model says whether their task came out. */

type Entry = Pick<RecordingEntry, 'id' | 'folder' | 'task' | 'state'>;

/** One a recording; where both kinds speak of one, and differ, it has none. */
export async function outcomeLabels(workspace: Workspace): Promise<OutcomeLabel[]> {
  const labels = new Map<string, OutcomeLabel | null>();
  const add = (label: OutcomeLabel): void => {
    const known = labels.get(label.recording);
    labels.set(label.recording, known === undefined ? label : known?.good === label.good ? known : null);
  };
  const entries = await workspace.listRecordings();
  for (const label of await labelsOfProofs(workspace, entries)) add(label);
  for (const said of await outcomesOfReviews(workspace.store, entries)) add({ ...said, from: 'review' });
  return [...labels.values()].flatMap((label) => label ?? []);
}

/**
 * Of `verify`: plays that were good, and those in which a decisive step was left out and the checks failed. Checks that are not
 * proven may pass for anything, so of those only plays that failed count; checks that pass untouched say nothing.
 */
async function labelsOfProofs(workspace: Workspace, entries: readonly Entry[]): Promise<OutcomeLabel[]> {
  const labels: OutcomeLabel[] = [];
  const hasChecks = new Map<string, boolean>();
  for (const entry of entries) {
    const { task, id } = entry;
    if (!hasChecks.has(task)) hasChecks.set(task, (await hashOfChecks(workspace, task)) !== null);
    if (!hasChecks.get(task)) continue;
    await breathe();
    const kept = await verdictKept(workspace, entry);
    if (!kept?.current || !kept.shown || kept.report.untouched.passed) continue;
    const { proven, plays, without } = kept.report;
    const label = (recording: string | null, good: boolean): void => {
      if (recording !== null) labels.push({ recording, good, from: 'verify' });
    };
    if (proven) label(id, true);
    for (const play of plays) {
      if (proven && isGoodPlay(play)) label(play.played, true);
      else if (!play.passed) label(play.played, false);
    }
    for (const { played, passed } of without) if (!passed) label(played, false);
  }
  return labels;
}
