import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ERROR_EXIT, StudioError } from '../../../schemas/errors.ts';
import { examine, reportText } from '../../doctor/doctor.ts';
import { thisMachine } from '../../doctor/machine.ts';
import { whyNoCage } from '../../stage/cage.ts';
import { stageUnable } from '../../stage/stage.ts';
import { askYes } from '../ask.ts';
import { type CliContext, examples } from '../context.ts';

type Options = { workspace: string; prove?: boolean; yes?: boolean; out?: string };

const REPORT_FILE = 'trajectory-studio-proof.txt';
const WHAT_IT_DOES =
  'A window opens for half a minute, and 60 known clicks, drags, turns of the wheel and texts are made in it and recorded. ' +
  'Nothing else is recorded, and nothing is sent anywhere. Touch neither mouse nor keyboard meanwhile.';
const WHAT_YOU_DO =
  'Your screen is recorded for twenty seconds, while a window of ours fills it: the desktop may ask you to share the screen. ' +
  'Click, drag, turn the wheel and type in that window, nothing secret; Esc ends it. The recording is removed, and nothing is sent anywhere.';

/** `doctor`: whether this machine can record, and what to do when not. Status 3 when a check failed. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('doctor')
    .description('check whether this machine can record, and say what to do if it cannot')
    .option('-w, --workspace <dir>', 'where recordings would go (for the disk space)', '.')
    .option(
      '--prove',
      'perform 60 known inputs in a window of its own (on Wayland you make them), record them and report what was recorded',
    )
    .option('--yes', 'with --prove: start without asking')
    .option('--out <file>', `with --prove: the report, to send; *.json for programs (default: ${REPORT_FILE})`)
    .action(async (options: Options) => {
      if (!options.prove && (options.yes || options.out !== undefined))
        throw new StudioError('USAGE', '--yes and --out go with --prove.', {});
      if (options.prove && !options.yes) await askFirst();
      const report = await examine(
        { ...thisMachine(), ...(stageUnable() === null && { cages: whyNoCage }) },
        options.workspace,
      );
      if (options.prove) return proveHere(report.checks, options.out ?? REPORT_FILE, context);
      context.result(report, reportText(report));
      if (report.status === 'fail') context.setStatus(ERROR_EXIT.NO_LIBRARY);
    });
  examples(command, [
    ['doctor', 'a list'],
    ['doctor --json', 'each check as {id, status, what, fix}'],
    ['doctor --prove', 'half a minute: what this machine records exactly, on one page'],
    ['doctor --prove --yes --out proof.json', 'the same for a script'],
  ]);
}

type Checks = Awaited<ReturnType<typeof examine>>['checks'];

async function proveHere(checks: Checks, out: string, context: CliContext): Promise<void> {
  // Here, so that other commands start without it.
  const { prove } = await import('../../doctor/prove/prove.ts');
  const { isProved, proofText } = await import('../../doctor/prove/report.ts');
  const complaints = checks.filter(({ status }) => status !== 'ok');
  const proof = await prove({ program: context.version, complaints, progress: context.progress });
  const text = proofText(proof);
  writeFileSync(out, out.toLowerCase().endsWith('.json') ? `${JSON.stringify(proof, null, 2)}\n` : `${text}\n`);
  context.result({ ...proof, proved: isProved(proof), file: out }, `${text}\n\nThis page is in ${out}, to be sent.`);
  if (!isProved(proof)) context.setStatus(proof.result ? ERROR_EXIT.SYNC_FAILED : ERROR_EXIT.CAPTURE_FAILED);
}

/** Throws CANCELLED when the person says no, USAGE where nobody can be asked. */
async function askFirst(): Promise<void> {
  const { personProves } = await import('../../../native/index.ts');
  const what = (await personProves()) ? WHAT_YOU_DO : WHAT_IT_DOES;
  if (!process.stdin.isTTY) throw new StudioError('USAGE', `${what} Nobody can be asked here: say --yes to begin.`, {});
  if (!(await askYes(`${what}\nBegin?`))) throw new StudioError('CANCELLED', 'Nothing was done.', {});
}
