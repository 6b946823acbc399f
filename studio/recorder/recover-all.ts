import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorBody } from '../../schemas/errors.ts';
import type { Verdict } from '../../schemas/recording.ts';
import { isLive, recoverRecording } from '../record/recover.ts';
import type { Workspace } from '../store/workspace.ts';

type Recovered = { recording: string; folder: string; verdict: Verdict | null };
export type RecoverReport = {
  recovered: Recovered[];
  live: string[];
  failed: { folder: string; code: string; message: string }[];
};

/** Closes every recording of a workspace that a crash left open (D2). One that cannot be read keeps none of the others. */
export async function recoverAll(workspace: Workspace, progress: (text: string) => void): Promise<RecoverReport> {
  const report: RecoverReport = { recovered: [], live: [], failed: [] };
  for (const entry of readdirSync(workspace.recordingsDir, { withFileTypes: true })) {
    // A name with a dot first is an import under way.
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const folder = join(workspace.recordingsDir, entry.name);
    if (isLive(folder)) {
      report.live.push(entry.name);
      continue;
    }
    try {
      const recording = await recoverRecording(folder);
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
