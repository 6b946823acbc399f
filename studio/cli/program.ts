import { Command, CommanderError } from 'commander';
import { log } from '../../native/log/log.ts';
import { ERROR_EXIT, errorBody, StudioError } from '../../schemas/errors.ts';
import { hasDefaultWorkspace } from './commands/options.ts';
import { type CliContext, createContext, type Streams } from './context.ts';
import { fillInWorkspace } from './fill-in.ts';
import { visibleStreams } from './visible.ts';

type Register = (program: Command, context: CliContext) => void;

/**
 * In the order of --help: the order of the work. Each is loaded when it is asked for: what all of them need together takes
 * longer to load than most of them take to run.
 */
const COMMANDS: Readonly<Record<string, () => Promise<{ register: Register }>>> = {
  start: () => import('./commands/start.ts'),
  serve: () => import('./commands/serve.ts'),
  doctor: () => import('./commands/doctor.ts'),
  init: () => import('./commands/init.ts'),
  record: () => import('./commands/record.ts'),
  recordings: () => import('./commands/recordings.ts'),
  actions: () => import('./commands/actions.ts'),
  elements: () => import('./commands/elements.ts'),
  marks: () => import('./commands/marks.ts'),
  voice: () => import('./commands/voice.ts'),
  keyframes: () => import('./commands/keyframes.ts'),
  'sync-check': () => import('./commands/sync-check.ts'),
  recover: () => import('./commands/recover.ts'),
  play: () => import('./commands/play.ts'),
  stage: () => import('./commands/stage.ts'),
  compositions: () => import('./commands/compositions.ts'),
  perform: () => import('./commands/perform.ts'),
  run: () => import('./commands/run.ts'),
  runs: () => import('./commands/runs.ts'),
  arena: () => import('./commands/arena.ts'),
  judge: () => import('./commands/judge.ts'),
  draft: () => import('./commands/draft.ts'),
  drafts: () => import('./commands/drafts.ts'),
  judgements: () => import('./commands/judgements.ts'),
  sample: () => import('./commands/sample.ts'),
  samples: () => import('./commands/samples.ts'),
  check: () => import('./commands/check.ts'),
  verify: () => import('./commands/verify.ts'),
  propose: () => import('./commands/propose.ts'),
  annotate: () => import('./commands/annotate.ts'),
  queue: () => import('./commands/queue.ts'),
  review: () => import('./commands/review.ts'),
  agreement: () => import('./commands/agreement.ts'),
  import: () => import('./commands/import.ts'),
  connect: () => import('./commands/connect.ts'),
  push: () => import('./commands/push.ts'),
  server: () => import('./commands/server.ts'),
  archive: () => import('./commands/archive.ts'),
  backup: () => import('./commands/backup.ts'),
  backups: () => import('./commands/backups.ts'),
  retention: () => import('./commands/retention.ts'),
  worker: () => import('./commands/worker.ts'),
  restore: () => import('./commands/restore.ts'),
  dataset: () => import('./commands/dataset.ts'),
  export: () => import('./commands/export.ts'),
  validate: () => import('./commands/validate.ts'),
  questions: () => import('./commands/questions.ts'),
  answer: () => import('./commands/answer.ts'),
  evaluate: () => import('./commands/evaluate.ts'),
  formats: () => import('./commands/formats.ts'),
  software: () => import('./commands/software.ts'),
  tasks: () => import('./commands/tasks.ts'),
  people: () => import('./commands/people.ts'),
  invite: () => import('./commands/invite.ts'),
  tokens: () => import('./commands/tokens.ts'),
  jobs: () => import('./commands/jobs.ts'),
};

/**
 * Runs one command line (without `node` and the script) and gives the exit status. Never throws: an error goes to
 * stderr as `error CODE: message`, and with --json also to stdout as one line `{"error": {code, message, details}}`.
 */
export async function runCli(args: readonly string[], version: string, raw: Streams): Promise<number> {
  const streams = visibleStreams(raw);
  let status = 0;
  const begun = performance.now();
  // The name alone: what else is on the line somebody has typed.
  const name = args.find((word) => Object.hasOwn(COMMANDS, word));
  // Asked of the arguments, not of the parsed options: a command line that cannot be parsed wants its error as JSON too.
  const end = args.indexOf('--');
  const json = (end < 0 ? args : args.slice(0, end)).includes('--json');
  const context = createContext(
    version,
    streams,
    () => json,
    (to) => {
      status = to;
    },
  );
  try {
    const given = args[0] === '--version' ? ['-V'] : [...args];
    const program = await createProgram(given, context, streams);
    await program.parseAsync(given, { from: 'user' });
    log.info('command', { name, status, ms: performance.now() - begun });
    return status;
  } catch (thrown) {
    // Thrown by --help and --version, which have written their text.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const error = thrown instanceof CommanderError ? usageError(thrown) : thrown;
    const told = errorBody(error);
    const body = { ...told, message: fillInWorkspace(told.message, args, hasDefaultWorkspace()) };
    log.warn('command failed', { name, code: body.code, ms: performance.now() - begun, error });
    streams.err(`error ${body.code}: ${body.message}\n`);
    if (json) streams.out(`${JSON.stringify({ error: body })}\n`);
    return ERROR_EXIT[body.code];
  }
}

/** With the command that `args` name, or with all of them: for the list of them, and for what is near a wrong name. */
export async function createProgram(args: readonly string[], context: CliContext, streams: Streams): Promise<Command> {
  const program = new Command('trajectory-studio')
    .description('Records work on a desktop, turns it into exact actions with the screen before each, and exports it.')
    // Not `--version`: commands have an option of that name (a frozen version), and commander would take it from them.
    .version(context.version, '-V', 'the version of this program; --version alone says it too')
    .option('--json', 'the result as one line of JSON on stdout, errors as {"error": …}')
    .showSuggestionAfterError()
    .exitOverride()
    // Errors are written once, by runCli.
    .configureOutput({ writeOut: streams.out, writeErr: () => undefined, outputError: () => undefined })
    .addHelpText(
      'after',
      '\nExamples:\n  npm run studio -- doctor\n  npm run studio -- record --workspace W --app gimp --goal "Crop the picture" --duration 20s\n  npm run studio -- actions ID --workspace W\n\nEvery command has examples: npm run studio -- COMMAND --help',
    );
  const name = args.find((word) => !word.startsWith('-'));
  const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  // The version is nobody's: loading all commands for it takes a second.
  const wanted = load ? [load] : args[0] === '-V' ? [] : Object.values(COMMANDS);
  for (const { register } of await Promise.all(wanted.map((one) => one()))) register(program, context);
  return program;
}

function usageError(error: CommanderError): StudioError {
  if (error.code === 'commander.help') {
    return new StudioError('USAGE', 'A command is missing. `--help` lists them.', {});
  }
  const message = error.message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/\.$/, '');
  return new StudioError('USAGE', `${message}. \`--help\` after the command shows what it takes.`, {
    reason: error.code,
  });
}
