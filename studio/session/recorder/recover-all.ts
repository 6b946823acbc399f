import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorBody } from '../../../schemas/errors.ts';
import type { Verdict } from '../../../schemas/recording.ts';
import { isLive, isNeverBegun, recoverRecording } from '../../capture/recover.ts';
import { recoverAgain } from '../../capture/recover-again.ts';
import { removeFolder } from '../../capture/start.ts';
import { hasFile, readIn } from '../../files/inside.ts';
import { isBeginning, removeKilled } from '../../import/leftovers.ts';
import { breathe } from '../../store/breathe.ts';
import { RECORDING_FILE } from '../../store/recording-folder.ts';
import type { Workspace } from '../../store/workspace.ts';

type Recovered = { recording: string; folder: string; verdict: Verdict | null };
export type RecoverReport = {
  recovered: Recovered[];
  live: string[];
  failed: { folder: string; code: string; message: string }[];
};

/**
 * Closes every recording of a workspace that a crash left open (D2), and removes the remains of one that never began, with its
 * task. One that cannot be read keeps none of the others. With `again`, those that were closed after a crash are looked at once
 * more (recover-again.ts), but for what people have worked on or frozen since: its pictures were chosen among those that were
 * there.
 */
export async function recoverAll(
  workspace: Workspace,
  progress: (text: string) => void,
  { again } = { again: false },
): Promise<RecoverReport> {
  await removeKilled(workspace);
  const report: RecoverReport = { recovered: [], live: [], failed: [] };
  const untouched = again ? await untouchedIn(workspace) : new Set<string>();
  for (const entry of readdirSync(workspace.recordingsDir, { withFileTypes: true })) {
    // A name with a dot first is an import under way.
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    await breathe();
    const folder = join(workspace.recordingsDir, entry.name);
    if (isLive(folder) || (!hasFile(folder, RECORDING_FILE) && isBeginning(workspace.recordingsDir, entry.name))) {
      report.live.push(entry.name);
      continue;
    }
    try {
      if (isNeverBegun(folder)) {
        await removeFolder(folder);
        continue;
      }
      const recording = (await recoverRecording(folder)) ?? (untouched.has(folder) ? await recoverAgain(folder) : null);
      if (!recording) continue;
      await workspace.indexRecording(folder);
      progress(`recovered ${recording.id}`);
      report.recovered.push({ recording: recording.id, folder, verdict: recording.verdict });
    } catch (error) {
      const { code, message } = errorBody(error);
      report.failed.push({ folder, code, message });
    }
  }
  await workspace.syncIndex();
  return report;
}

/** Folders of recordings that nobody has worked on. */
async function untouchedIn(workspace: Workspace): Promise<Set<string>> {
  const entries = await workspace.listAll();
  const frozen = frozenText(workspace.dir);
  return new Set(
    entries
      .filter(
        ({ id, state, done }) => state === 'recorded' && !done && !frozen.some((text) => text.includes(`"${id}"`)),
      )
      .map(({ folder }) => folder),
  );
}

/** The snapshots of the workspace's frozen versions. */
function frozenText(dir: string): string[] {
  const versions = join(dir, 'versions');
  if (!existsSync(versions)) return [];
  // What is no plain file (a pipe in a workspace of somebody else's) is no snapshot, and would be waited for without end.
  return readdirSync(versions)
    .map((name) => `versions/${name}/snapshot.jsonl`)
    .filter((file) => hasFile(dir, file))
    .map((file) => readIn(dir, file, MOST_SNAPSHOT).toString('utf8'));
}

/** A string may not be longer. */
const MOST_SNAPSHOT = 2 ** 29 - 24;
