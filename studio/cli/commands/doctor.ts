import type { Command } from 'commander';
import { ERROR_EXIT } from '../../../schemas/errors.ts';
import { examine, reportText } from '../../doctor/doctor.ts';
import { thisMachine } from '../../doctor/machine.ts';
import { type CliContext, examples } from '../context.ts';

/** `doctor`: whether this machine can record, and what to do when not. Status 3 when a check failed. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('doctor')
    .description('check whether this machine can record, and say what to do when not')
    .option('-w, --workspace <dir>', 'where recordings would go (for the disk space)', '.')
    .action(async ({ workspace }: { workspace: string }) => {
      const report = await examine(thisMachine(), workspace);
      context.result(report, reportText(report));
      if (report.status === 'fail') context.setStatus(ERROR_EXIT.NO_LIBRARY);
    });
  examples(command, [
    ['doctor', 'a list'],
    ['doctor --json', 'each check as {id, status, what, fix}'],
  ]);
}
