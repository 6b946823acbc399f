import { writeFileSync } from 'node:fs';
import { release as machineRelease } from 'node:os';
import type { Command } from 'commander';
import { plural } from '../../../core/words.ts';
import { ERROR_EXIT, StudioError } from '../../../schemas/errors.ts';
import { whyNoCage } from '../../play/stage/cage.ts';
import { CLOCK_WORDS, clockUnable } from '../../play/stage/clock.ts';
import { stageUnable } from '../../play/stage/set-stage.ts';
import { examine, reportText } from '../../session/doctor/doctor.ts';
import { thisMachine } from '../../session/doctor/machine.ts';
import { desktopLogFolder, logFolder } from '../../session/home.ts';
import { askYes } from '../ask.ts';
import { type CliContext, examples } from '../context.ts';
import { parseWhole } from '../values.ts';

type Options = { workspace: string; prove?: boolean; yes?: boolean; out?: string; log?: true | string; pack?: string };

/** Entries that `--log` shows where no number is given, and the most that are packed. */
const SHOWN = 60;
const MOST_PACKED = 20_000;
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
    .option('--log [number]', `the last entries of the log (default: ${SHOWN})`)
    .option('--pack <file>', 'with --log: the whole log into a new file for a bug report, without names, texts and ids')
    .action(async (options: Options) => {
      if (options.pack !== undefined && options.log === undefined)
        throw new StudioError('USAGE', '--pack goes with --log.', {});
      if (options.log !== undefined) return showLog(options.log, options.pack, context);
      if (!options.prove && (options.yes || options.out !== undefined))
        throw new StudioError('USAGE', '--yes and --out go with --prove.', {});
      if (options.prove && !options.yes) await askFirst();
      const report = await examine(
        { ...thisMachine(), ...(stageUnable() === null && { cages: whyNoCage, clocks }) },
        options.workspace,
      );
      if (options.prove) return proveHere(report.checks, options.out ?? REPORT_FILE, context);
      context.result(report, reportText(report));
      if (report.status === 'fail') context.setStatus(ERROR_EXIT.NO_LIBRARY);
    });
  examples(command, [
    ['doctor', 'a list'],
    ['doctor --json', 'each check as {id, status, what, fix}'],
    ['doctor --log', 'what this program did last'],
    ['doctor --log --pack log.txt', 'all of it in a file for a bug report'],
    ['doctor --prove', 'half a minute: what this machine records exactly, on one page'],
    ['doctor --prove --yes --out proof.json', 'the same for a script'],
  ]);
}

async function showLog(wanted: true | string, pack: string | undefined, context: CliContext): Promise<void> {
  const { lineOfEntry, packEntries, readLog } = await import('../../session/doctor/read-log.ts');
  const folders = [logFolder(), desktopLogFolder()];
  if (pack === undefined) {
    const most = wanted === true ? SHOWN : parseWhole('--log', wanted, 1, MOST_PACKED);
    const entries = readLog(folders, most);
    const none = `There is no entry yet in ${folders.join(' or ')}.`;
    return context.result({ folders, entries }, entries.length === 0 ? none : entries.map(lineOfEntry).join('\n'));
  }
  const entries = packEntries(readLog(folders, MOST_PACKED));
  const { platform, arch, release, node } = { ...process, release: machineRelease(), node: process.versions.node };
  const about = { program: context.version, platform, arch, release, node };
  const lines = [about, ...entries].map((line) => JSON.stringify(line));
  try {
    writeFileSync(pack, `${lines.join('\n')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new StudioError('TARGET_EXISTS', `${pack} is there already and stays as it is. Name another file.`, {
      file: pack,
    });
  }
  context.result(
    { file: pack, entries: entries.length },
    `${plural(entries.length, 'entry', 'entries')} in ${pack}. People, recordings and workspaces are numbers in it, and texts are left out. Look at it before you send it.`,
  );
}

function clocks(): { why: string } | { words: string } {
  const unable = clockUnable();
  return unable ? { why: unable.message } : { words: CLOCK_WORDS };
}

type Checks = Awaited<ReturnType<typeof examine>>['checks'];

async function proveHere(checks: Checks, out: string, context: CliContext): Promise<void> {
  // Here, so that other commands start without it.
  const { prove } = await import('../../session/doctor/prove/prove.ts');
  const { isProved, proofText } = await import('../../session/doctor/prove/report.ts');
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
