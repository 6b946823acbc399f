import { Command, CommanderError } from 'commander';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { register as actions } from './commands/actions.ts';
import { register as agreement } from './commands/agreement.ts';
import { register as annotate } from './commands/annotate.ts';
import { register as answer } from './commands/answer.ts';
import { register as archive } from './commands/archive.ts';
import { register as dataset } from './commands/dataset.ts';
import { register as doctor } from './commands/doctor.ts';
import { register as evaluate } from './commands/evaluate.ts';
import { register as exportCommand } from './commands/export.ts';
import { register as formats } from './commands/formats.ts';
import { register as importCommand } from './commands/import.ts';
import { register as init } from './commands/init.ts';
import { register as keyframes } from './commands/keyframes.ts';
import { register as people } from './commands/people.ts';
import { register as questions } from './commands/questions.ts';
import { register as queue } from './commands/queue.ts';
import { register as record } from './commands/record.ts';
import { register as recordings } from './commands/recordings.ts';
import { register as recover } from './commands/recover.ts';
import { register as review } from './commands/review.ts';
import { register as serve } from './commands/serve.ts';
import { register as software } from './commands/software.ts';
import { register as start } from './commands/start.ts';
import { register as syncCheck } from './commands/sync-check.ts';
import { register as tasks } from './commands/tasks.ts';
import { register as validate } from './commands/validate.ts';
import { type CliContext, createContext, type Streams } from './context.ts';

type Register = (program: Command, context: CliContext) => void;

/** In the order of --help: the order of the work. */
const COMMANDS: readonly Register[] = [
  start,
  serve,
  doctor,
  init,
  record,
  recordings,
  actions,
  keyframes,
  syncCheck,
  recover,
  annotate,
  queue,
  review,
  agreement,
  importCommand,
  archive,
  dataset,
  exportCommand,
  validate,
  questions,
  answer,
  evaluate,
  formats,
  software,
  tasks,
  people,
];

/**
 * Runs one command line (without `node` and the script) and gives the exit status. Never throws: an error goes to
 * stderr as `error CODE: message`, and with --json also to stdout as one line `{"error": {code, message, details}}`.
 */
export async function runCli(args: readonly string[], version: string, streams: Streams): Promise<number> {
  let status = 0;
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
    await createProgram(context, streams).parseAsync(given, { from: 'user' });
    return status;
  } catch (thrown) {
    // Thrown by --help and --version, which have written their text.
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const error = thrown instanceof CommanderError ? usageError(thrown) : thrown;
    const body = errorBody(error);
    streams.err(`error ${body.code}: ${body.message}\n`);
    if (json) streams.out(`${JSON.stringify({ error: body })}\n`);
    return error instanceof StudioError ? error.exitStatus : 70;
  }
}

function createProgram(context: CliContext, streams: Streams): Command {
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
  for (const register of COMMANDS) register(program, context);
  return program;
}

function usageError(error: CommanderError): StudioError {
  if (error.code === 'commander.help') {
    return new StudioError('USAGE', 'A command is missing. `--help` lists them.', {});
  }
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new StudioError('USAGE', `${message}. \`--help\` after the command shows what it takes.`, {
    reason: error.code,
  });
}
