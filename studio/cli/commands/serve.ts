import { resolve } from 'node:path';
import type { Command } from 'commander';
import { StudioError } from '../../../schemas/errors.ts';
import { type CliContext, examples } from '../context.ts';
import { runOnPipe } from '../pipe.ts';
import { runServer } from '../server.ts';
import { runTeamServer } from '../team-server.ts';
import { parseWhole } from '../values.ts';
import { addOidcOptions, type OidcOptions, oidcOptionIn, oidcWishes } from './oidc-options.ts';
import { collect, databaseOption, filesOption } from './options.ts';
import { daysOption } from './retention.ts';

export type ServerOptions = { port?: string; host?: string; workspace?: string; build: boolean };

type ServeOptions = ServerOptions &
  OidcOptions & {
    pipe?: string;
    team?: boolean;
    url?: string;
    files?: string;
    proxy: string[];
    uploadLimit?: number;
    uploadQuota?: number;
    quota?: number;
    personQuota?: number;
    keepDays?: number;
    keepRejectedDays?: number;
  };

/** The options that `start` and `serve` share. */
export function serverOptions(command: Command): Command {
  return command
    .option('--port <number>', 'the port (default: 4747, or the next free one; 0: any)')
    .option(
      '--host <address>',
      'pages at this address, not at studio-….localhost; another than 127.0.0.1 lets other machines in',
    )
    .option('--no-build', 'serve the pages as they were built last')
    .option('-w, --workspace <dir>', 'a workspace to open at once; made when it is missing')
    .addOption(databaseOption());
}

export function serve(options: ServerOptions, browser: boolean, context: CliContext): Promise<void> {
  const port = options.port === undefined ? undefined : parseWhole('--port', options.port, 0, 65_535);
  const workspace = options.workspace === undefined ? undefined : resolve(options.workspace);
  return runServer({ port, host: options.host, workspace, build: options.build, browser }, context);
}

export const SIGNING_IN = `
Signing in:
  The printed address holds a code that signs a browser in for ten minutes; the browser then stays signed in until the
  studio ends. For another browser, or later: run the command again, which prints a new address of the running studio.
  Chromium, Edge and Firefox know the pages' name, studio-….localhost. For a browser that does not: --host 127.0.0.1.
  On a machine without a desktop: ssh -L 4747:127.0.0.1:4747 MACHINE, then the printed address in the browser here.
  A script sends \`Authorization: Bearer TOKEN\` to http://127.0.0.1:PORT. The token is in the --json line and in
  server.json of this user's settings folder. TRAJECTORY_STUDIO_TOKEN gives it instead (32 characters at least): with
  the same --port, open pages then stay signed in over a restart.
`;

function serveTeam(options: ServeOptions, context: CliContext): Promise<void> {
  if (options.pipe !== undefined) throw new StudioError('USAGE', '--pipe is for one person: leave out --team.', {});
  if (options.url === undefined)
    throw new StudioError('USAGE', 'Say where people find the server: --url https://studio.lab.org.', {});
  if (options.workspace === undefined)
    throw new StudioError(
      'USAGE',
      "Name the team's workspace: --workspace <folder>. It is made when it is missing.",
      {},
    );
  const port = options.port === undefined ? undefined : parseWhole('--port', options.port, 0, 65_535);
  const { url, host, proxy: proxies, build, uploadLimit: mostBytes, uploadQuota: quotaBytes } = options;
  const uploads = {
    ...(mostBytes !== undefined && { mostBytes }),
    ...(quotaBytes !== undefined && { quotaBytes }),
    workspaceBytes: options.quota ?? null,
    personBytes: options.personQuota ?? null,
  };
  const retention = { olderDays: options.keepDays ?? null, rejectedDays: options.keepRejectedDays ?? null };
  const oidc = oidcWishes(options);
  const workspace = resolve(options.workspace);
  return runTeamServer({ url, host, port, proxies, build, oidc, uploads, retention, workspace }, context);
}

/** An option that means something to a team's server alone. */
function onlyForTeams(options: ServeOptions): string | null {
  const { url, proxy, uploadLimit, uploadQuota } = options;
  if (url !== undefined) return '--url';
  if (options.files !== undefined) return '--files';
  if (proxy.length > 0) return '--proxy';
  if (options.quota !== undefined) return '--quota';
  if (options.personQuota !== undefined) return '--person-quota';
  if (options.keepDays !== undefined) return '--keep-days';
  if (options.keepRejectedDays !== undefined) return '--keep-rejected-days';
  if (uploadLimit !== undefined) return '--upload-limit';
  return uploadQuota === undefined ? oidcOptionIn(options) : '--upload-quota';
}

const gigabytes = (option: string) => (text: string) => parseWhole(option, text, 1, 100_000) * 1e9;

/** `serve`: the studio without a window: for another machine's browser, a script, a test. */
export function register(program: Command, context: CliContext): void {
  const command = program
    .command('serve')
    .description('run the studio and print its address, without opening a browser')
    .action((options: ServeOptions) => {
      if (options.team) return serveTeam(options, context);
      const only = onlyForTeams(options);
      if (only !== null) throw new StudioError('USAGE', `${only} is for a team's server: give --team too.`, {});
      if (options.pipe === undefined) return serve(options, false, context);
      if (options.port !== undefined || options.host !== undefined) {
        throw new StudioError('USAGE', '--pipe opens no port: leave out --port and --host.', {});
      }
      const workspace = options.workspace === undefined ? undefined : resolve(options.workspace);
      return runOnPipe({ path: options.pipe, workspace, build: options.build }, context);
    });
  serverOptions(command)
    .option(
      '--pipe <path>',
      'listen on a Unix socket or named pipe and open no port; ends with its standard input (the desktop app)',
    )
    .option('--team', 'a server that several people sign in to, for one workspace (docs/team.md)')
    .option('--url <address>', 'with --team: where people find it, such as https://studio.lab.org')
    .option(
      '--proxy <address>',
      'with --team: a proxy on another machine, or a range of them; may be given several times',
      collect,
      [],
    )
    .option(
      '--upload-limit <GB>',
      'with --team: the largest recording that is taken by `push`, GB (default: 50)',
      gigabytes('--upload-limit'),
    )
    .option(
      '--upload-quota <GB>',
      'with --team: all that are on their way together, GB (default: 200)',
      gigabytes('--upload-quota'),
    )
    .option(
      '--quota <GB>',
      'with --team: all that the workspace may hold, GB; what is sent beyond it is refused (default: none)',
      gigabytes('--quota'),
    )
    .option(
      '--person-quota <GB>',
      'with --team: all that one member may have sent and the workspace still holds, GB (default: none)',
      gigabytes('--person-quota'),
    )
    .option(
      '--keep-days <days>',
      'with --team: recordings go for good so many days after they were made and last worked on, listed a week before (default: they stay)',
      daysOption('--keep-days'),
    )
    .option(
      '--keep-rejected-days <days>',
      'with --team: the same of recordings that a review rejected',
      daysOption('--keep-rejected-days'),
    )
    .addOption(filesOption());
  addOidcOptions(command);
  command.addHelpText('after', SIGNING_IN);
  examples(command, [
    ['serve', 'print the address and wait for Ctrl+C'],
    [
      'serve --team --workspace W --url https://studio.lab.org',
      "a team's server on 127.0.0.1:4747, behind a proxy that has the certificate",
    ],
    [
      'serve --team --workspace W --url https://studio.lab.org --oidc https://id.lab.org --client studio --oidc-secret-file S',
      'the same, and people sign in at id.lab.org',
    ],
    [
      'serve --port 0 --workspace W --json',
      'any free port; one line of JSON for a script: url (signs a browser in), origin and token',
    ],
  ]);
}
