/**
 * From saving a file to seeing the change, with `npm run dev`: a style, a text and a route; beside it what had to be done
 * without it: build the pages and start the studio anew.
 *
 *     node test/bench/dev.bench.ts [--rounds 5] [--json]
 *
 * Goals: a style and a text within a second, a route within three.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startDev } from '../support/dev-studio.ts';
import { openStudio, startBrowser } from '../support/studio-browser.ts';
import { startServer, studioHome } from '../support/studio-server.ts';
import { until } from '../support/until.ts';

const ROUNDS = Number(flag('rounds') ?? 5);
const BUILDER = fileURLToPath(new URL('../../studio/api/build-main.ts', import.meta.url));

/** ms from `change` until `seen` holds; it is looked every few ms. */
async function timed(change: () => void, seen: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  change();
  await until('the change', seen, { everyMs: 5 });
  return performance.now() - began;
}

/** ms: what a change needed before: the pages built, the studio started, a page opened. */
async function withoutDev(browser: Awaited<ReturnType<typeof startBrowser>>): Promise<number> {
  const home = studioHome();
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [BUILDER], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const server = await startServer({ home: home.home });
  try {
    const { context } = await openStudio(browser, server);
    const took = performance.now() - began;
    await context.close();
    return took;
  } finally {
    await server.stop();
    home.remove();
  }
}

const browser = await startBrowser();
const dev = await startDev();
try {
  const times = { style: [] as number[], text: [] as number[], route: [] as number[], without: [] as number[] };
  const { page } = await openStudio(browser, dev);
  const title = page.locator('h1');
  const health = (): Promise<string> => page.evaluate(async () => (await fetch('/health')).text());
  let [style, text, route] = ['letter-spacing: -0.02em;', "{tr('Trajectory Studio')}", "name: 'trajectory-studio'"];
  for (let round = 1; round <= ROUNDS; round++) {
    const [px, words, name] = [`${round}px`, `Title ${round}`, `route-${round}`];
    const nextStyle = `letter-spacing: ${px};`;
    times.style.push(
      await timed(
        () => dev.change('renderer/welcome/page.module.css', style, nextStyle),
        async () => (await title.evaluate((one) => getComputedStyle(one).letterSpacing)) === px,
      ),
    );
    const nextText = `{'${words}'}`;
    times.text.push(
      await timed(
        () => dev.change('renderer/welcome/page.tsx', text, nextText),
        async () => (await title.textContent()) === words,
      ),
    );
    const nextRoute = `name: '${name}'`;
    times.route.push(
      await timed(
        () => dev.change('studio/api/handler.ts', route, nextRoute),
        async () => (await health()).includes(`"${name}"`),
      ),
    );
    [style, text, route] = [nextStyle, nextText, nextRoute];
    times.without.push(await withoutDev(browser));
    progress(`${round} of ${ROUNDS}`);
  }
  const about = await machine();
  const without = median(times.without);
  const line = (what: string, all: readonly number[], goal: number): string =>
    `  ${what.padEnd(18)} ${(median(all) / 1000).toFixed(2).padStart(6)} s   goal ${goal} s   ${(median(all) / without).toFixed(2)} of the way without`;
  const lines = [
    `From saving a file to seeing it with \`npm run dev\`, median of ${ROUNDS}`,
    machineLine(about),
    '',
    line('a style', times.style, 1),
    line('a text', times.text, 1),
    line('a route', times.route, 3),
    `  without: build the pages, start the studio, open a page: ${(without / 1000).toFixed(2)} s`,
  ];
  report({ bench: 'dev', machine: about, times }, lines.join('\n'));
} finally {
  await dev.stop();
  await browser.close();
}
