import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Look, openStudio, startShell, type Watched } from './studio-browser.ts';
import { type StudioHome, type StudioServer, startServer, studioHome } from './studio-server.ts';
import { tellPage, tellPagesOfFailures } from './what-was-seen.ts';

/** Shared by the tests of one file: a server with a home of its own, and a browser. */
export type StudioFixture = {
  home: StudioHome;
  /** The one that runs: another after `restart`. */
  readonly server: StudioServer;
  readonly api: StudioServer['api'];
  /** Where the pages are. */
  readonly origin: string;
  readonly browser: Browser;
  /** The folder of recordings of `newWorkspace`. */
  recordings: string;
  /** Makes the workspace that most files need. Gives its id. */
  newWorkspace(): Promise<string>;
  /** Ends the server without a word, as a crash does. */
  kill(): Promise<void>;
  /** Starts the server again after `kill`. */
  restart(at?: 'same port' | 'free port'): Promise<void>;
  /** A window of its own, signed in, that opens this page. */
  open(look?: Look, at?: string): Promise<Watched>;
  /** Opens a window there, does the work, and fails when the page threw or broke its own policy. */
  inWindow(at: string, work: (page: Page) => Promise<void>, look?: Look): Promise<void>;
};

/**
 * Call it once, at the top of a file: the server and the browser start before the file's tests and its own `beforeAll`,
 * and are gone after its own `afterAll`. `env` is asked when the server starts.
 */
export function studioFixture({ env }: { env?: () => NodeJS.ProcessEnv } = {}): StudioFixture {
  const home = studioHome();
  let server: StudioServer | null = null;
  let browser: Browser | null = null;
  const running = <T>(what: T | null): T => {
    if (what === null) throw new Error('the studio is there in tests and hooks only');
    return what;
  };
  const start = (port?: number): Promise<StudioServer> =>
    startServer({ home: home.home, ...(port !== undefined && { port }), ...(env && { env: env() }) });
  // The first start builds the pages.
  beforeAll(async () => {
    server = await start();
    browser = await startShell();
  }, 240_000);
  tellPagesOfFailures(() => browser);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    home.remove();
  });
  const open = (look?: Look, at?: string): Promise<Watched> => openStudio(running(browser), running(server), look, at);
  return {
    home,
    get server() {
      return running(server);
    },
    get api() {
      return running(server).api;
    },
    get origin() {
      return running(server).origin;
    },
    get browser() {
      return running(browser);
    },
    recordings: path.join(home.dir('workspace'), 'recordings'),
    newWorkspace: async () =>
      (await running(server).api.workspaces.open({ dir: home.dir('workspace'), create: true })).id,
    async kill() {
      const { child, exited } = running(server).process;
      child.kill('SIGKILL');
      await exited;
    },
    async restart(at = 'same port') {
      server = await start(at === 'same port' ? running(server).port : undefined);
    },
    open,
    async inWindow(at, work, look) {
      const { page, context, faults } = await open(look, at);
      try {
        await work(page);
        expect(faults).toEqual([]);
      } catch (error) {
        await tellPage(page, at, error);
        throw error;
      } finally {
        await context.close();
      }
    },
  };
}
