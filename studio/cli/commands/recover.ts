import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { errorBody } from '../../../schemas/errors.ts';
import type { Verdict } from '../../../schemas/recording.ts';
import { isLive, recoverRecording } from '../../record/recover.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { type CliContext, examples } from '../context.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type Recovered = { recording: string; folder: string; verdict: Verdict | null };
type Report = { recovered: Recovered[]; live: string[]; failed: { folder: string; code: string; message: string }[] };

/** `recover`: closes recordings that a crash left open (D2). */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('recover')
    .description('close recordings that a crash left open, and say what is missing')
    .action(async ({ workspace: dir }: WorkspaceOption) => {
      const workspace = openWorkspace(dir, { create: false });
      try {
        const report = await recoverAll(workspace, context);
        if (report.failed.length > 0) context.setStatus(6);
        context.result(report, describe(report));
      } finally {
        workspace.close();
      }
    });
  workspaceOption(command);
  examples(command, [
    ['recover --workspace W', 'every recording that was left open'],
    ['recover --workspace W --json', 'for a script'],
  ]);
}

async function recoverAll(workspace: Workspace, context: CliContext): Promise<Report> {
  const report: Report = { recovered: [], live: [], failed: [] };
  for (const entry of readdirSync(workspace.recordingsDir, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = join(workspace.recordingsDir, entry.name);
    if (isLive(folder)) {
      report.live.push(entry.name);
      continue;
    }
    try {
      const recording = await recoverRecording(folder);
      if (!recording) continue;
      await workspace.indexRecording(folder);
      context.progress(`recovered ${recording.id}`);
      report.recovered.push({ recording: recording.id, folder, verdict: recording.verdict });
    } catch (error) {
      // One folder that cannot be read must not keep the others from being recovered.
      const { code, message } = errorBody(error);
      report.failed.push({ folder, code, message });
    }
  }
  await workspace.syncIndex();
  return report;
}

function describe({ recovered, live, failed }: Report): string {
  const lines = recovered.map(
    ({ recording, verdict }) => `${recording}: ${verdict?.kind}; missing: ${verdict?.missing.join('; ') || 'nothing'}`,
  );
  for (const id of live) lines.push(`${id}: still being recorded`);
  for (const { folder, code, message } of failed) lines.push(`${folder}: ${code}: ${message}`);
  return lines.length > 0 ? lines.join('\n') : 'Nothing to recover: every recording is closed.';
}
