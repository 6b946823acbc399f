import { shareBeaten } from '../../core/agents/arena.ts';
import { agentName, runMatcher } from '../../core/agents/choose-runs.ts';
import type { ExportRun } from '../../core/export/model.ts';
import type { RunFilter } from '../../schemas/agents.ts';
import { modelRunIn } from '../recordings/agent-report.ts';
import { lastVerdict } from '../recordings/judge-log.ts';
import { newestBallots, readBallots } from '../store/ballots.ts';
import { breathe } from '../store/breathe.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/** Runs of models as an export takes them. */

/** The newest first; one that a later run goes on with counts there alone. Throws BAD_FILE, FUTURE_VERSION. */
export async function runsToExport(
  workspace: Workspace,
  filter: RunFilter,
): Promise<(RecordingEntry & { run: ExportRun })[]> {
  const fits = runMatcher(filter);
  const runs: (RecordingEntry & { run: ExportRun })[] = [];
  const goneOn = new Set<string>();
  const people = shareBeaten(newestBallots(readBallots(workspace)));
  for (const entry of await workspace.listPlays()) {
    await breathe();
    const found = modelRunIn(entry.folder);
    if (!found) continue;
    const { head, how, passed, score, helped, answer } = found;
    if (head.resumes !== null) goneOn.add(head.resumes);
    const run: ExportRun = { agent: agentName(head), model: head.model, how, success: passed, score, helped, answer };
    if (!fits({ task: entry.task, ...run, passed })) continue;
    const said = await lastVerdict(workspace.store, entry);
    const judges = said === null || said === 'unsure' ? null : said === 'succeeded' ? 1 : 0;
    runs.push({ ...entry, run: { ...run, rewards: { judges, people: people.get(entry.id) ?? null } } });
  }
  return runs.filter(({ id }) => !goneOn.has(id));
}
