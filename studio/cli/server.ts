import { log } from '../../native/log/log.ts';
import { BUILT_PAGES, ensurePages } from '../api/build-pages.ts';
import { DEFAULT_PORT, isLoopback, listen } from '../api/listen.ts';
import { createStudio } from '../api/studio.ts';
import { type Home, userHome } from '../session/home.ts';
import { preflight } from '../session/recorder/preflight.ts';
import type { CliContext } from './context.ts';
import { openBrowser } from './open-browser.ts';
import { findRunning, newLogin, noteRunning, openThere, pagesName, type Running } from './running.ts';
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

/** Runs the studio until Ctrl+C or SIGTERM; where one of this user's runs already, prints a new address of it. */
export async function runServer(wishes: ServerWishes, context: CliContext): Promise<void> {
  // Given by who starts it again and again and wants open pages to stay signed in (tests, a service); else new each time.
  const token = process.env.TRAJECTORY_STUDIO_TOKEN;
  // The capture process, ffmpeg and the browser have no business with it.
  delete process.env.TRAJECTORY_STUDIO_TOKEN;
  const home = userHome();
  const known = wishes.host === undefined ? await findRunning(home, wishes.port) : null;
  if (known) return showRunning(known, home, wishes, context);
  const pages = wishes.build ? await ensurePages(context.progress) : BUILT_PAGES;
  const studio = createStudio({ version: context.version, home });
  try {
    const { workspace: dir, host, port } = wishes;
    const workspace = dir === undefined ? null : await studio.workspaces.open(dir, { create: true });
    const listening = await listen({
      studio,
      pages,
      port: port ?? DEFAULT_PORT,
      search: port === undefined,
      ...(host === undefined ? { name: pagesName(home) } : { host }),
      ...(token && { token }),
    });
    const { origin, port: taken } = listening;
    // Before anything is left on the disk: who is told to end between the two would leave it there.
    const told = untilTold();
    const forget = noteRunning(home, { origin, port: taken, token: listening.token });
    let close = (): void => undefined;
    try {
      if (host !== undefined && !isLoopback(host)) {
        context.progress(
          `warning: ${host} lets other machines of the network in. What they send and get is not encrypted; who reads it, or gets the address in time, gets in.`,
        );
      }
      const url = listening.login('printed');
      const entry = { url, origin, pages: listening.pages, port: taken, token: listening.token, pid: process.pid };
      context.result({ ...entry, workspace, running: false }, `Trajectory Studio: ${url}\n${HOW_TO}\nCtrl+C ends it.`);
      if (wishes.browser) close = openBrowser(home, listening.login('once'));
      void warn(dir ?? home.data, context);
      log.info('studio began');
      await told;
      log.info('studio ends');
      context.progress('closing …');
    } finally {
      close();
      forget();
      await listening.close();
    }
  } finally {
    await studio.close();
  }
}

const HOW_TO = 'The address signs a browser in for ten minutes; `npm start` again prints a new one.';

async function showRunning(known: Running, home: Home, wishes: ServerWishes, context: CliContext): Promise<void> {
  const workspace = wishes.workspace === undefined ? null : await openThere(known, wishes.workspace);
  const url = await newLogin(known, 'printed');
  const { origin, port, token, pid } = known;
  const entry = { url, origin, pages: new URL(url).origin, port, token, pid };
  context.result({ ...entry, workspace, running: true }, `Trajectory Studio runs already: ${url}\n${HOW_TO}`);
  // The file is left for the browser to read, since this process does not wait for it; a later start removes it.
  if (wishes.browser) openBrowser(home, await newLogin(known, 'once'));
}

/** The findings of doctor, in a line each; looked at in a process of its own, after the page is there. */
async function warn(folder: string, context: CliContext): Promise<void> {
  const { checks } = await preflight(folder);
  for (const { id, status, what } of checks) {
    if (status !== 'ok') context.progress(`${status === 'fail' ? 'not ready to record' : 'warning'}: ${id}: ${what}`);
  }
  if (checks.some(({ status }) => status === 'fail')) context.progress('`npm run studio -- doctor` says what to do.');
}
