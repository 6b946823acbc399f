import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startDisplay, type VirtualDisplay } from './display.ts';
import { studioFixture } from './studio-fixture.ts';
import { expectNoMoreSteps, type Job, type Steps, stepTable, type Way } from './ten-jobs.ts';
import type { JobId, Plan } from './ten-jobs-made.ts';

/**
 * A job that takes more steps than the number beside it fails, and null is not walked yet: lower the number when a job
 * became shorter, and raise it only for a good reason.
 */
const JOBS = {
  sample: job('1 sample, five steps', 28, 32, '2 clicks, Enter, 3 to 4 keys a step'),
  make: job('2 workspace, task, annotate', null, 39, '3 + 3 + 4 + about 40 keys', 'the recording'),
  review: job('3 reject, repair, approve', null, null, 'about 25 keys', 'the annotation of the first round'),
  freeze: job('4 filter, split, freeze', 10, 11, '9 clicks', 'six recordings'),
  export: job('5 export', 3, 3, '3 clicks', 'six recordings'),
  evaluate: job('6 questions, predictions, case', null, null, '6 clicks', 'the annotation, the predictions'),
  video: job('7 video with transcript', 4, 4, 'a path and 2 clicks', 'the video and its .srt'),
  settings: job('8 shortcut, dark, palette', 9, 9, '4'),
  unknown: job('9 unknown program, to recording', null, null, '3 commands', 'the program, open'),
  share: job('10 share', 3, 3, '3 clicks', 'six recordings'),
} satisfies Record<JobId, Job>;

function job(name: string, mouse: number | null, keyboard: number | null, first: string, prepared = ''): Job {
  return { name, mouse, keyboard, first, prepared };
}

const SCREEN = { width: 1024, height: 700 };

/** Walks the jobs one after another, in one studio with a screen of its own, and prints what they took. */
export function walks<Hand>(
  way: Way,
  plans: Partial<Record<JobId, Plan<Hand>>>,
  steps: (page: Page, origin: string, walk: (hand: Hand) => Promise<void>) => Promise<Steps>,
): void {
  describe(`by ${way} alone`, () => {
    const counts = new Map<string, Steps>();
    let display: VirtualDisplay;
    beforeAll(async () => {
      display = await startDisplay(SCREEN);
    });
    // Hooks that come first end last: the display is there as long as the studio.
    afterAll(async () => {
      console.log(stepTable(Object.values(JOBS), way, counts));
      await display?.stop();
    });
    const studio = studioFixture({ env: () => display.env });
    it.each(Object.entries(plans) as [JobId, Plan<Hand>][])('%s', async (id, plan) => {
      const { at, walk, end } = await plan(studio, display);
      await studio.inWindow(at, async (page) => {
        const taken = await steps(page, studio.origin, walk);
        await end?.();
        counts.set(JOBS[id].name, taken);
        expectNoMoreSteps(JOBS[id], way, taken);
      });
    });
  });
}
