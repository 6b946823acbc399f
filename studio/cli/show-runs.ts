import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentReport } from '../../schemas/agents.ts';
import type { LiveAbout, LiveRun } from '../agents/live-runs.ts';
import { BUILT_PAGES, ensurePages } from '../api/build-pages.ts';
import { newPagesName } from '../api/logins.ts';
import { userHome } from '../session/home.ts';
import type { CliContext } from './context.ts';
import { openBrowser } from './open-browser.ts';

/** An event of a stream is on its way by then, ms. */
const SENT_MS = 500;

/** Shows runs of this process in a page: a studio of its own, which ends with the command. */
type ShownRuns = {
  /**
   * Tells the page's address, opens it, and does `work` as a run that can be looked at there. `after`: a page that shows that run
   * leads to this one by itself, and no other is opened.
   */
  follow<R extends AgentReport | null>(
    about: Shown,
    work: (live: LiveRun) => Promise<R>,
    after?: LiveRun | null,
  ): Promise<R>;
  close(): Promise<void>;
};
type Shown = Omit<LiveAbout, 'ws' | 'changed'>;

/** Throws what making the pages and listening throw. */
export async function showRuns(
  dir: string,
  { build, browser }: { build: boolean; browser: boolean },
  context: CliContext,
): Promise<ShownRuns> {
  // A run that nobody watches needs no server.
  const [{ listen }, { createStudio }] = await Promise.all([import('../api/listen.ts'), import('../api/studio.ts')]);
  const home = userHome();
  const pages = build ? await ensurePages(context.progress) : BUILT_PAGES;
  const studio = createStudio({ version: context.version, home, repair: false });
  try {
    const { id: ws } = await studio.workspaces.open(dir, { create: false });
    const listening = await listen({ studio, pages, port: 0, name: newPagesName() });
    let closeBrowser = (): void => undefined;
    return {
      async follow({ task, goal, agent, model, limits, temperature, answers = false }, work, after = null) {
        const { changes } = await studio.workspaces.get(ws);
        const changed = (): void => changes.publish({ what: 'runs' });
        const live = studio.runs.begin({ ws, task, goal, agent, model, limits, temperature, answers, changed });
        const at = (kind: 'once' | 'printed'): string => {
          const url = new URL(listening.login(kind));
          url.pathname = `/w/${encodeURIComponent(ws)}/runs/${live.id}`;
          return url.href;
        };
        context.progress(`The page, which signs a browser in for ten minutes: ${at('printed')}`);
        after?.goesOnIn(live.id);
        if (!after) {
          closeBrowser();
          if (browser) closeBrowser = openBrowser(home, at('once'));
        }
        const report = await live.follow(work(live));
        // The page stays behind when this process ends: it is to have heard the outcome.
        if (live.isWatched()) await sleep(SENT_MS);
        return report;
      },
      async close() {
        closeBrowser();
        await listening.close();
        await studio.close();
      },
    };
  } catch (error) {
    await studio.close();
    throw error;
  }
}
