import type { Command } from 'commander';
import { type CliContext, examples } from '../context.ts';
import { type ServerOptions, serve, serverOptions } from './serve.ts';

type Options = ServerOptions & { open: boolean };

/** `start` (npm start): runs the studio and opens its page. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('start')
    .description('run the studio and open it in the browser')
    .option('--no-open', 'only print the address')
    .action((options: Options) => serve(options, options.open, context));
  serverOptions(command);
  examples(command, [
    ['start', 'what `npm start` runs'],
    ['start --workspace ~/studio --no-open', 'with a workspace, without a browser'],
  ]);
}
