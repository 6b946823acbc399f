/**
 * Keystrokes of a reviewer a step that is accepted, over a recording that was annotated whole:
 *
 *     node test/bench/review.bench.ts [--steps 40] [--json]
 *
 * A real Chromium, the real studio. Every tenth step is fixed in place first and accepted so, as a reviewer does; the goal
 * and the subtasks' beginnings and titles are decided between the steps, and counted apart.
 */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { flag, machine, machineLine, mean, median, progress, report } from '../support/bench.ts';
import { countInPage, readCount } from '../support/count-inputs.ts';
import { openStudio, startBrowser } from '../support/studio-browser.ts';
import { makeRecording } from '../support/studio-recording.ts';
import { addPeople, annotateAndHandIn, chooseByKeys, reviewOf, reviewPage } from '../support/studio-review.ts';
import { startServer, studioHome } from '../support/studio-server.ts';
import { until } from '../support/until.ts';

const STEPS = Math.max(Number(flag('steps') ?? 40), 30);
const FIX_EVERY = 10;

const home = studioHome();
const dir = home.dir('workspace');
const server = await startServer({ home: home.home });
const browser = await startBrowser();
try {
  const { id: ws } = await server.api.workspaces.open({ dir, create: true });
  const [annotator = '', reviewer = ''] = await addPeople(server, ws, 'Annotator', 'Reviewer');
  const made = await makeRecording(path.join(dir, 'recordings'), { id: 'reviewed', steps: STEPS, marks: [12, 25] });
  const place = { server, ws, recording: made.id };
  progress('annotating');
  await annotateAndHandIn(place, annotator, made);
  const { page, context } = await openStudio(browser, server);
  await page.goto(`${server.origin}/w/${ws}/work`);
  await chooseByKeys(page, 'Reviewer');
  const work = await reviewPage(page, server, ws, made.id);
  await page.keyboard.press('Enter');
  await until('the claim', async () => (await reviewOf(place, reviewer)).claim?.person === reviewer);
  await page.evaluate(countInPage);

  progress('reviewing');
  const steps: number[] = [];
  const others: number[] = [];
  let fixed = 0;
  for (let at = await work.spoken(); !/^All decided/.test(await work.left()); ) {
    const before = await page.evaluate(readCount);
    const step = Number(/^Step (\d+)/.exec(at)?.[1] ?? 0);
    if (step > 0 && step % FIX_EVERY === 0) {
      await fixNarration(page);
      fixed++;
    }
    await page.keyboard.press('Enter');
    (step > 0 ? steps : others).push((await page.evaluate(readCount)) - before);
    const last = at;
    at = await until('the next item', async () => {
      const now = await work.spoken();
      return now !== last || /^All decided/.test(await work.left()) ? now : undefined;
    });
  }
  await until('every decision to be stored', async () => {
    const { decisions } = await reviewOf(place, reviewer);
    return decisions.length === steps.length + others.length;
  });
  const { decisions } = await reviewOf(place, reviewer);
  const accepted = decisions.filter(({ item }) => item.kind === 'step').length;
  const asFixed = decisions.filter(({ verdict }) => verdict === 'fixed').length;
  await context.close();
  const about = await machine();
  report(
    { bench: 'review', machine: about, chromium: browser.version(), steps, others, accepted, fixed, asFixed },
    [
      `Keystrokes an accepted step, ${STEPS} steps of which ${fixed} are fixed first: ${machineLine(about)}; Chromium ${browser.version()}`,
      `  steps                              median ${median(steps)}, mean ${mean(steps).toFixed(2)}, most ${Math.max(...steps)}   (target: median 1)`,
      `  goal, beginnings and titles (${others.length})    median ${median(others)}, mean ${mean(others).toFixed(2)}`,
      `  decisions in the log: ${accepted} of ${STEPS} steps, ${asFixed} of ${fixed} as fixed`,
    ].join('\n'),
  );
  if (accepted !== STEPS || asFixed !== fixed || median(steps) !== 1) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
  home.remove();
}

/** A word is put right: into the field, to its end, two letters, out of it. */
async function fixNarration(page: Page): Promise<void> {
  await page.keyboard.press('n');
  await page.keyboard.press('End');
  await page.keyboard.type(' 2');
  await page.keyboard.press('Enter');
}
