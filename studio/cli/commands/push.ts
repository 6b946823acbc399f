import { type Command, Option } from 'commander';
import { plural } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { userHome } from '../../session/home.ts';
import { type Pushed, pushRecording } from '../../session/push/push.ts';
import { PUSH_PATIENCE } from '../../session/push/send.ts';
import { checkedToken, readServer, serverOrigin } from '../../session/push/server-file.ts';
import type { TeamServer } from '../../session/push/wire.ts';
import { type CliContext, examples } from '../context.ts';
import { reporter } from '../progress.ts';
import { untilStopped } from '../stop.ts';
import { megabytes } from '../table.ts';
import { parseDuration } from '../values.ts';
import { inWorkspace } from '../within.ts';
import { type WorkspaceOption, workspaceOption } from './options.ts';

type PushOptions = WorkspaceOption & {
  to?: string;
  tokenEnv?: string;
  voice?: boolean;
  free?: boolean;
  giveUp: number;
};

/** `push`: recordings of this machine to a team's server. */
export function register(program: Command, context: CliContext): void {
  const push = program
    .command('push <ids...>')
    .description("send recordings to a team's server; one that was interrupted continues where it stopped")
    .option('--to <address>', 'the server, such as https://studio.lab.org; default: the one of `connect`')
    .option('--voice', 'with what people said while recording, which is left out otherwise')
    .option('--free', 'remove the copy here once the server has confirmed the hash of every file')
    .addOption(
      new Option('--give-up <time>', 'stop when nothing went on for so long')
        .argParser((text) => parseDuration('--give-up', text))
        .default(PUSH_PATIENCE.giveUpMs, '5m'),
    )
    .action((ids: string[], options: PushOptions) => pushAll(ids, options, context));
  examples(workspaceOption(tokenOption(push)), [
    ['push 20260504 --to https://studio.lab.org --token-env LAB_TOKEN --workspace W', 'an id may be shortened'],
    ['push 20260504-102030-abcdefgh --free --workspace W', 'to the server of `connect`; the copy here goes'],
  ]);
}

export const tokenOption = (command: Command): Command =>
  command.option(
    '--token-env <name>',
    'the environment variable that holds the token of the server (`tokens make` there); it is never written anywhere',
  );

/** The server that options name, else the one of `connect`. Throws USAGE. */
export function serverOf({ to, tokenEnv }: { to?: string | undefined; tokenEnv?: string | undefined }): TeamServer {
  const known = readServer(userHome().config);
  const origin = to === undefined ? known?.origin : serverOrigin(to);
  if (origin === undefined) {
    throw new StudioError('USAGE', 'Say which server: --to https://studio.lab.org, or name it once with `connect`.', {
      field: 'to',
    });
  }
  if (tokenEnv !== undefined) return { origin, token: checkedToken(tokenIn(tokenEnv)) };
  if (known?.origin === origin) return { origin, token: known.token };
  throw new StudioError(
    'USAGE',
    `There is no token for ${origin} here. Its administrator makes one (\`tokens make recorder --member YOU --scopes see,record\`); give it with \`connect ${origin}\`, or with --token-env.`,
    { field: 'tokenEnv' },
  );
}

/** Throws USAGE when the variable is not set. */
export function tokenIn(name: string): string {
  const token = process.env[name] ?? '';
  if (token !== '') return token;
  throw new StudioError('USAGE', `--token-env ${name}: the environment has no such variable, or it is empty. Set it.`, {
    variable: name,
  });
}

async function pushAll(ids: readonly string[], options: PushOptions, context: CliContext): Promise<void> {
  const server = serverOf(options);
  const { voice = false, free = false, giveUp } = options;
  await inWorkspace(options.workspace, (workspace) =>
    untilStopped(async (signal) => {
      await workspace.syncIndex();
      const pushed: Pushed[] = [];
      for (const id of ids) {
        const report = reporter(context);
        const patience = { ...PUSH_PATIENCE, giveUpMs: giveUp };
        const wishes = { server, voice, free, version: context.version, signal, report, patience };
        const one = await pushRecording(workspace, id, wishes);
        for (const warning of one.warnings) context.progress(`warning: ${one.recording}: ${warning}`);
        pushed.push(one);
      }
      context.result({ pushed }, pushed.flatMap(linesOf).join('\n'));
    }),
  );
}

function linesOf(one: Pushed): string[] {
  const here = one.freed ? 'the copy here was removed' : 'the copy here stays';
  return [
    `${one.recording}: ${one.known ? 'is at' : 'went to'} ${one.to} (${megabytes(one.bytes)}), which confirmed ${plural(one.confirmed, 'file')} by ${one.confirmed === 1 ? 'its hash' : 'their hashes'}; ${here}.`,
    ...(one.failures > 0 ? [`  The connection was lost ${plural(one.failures, 'time')}.`] : []),
    ...(one.bare ? ['  Without annotation, tags and files of its task: this token may bring recordings alone.'] : []),
  ];
}
