/**
 * `npm run screenshots`: every page of the studio, light and dark, small and large, as pictures.
 *
 *     node scripts/screenshots.ts [--out screenshots] [--only annotate,library] [--sizes 1366x768] [--language de]
 *
 * Starts the real server on a home of its own, fills it, and looks at it with a real Chromium.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { flag, has } from '../test/support/bench.ts';
import { openStudio, startBrowser } from '../test/support/studio-browser.ts';
import { type StudioServer, startServer, studioHome } from '../test/support/studio-server.ts';
import { everyPlace, type Place, settled } from '../test/support/studio-tour.ts';

if (has('help')) {
  console.log(`Every page of the studio as a picture: light and dark, small and large.

  npm run screenshots -- --out pictures                         all pages (screenshots/ when left out)
  npm run screenshots -- --only annotate,library                these pages alone
  npm run screenshots -- --sizes 1024x700,1366x768              windows of these sizes (1366x768,2560x1440)
  npm run screenshots -- --language de                          in a browser of this language (en-US)`);
  process.exit(0);
}
const OUT = path.resolve(flag('out') ?? 'screenshots');
const ONLY = flag('only')?.split(',') ?? null;
const SIZES = (flag('sizes') ?? '1366x768,2560x1440').split(',').map((size) => {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { width, height };
});
const LANGUAGE = flag('language') ?? 'en-US';
const SCHEMES = ['light', 'dark'] as const;
const home = studioHome();
let server: StudioServer | null = null;
let browser: Browser | null = null;
try {
  server = await startServer({ home: home.home });
  browser = await startBrowser();
  await shootAll(browser, server, [{ name: 'welcome-first', at: '/', ready: settled }]);
  await shootAll(browser, server, await everyPlace(server, home));
} finally {
  await browser?.close();
  await server?.stop();
  home.remove();
}

async function shootAll(browser: Browser, server: StudioServer, places: readonly Place[]): Promise<void> {
  fs.mkdirSync(OUT, { recursive: true });
  for (const { width, height } of SIZES) {
    for (const scheme of SCHEMES) {
      const { page, context, faults } = await openStudio(browser, server, {
        width,
        height,
        scheme,
        language: LANGUAGE,
      });
      for (const { name, at, ready } of places) {
        if (ONLY && !ONLY.includes(name)) continue;
        await page.goto(`${server.origin}${at}`);
        await ready(page);
        const file = path.join(OUT, `${name}-${scheme}-${width}x${height}.png`);
        await page.screenshot({ path: file });
        console.log(path.relative(process.cwd(), file));
      }
      for (const fault of faults) console.error(`  ${fault}`);
      await context.close();
    }
  }
}
