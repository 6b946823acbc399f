import type { Command } from 'commander';
import { type RecoverReport, recoverAll } from '../../session/recorder/recover-all.ts';
import { type CliContext, examples } from '../context.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

/** `recover`: closes recordings that a crash left open (D2). */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('recover')
    .description('close recordings that a crash left open, keep every picture, and report what is missing')
    .action(({ workspace: dir }: WorkspaceOption) =>
      inWorkspace(dir, async (workspace) => {
        const report = await recoverAll(workspace, context.progress, { again: true });
        if (report.failed.length > 0) context.setStatus(6);
        context.result(report, describe(report));
      }),
    );
  workspaceOption(command);
  examples(command, [
    ['recover --workspace W', 'every recording that was left open'],
    ['recover --workspace W --json', 'for a script'],
  ]);
}

function describe({ recovered, live, failed }: RecoverReport): string {
  const lines = recovered.map(
    ({ recording, verdict }) => `${recording}: ${verdict?.kind}; missing: ${verdict?.missing.join('; ') || 'nothing'}`,
  );
  for (const id of live) lines.push(`${id}: still being recorded`);
  for (const { folder, code, message } of failed) lines.push(`${folder}: ${code}: ${message}`);
  return lines.length > 0 ? lines.join('\n') : 'Nothing to recover: every recording is closed.';
}
