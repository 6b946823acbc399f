import type { Page } from 'playwright-core';
import { afterAll, describe, it } from 'vitest';
import { studioFixture } from '../../support/studio-fixture.ts';
import {
  byKeyboard,
  byMouse,
  expectNoMoreSteps,
  type Job,
  type Steps,
  stepTable,
  type Way,
} from '../../support/ten-jobs.ts';
import { WITH_KEYBOARD } from '../../support/ten-jobs-keyboard.ts';
import type { JobId, Plan } from '../../support/ten-jobs-made.ts';
import { WITH_MOUSE } from '../../support/ten-jobs-mouse.ts';

/**
 * The ten jobs that the studio is for, done once by mouse alone and once by keyboard alone. A job that takes more steps
 * than the number beside it fails, and null is not walked yet: lower the number when a job became
 * shorter, and raise it only for a good reason.
 */

const JOBS = {
  sample: job('1 sample, five steps', 28, 32, '2 clicks, Enter, 3 to 4 keys a step'),
  make: job('2 workspace, task, annotate', null, 39, '3 + 3 + 4 + about 40 keys', 'the recording'),
  review: job('3 reject, repair, approve', null, null, 'about 25 keys', 'the annotation of the first round'),
  freeze: job('4 filter, split, freeze', 12, 11, '9 clicks', 'six recordings'),
  export: job('5 export', 3, 24, '3 clicks', 'six recordings'),
  evaluate: job('6 questions, predictions, case', null, null, '6 clicks', 'the annotation, the predictions'),
  video: job('7 video with transcript', 5, null, 'a path and 2 clicks', 'the video and its .srt'),
  settings: job('8 shortcut, dark, palette', 9, null, '4'),
  unknown: job('9 unknown program, to recording', null, null, '3 commands'),
  share: job('10 share', 3, null, '3 clicks', 'six recordings'),
} satisfies Record<JobId, Job>;

function job(name: string, mouse: number | null, keyboard: number | null, first: string, prepared = ''): Job {
  return { name, mouse, keyboard, first, prepared };
}

function walks<Hand>(
  way: Way,
  plans: Partial<Record<JobId, Plan<Hand>>>,
  steps: (page: Page, origin: string, walk: (hand: Hand) => Promise<void>) => Promise<Steps>,
): void {
  describe(`by ${way} alone`, () => {
    const studio = studioFixture();
    const counts = new Map<string, Steps>();
    afterAll(() => console.log(stepTable(Object.values(JOBS), way, counts)));
    it.each(Object.entries(plans) as [JobId, Plan<Hand>][])('%s', { timeout: 120_000 }, async (id, plan) => {
      const { at, walk, end } = await plan(studio);
      await studio.inWindow(at, async (page) => {
        const taken = await steps(page, studio.origin, walk);
        await end?.();
        counts.set(JOBS[id].name, taken);
        expectNoMoreSteps(JOBS[id], way, taken);
      });
    });
  });
}

walks('mouse', WITH_MOUSE, byMouse);
walks('keyboard', WITH_KEYBOARD, byKeyboard);
