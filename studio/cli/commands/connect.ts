import type { Command } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import { userHome } from '../../session/home.ts';
import { clockWarning, greet } from '../../session/push/send.ts';
import { checkedToken, forgetServer, keepServer, readServer, serverOrigin } from '../../session/push/server-file.ts';
import { type CliContext, examples } from '../context.ts';
import { untilStopped } from '../stop.ts';
import { minuteOf } from './invite.ts';
import { tokenIn, tokenOption } from './push.ts';

type ConnectOptions = { tokenEnv?: string; forget?: boolean };

/** `connect`: the team's server that this account works with. */
export function register(program: Command, context: CliContext): void {
  const connect = program
    .command('connect [address]')
    .description("name the team's server that recordings go to; without an address: say which one it is")
    .option('--forget', 'forget the server and its token')
    .action((address: string | undefined, options: ConnectOptions) => run(address, options, context));
  examples(tokenOption(connect), [
    ['connect https://studio.lab.org --token-env LAB_TOKEN', 'kept for this account alone, out of every workspace'],
    ['connect', 'which one it is, and as whom'],
    ['connect --forget', 'the token is still to be revoked at the server'],
  ]);
}

async function run(address: string | undefined, options: ConnectOptions, context: CliContext): Promise<void> {
  const { config } = userHome();
  if (options.forget) {
    const known = readServer(config);
    forgetServer(config);
    const text = known
      ? `${known.origin} is forgotten. Its token still holds there until it is revoked.`
      : 'No server was named.';
    context.result({ forgotten: known?.origin ?? null }, text);
    return;
  }
  const known = address === undefined ? readServer(config) : null;
  if (address === undefined && !known) {
    context.result({ server: null }, 'No server is named yet: `connect https://studio.lab.org --token-env LAB_TOKEN`.');
    return;
  }
  if (address !== undefined && options.tokenEnv === undefined) {
    throw new StudioError(
      'USAGE',
      'Give the token in an environment variable: --token-env LAB_TOKEN. On the command line other programs could read it.',
      { field: 'tokenEnv' },
    );
  }
  const server = known ?? {
    origin: serverOrigin(address ?? ''),
    token: checkedToken(tokenIn(options.tokenEnv ?? '')),
  };
  const welcome = await untilStopped((signal) => greet(server, signal));
  if (!known) keepServer(config, server);
  const clock = clockWarning(welcome);
  if (clock !== null) context.progress(`warning: ${clock}`);
  const { person, workspace, tokenEndsAt, whole } = welcome;
  const { origin } = server;
  const ends = tokenEndsAt === null ? '' : `; the token ends ${minuteOf(tokenEndsAt)}`;
  context.result(
    { server: { origin, person, workspace, tokenEndsAt, whole } },
    `${origin}, workspace ${workspace}, as ${person.name} (${person.email})${ends}. \`push\` sends recordings there.`,
  );
}
