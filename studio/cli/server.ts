import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { WorkspaceInfo } from '../../schemas/api/models.ts';
import { ensurePages, PAGES } from '../api/build-pages.ts';
import { DEFAULT_PORT, listen } from '../api/listen.ts';
import { createStudio } from '../api/studio.ts';
import { type Home, userHome } from '../library/home.ts';
import { preflight } from '../recorder/preflight.ts';
import { writeFileAtomic } from '../store/atomic.ts';
import type { CliContext } from './context.ts';
import { untilTold } from './stop.ts';

type ServerWishes = {
  /** Undefined: the usual one, or the next free; or the server that runs there already. */
  port?: number | undefined;
  host?: string | undefined;
  workspace?: string | undefined;
  /** Build the pages when they are older than their sources. */
  build: boolean;
  /** Open the page in the user's browser. */
  browser: boolean;
};

/** Runs the studio until Ctrl+C or SIGTERM; where one of this user's runs already, says its address. */
export async function runServer(wishes: ServerWishes, context: CliContext): Promise<void> {
  const home = userHome();
  const known = wishes.host === undefined ? await findRunning(home, wishes.port) : null;
  if (known) {
    const workspace = wishes.workspace === undefined ? null : await openThere(known, wishes.workspace);
    const url = `${known.origin}/?token=${known.token}`;
    context.result({ ...known, url, workspace, running: true }, `Trajectory Studio runs already: ${url}`);
    if (wishes.browser) openBrowser(url);
    return;
  }
  const pages = wishes.build ? await ensurePages(context.progress) : PAGES;
  const studio = createStudio({ version: context.version, home });
  try {
    const { workspace: dir, host, port } = wishes;
    const workspace = dir === undefined ? null : await studio.workspaces.open(dir, { create: true });
    // Given by who starts it again and again and wants open pages to stay logged in (tests, a service); else new each time.
    const token = process.env.TRAJECTORY_STUDIO_TOKEN;
    const listening = await listen({
      studio,
      pages,
      port: port ?? DEFAULT_PORT,
      search: port === undefined,
      ...(host !== undefined && { host }),
      ...(token && { token }),
    });
    try {
      if (host !== undefined && !isLocal(host)) {
        context.progress(
          `warning: ${host} lets other machines of the network in. What they send and get is not encrypted; the token in the address is all that keeps them out.`,
        );
      }
      const { url, origin, port: taken } = listening;
      const entry: Running = { origin, port: taken, token: listening.token, pid: process.pid };
      noteRunning(home, entry);
      context.result({ url, ...entry, workspace, running: false }, `Trajectory Studio: ${url}\nCtrl+C ends it.`);
      if (wishes.browser) openBrowser(url);
      void warn(dir ?? home.data, context);
      await untilTold();
      context.progress('closing …');
    } finally {
      forgetRunning(home);
      await listening.close();
    }
  } finally {
    await studio.close();
  }
}

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** What doctor has to say, in a line each; looked at in a process of its own, after the page is there. */
async function warn(folder: string, context: CliContext): Promise<void> {
  const { checks } = await preflight(folder);
  for (const { id, status, what } of checks) {
    if (status !== 'ok') context.progress(`${status === 'fail' ? 'not ready to record' : 'warning'}: ${id}: ${what}`);
  }
  if (checks.some(({ status }) => status === 'fail')) context.progress('`npm run studio -- doctor` says what to do.');
}

const runningSchema = z.object({ origin: z.string(), port: z.int(), token: z.string(), pid: z.int() });
type Running = z.infer<typeof runningSchema>;

const fileOf = (home: Home): string => join(home.config, 'server.json');

/** Readable for this user alone: it holds the token, so that a second start can give the address. */
function noteRunning(home: Home, running: Running): void {
  const file = fileOf(home);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const umask = process.umask(0o077);
  try {
    writeFileAtomic(file, `${JSON.stringify(running)}\n`);
  } finally {
    process.umask(umask);
  }
}

function forgetRunning(home: Home): void {
  if (readRunning(home)?.pid === process.pid) rmSync(fileOf(home), { force: true });
}

function readRunning(home: Home): Running | null {
  try {
    return runningSchema.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return null;
  }
}

/** This user's server, when it answers; another port that was asked for wants another server. */
async function findRunning(home: Home, port: number | undefined): Promise<Running | null> {
  const running = readRunning(home);
  if (!running || (port !== undefined && port !== running.port)) return null;
  try {
    const response = await ask(running, '/health');
    const answer: unknown = await response.json();
    const name: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'name') : null;
    return response.ok && name === 'trajectory-studio' ? running : null;
  } catch {
    return null;
  }
}

const ask = (running: Running, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${running.origin}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(5000),
  });

async function openThere(running: Running, dir: string): Promise<WorkspaceInfo | null> {
  const body = JSON.stringify({ dir, create: true });
  const response = await ask(running, '/api/workspaces/open', { method: 'POST', body });
  // The server checks what it sends by the same schema.
  return response.ok ? ((await response.json()) as WorkspaceInfo) : null;
}

/** In the user's browser, where there is a desktop; a browser that does not start is no failure: the address is printed. */
function openBrowser(url: string, platform: NodeJS.Platform = process.platform, env = process.env): void {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return;
  const [command, args] =
    platform === 'win32'
      ? (['rundll32', ['url.dll,FileProtocolHandler', url]] as const)
      : ([platform === 'darwin' ? 'open' : 'xdg-open', [url]] as const);
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
