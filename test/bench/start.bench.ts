/**
 * From the start of the desktop host to the first page shown: the real host, preload script, studio process and pages, over
 * the double of Electron's functions with a real Chromium that runs already. So it is what the host does before the first
 * page shows; what Electron itself needs to start comes on top and is not in it.
 *
 *     node test/bench/start.bench.ts [--rounds 7] [--json]
 *
 * Beside it: the same page in the same Chromium from `npm run studio -- serve`, whose address is opened once it is printed.
 */
import type { Browser } from 'playwright-core';
import { buildDesktop } from '../../scripts/desktop-build.mjs';
import { startWithDouble } from '../desktop/with-double.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { startDisplay } from '../support/display.ts';
import { openStudio, startBrowser } from '../support/studio-browser.ts';
import { startServer, studioHome } from '../support/studio-server.ts';

const ROUNDS = Number(flag('rounds') ?? 7);
const SIZE = { width: 1366, height: 860 };

type Desktop = { window: number; studio: number; page: number; menu: number };

/** ms after the start: the window is made, the studio process answers, the first page is painted, its menu is there. */
async function desktopOnce(browser: Browser, env: NodeJS.ProcessEnv): Promise<Desktop> {
  const driver = await startWithDouble({ browser, env, size: SIZE });
  try {
    const since = () => performance.now() - driver.startedAt;
    const { page: opening } = await driver.window();
    const window = since();
    const page = await opening;
    const answered = page.waitForResponse((response) => response.ok()).then(since);
    // What fails first is told; this fails after it, when the window is closed.
    answered.catch(() => undefined);
    await page.locator('h1').first().waitFor();
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    const shown = since();
    const menuShown = async () => (await driver.menuItem('welcome.new')) !== null;
    while (!(await menuShown())) await new Promise((resolve) => setTimeout(resolve, 5));
    return { window, studio: await answered, page: shown, menu: since() };
  } finally {
    await driver.stop();
  }
}

async function browserOnce(browser: Browser, env: NodeJS.ProcessEnv): Promise<number> {
  const home = studioHome();
  const start = performance.now();
  const server = await startServer({ home: home.home, env });
  try {
    const { context } = await openStudio(browser, server, SIZE);
    const shown = performance.now() - start;
    await context.close();
    return shown;
  } finally {
    await server.stop();
    home.remove();
  }
}

await buildDesktop();
const display = await startDisplay(SIZE);
const browser = await startBrowser();
try {
  progress('once each, so that everything is built and cached');
  await desktopOnce(browser, display.env);
  await browserOnce(browser, display.env);
  const desktop: Desktop[] = [];
  const inBrowser: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    desktop.push(await desktopOnce(browser, display.env));
    inBrowser.push(await browserOnce(browser, display.env));
    progress(`${round} of ${ROUNDS}`);
  }
  const of = (name: keyof Desktop) => median(desktop.map((one) => one[name]));
  const pages = desktop.map(({ page }) => page);
  const alternative = median(inBrowser);
  const about = await machine();
  report(
    { bench: 'start', machine: about, chromium: browser.version(), desktop, inBrowser },
    [
      `Start of the desktop app, ${ROUNDS} rounds, over the double of Electron (its own start is not in it)`,
      `${machineLine(about)}; Chromium ${browser.version()}`,
      `  the window is made                       ${of('window').toFixed(0)} ms`,
      `  the studio process answers               ${of('studio').toFixed(0)} ms`,
      `  the first page is painted                ${of('page').toFixed(0)} ms (${Math.min(...pages).toFixed(0)} to ${Math.max(...pages).toFixed(0)})`,
      `  the native menu has the page's commands  ${of('menu').toFixed(0)} ms`,
      `  the same page from \`serve\`, in a browser ${alternative.toFixed(0)} ms`,
      `  desktop / browser: ${(of('page') / alternative).toFixed(2)}`,
    ].join('\n'),
  );
} finally {
  await browser.close();
  await display.stop();
}
// The host's listeners outlive it: it is made to run in a process of its own.
process.exit(0);
