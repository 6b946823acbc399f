import type { Command } from 'commander';
import { type CliContext, examples } from '../context.ts';
import { type ServerOptions, SIGNING_IN, serve, serverOptions } from './serve.ts';

type Options = ServerOptions & { open: boolean };

/** `start`: runs the studio and opens its page; `npm start` does it where the desktop app is not there. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('start')
    .description('run the studio and open it in the browser')
    .option('--no-open', 'only print the address')
    .action((options: Options) => serve(options, options.open, context));
  serverOptions(command).addHelpText('after', SIGNING_IN);
  examples(command, [
    ['start', 'the studio in the browser; `npm start` opens the desktop app where it is installed'],
    ['start --workspace ~/studio --no-open', 'with a workspace, without a browser'],
  ]);
}
