import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startDisplay, type VirtualDisplay } from './display.ts';
import { studioFixture } from './studio-fixture.ts';
import { expectNoMoreSteps, type Job, type Steps, stepTable, type Way } from './ten-jobs.ts';
import type { JobId, Plan } from './ten-jobs-made.ts';

const both: readonly Way[] = ['mouse', 'keyboard'];

/**
 * A job that takes more steps than the number beside it fails: lower the number when a job became shorter, and raise it
 * only for a good reason.
 */
const JOBS = {
  sample: {
    name: '1 sample, five steps',
    mouse: 28,
    keyboard: 28,
    prepared: '',
    first: { words: '2 clicks, Enter, 3 to 4 keys a step', presses: 23 },
    fewer: both,
  },
  make: {
    name: '2 workspace, task, annotate',
    mouse: 23,
    keyboard: 24,
    prepared: 'the recording',
    first: { words: '3 + 3 + 4 + about 40 keys', presses: 50 },
    fewer: both,
  },
  review: {
    name: '3 reject, repair, approve',
    mouse: 24,
    keyboard: 24,
    prepared: 'the annotation of the first round',
    first: { words: 'about 25 keys', presses: 25 },
    fewer: both,
  },
  freeze: {
    name: '4 filter, split, freeze',
    mouse: 8,
    keyboard: 9,
    prepared: 'six recordings',
    first: { words: '9 clicks', presses: 9 },
    fewer: both,
  },
  export: {
    name: '5 export',
    mouse: 3,
    keyboard: 3,
    prepared: 'six recordings',
    first: { words: '3 clicks', presses: 3 },
    fewer: [],
  },
  evaluate: {
    name: '6 questions, predictions, case',
    mouse: 6,
    keyboard: 6,
    prepared: 'the annotation, the predictions',
    first: { words: '6 clicks', presses: 6 },
    fewer: both,
  },
  video: {
    name: '7 video with transcript',
    mouse: 4,
    keyboard: 4,
    prepared: 'the video and its .srt',
    first: { words: 'a path and 2 clicks, not to the recording', presses: null },
    fewer: [],
  },
  settings: {
    name: '8 shortcut, dark, palette',
    mouse: 5,
    keyboard: 5,
    prepared: '',
    first: { words: '4', presses: 4 },
    fewer: [],
  },
  unknown: {
    name: '9 unknown program, to recording',
    mouse: 8,
    keyboard: 8,
    prepared: 'the program, open',
    first: { words: '3 commands', presses: null },
    fewer: [],
  },
  share: {
    name: '10 share',
    mouse: 3,
    keyboard: 2,
    prepared: 'six recordings',
    first: { words: '3 clicks', presses: 3 },
    fewer: ['keyboard'],
  },
} satisfies Record<JobId, Job>;

const SCREEN = { width: 1024, height: 700 };

/** Walks the jobs one after another, in one studio with a screen of its own, and prints what they took. */
export function walks<Hand>(
  way: Way,
  plans: Record<JobId, Plan<Hand>>,
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
