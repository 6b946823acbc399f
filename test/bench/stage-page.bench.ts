/**
 * From a key in the page to its letter in the picture of the stage: the browser's own clock, from the key's event until the frame that
 * holds the letter was drawn.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/stage-page.bench.ts [--keys 200] [--json]
 *
 * Target: under 80 ms at the 95th percentile.
 */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { studioMust } from '../support/cli.ts';
import { openStudio, startShell } from '../support/studio-browser.ts';
import { startServer, studioHome } from '../support/studio-server.ts';

const keys = Number(flag('keys') ?? 200);
const TASK = 'XT_1';
/** A terminal without a caret that blinks: what changes on the screen is the letter. */
const RECIPE = {
  schema: 'trajectory-studio/recipe',
  version: 1,
  screen: { width: 1280, height: 800 },
  programs: [{ command: 'xterm', args: ['-T', 'typed', '-geometry', '100x40', '-e', 'cat'], window: 'typed' }],
};

async function makeTask(workspace: string): Promise<void> {
  const where = ['--workspace', workspace];
  await studioMust(['init', ...where]);
  await studioMust(['tasks', 'add', '--app', 'xterm', '--goal', 'Type', '--id', TASK, ...where]);
  const file = path.join(path.dirname(workspace), 'recipe.json');
  fs.writeFileSync(file, JSON.stringify(RECIPE));
  await studioMust(['tasks', 'attach', TASK, file, '--role', 'recipe', ...where]);
}

/** Presses keys one by one, each when the screen is still; gives the times, ms. */
async function times(page: Page): Promise<number[]> {
  const canvas = page.locator('canvas');
  await canvas.evaluate((element) => {
    const seen = { pressed: 0, took: [] as number[] };
    Object.assign(globalThis, { seen });
    window.addEventListener('keydown', ({ timeStamp }) => Object.assign(seen, { pressed: timeStamp }), {
      capture: true,
    });
    new MutationObserver(() => {
      if (seen.pressed === 0) return;
      seen.took.push(performance.now() - seen.pressed);
      seen.pressed = 0;
    }).observe(element, { attributes: true, attributeFilter: ['data-frame'] });
  });
  for (let n = 0; n < keys; n++) {
    await page.keyboard.press('abcdefgh'[n % 8] ?? 'a');
    await page.waitForFunction((count) => Reflect.get(globalThis, 'seen').took.length > count, n, { timeout: 10_000 });
    // What else comes of the key has come by then.
    await page.waitForTimeout(120);
    if ((n + 1) % 50 === 0) progress(`${n + 1} of ${keys} keys`);
  }
  return await page.evaluate(() => Reflect.get(globalThis, 'seen').took);
}

const home = studioHome();
const workspace = home.dir('workspace');
await makeTask(workspace);
const server = await startServer({ home: home.home });
const browser = await startShell();
try {
  const { id: ws } = await server.api.workspaces.open({ dir: workspace, create: false });
  const asked = await server.api.setup.asked({ ws, task: TASK });
  await server.api.setup.agree({ ws, task: TASK, hashes: asked.map(({ hash }) => hash) });
  const { run } = await server.api.runs.human({ ws, task: TASK });
  const { page } = await openStudio(browser, server, {}, `/w/${ws}/runs/${run}`);
  await page.locator('canvas[data-frame]').waitFor({ timeout: 60_000 });
  await page.locator('textarea').focus();
  await page.waitForTimeout(1500);
  const took = await times(page);
  await server.api.runs.command({ ws, run, what: 'stop' });
  const sorted = took.toSorted((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  const about = await machine();
  const load = os.loadavg()[0] ?? 0;
  const text = [
    `From a key to its letter in the picture, ${took.length} keys, 1280 x 800`,
    machineLine(about),
    `  median ${median(took).toFixed(0)} ms, 95th percentile ${p95.toFixed(0)} ms (target: under 80 ms), slowest ${sorted.at(-1)?.toFixed(0)} ms; load ${load.toFixed(1)}`,
  ].join('\n');
  report({ bench: 'stage-page', machine: about, load, median: median(took), p95, took }, text);
} finally {
  await browser.close();
  await server.stop();
  home.remove();
}
