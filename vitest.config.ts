import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { homeFolder } from './test/support/home-folder.ts';
import { memoryFolder } from './test/support/memory-folder.ts';
import { OWN_PROCESS, SHARED } from './test/support/shared-files.ts';

/**
 * Tests that measure how memory and processor time grow with the input, which a second file beside them would disturb, as
 * would what other files left in the memory of a process that they share.
 */
const GROWTH = '{core,studio,renderer}/**/{growth,*.growth}.test.ts';

/**
 * The end-to-end tests of `npm test`: one recording of a real screen to an export, one kill of each process, one tour of the
 * pages. The rest is run by `npm run test:all` (scripts/test.mjs).
 */
const FIRST = ['test/e2e/{export,kill-each}.e2e.ts', 'test/e2e/studio/tour.e2e.ts'];

/**
 * End-to-end tests that measure real time (how far frames and events are off, what programs answer between looking and
 * pressing), or in which Chromium shares the screen: a second file beside would disturb what they look at.
 */
const ALONE = [
  'test/e2e/{sync,elements,typed-text,pasted-text}.e2e.ts',
  'test/desktop/wayland.e2e.ts',
  'test/wayland/*.e2e.ts',
  GROWTH,
];

/**
 * Tests without a display that go over every kill, every place in a file, every route or many whole archives: many seconds
 * each, for what seldom breaks alone. `npm run test:all` runs them.
 */
const LATER = [
  'studio/import/{killed,foreign,fuzz,waiting}.test.ts',
  'studio/import/{ducktrack/mended,video/odd-videos}.test.ts',
  'studio/import/archive/version.test.ts',
  'studio/{review,cli}/kept-from.test.ts',
  'studio/cli/missing-files.test.ts',
  'studio/export/{edges,validate-videogui}.test.ts',
  'studio/files/attacks.test.ts',
  'studio/growth/patterns.test.ts',
  'studio/session/database-faults.test.ts',
  'studio/import/video/regions.test.ts',
  'studio/review/{edges,kill,three-people}.test.ts',
  'studio/documents/kill.test.ts',
  'native/screen/by-ffmpeg/recorder.test.ts',
];

/** Begun first, so that none of them is left over when all others have ended. */
const LONG = [
  'e2e/exact-actions',
  'e2e/kills',
  'desktop/host',
  'studio/accessible',
  'e2e/lifecycle',
  'e2e/nothing-lost',
  'e2e/npm-package',
  'studio/review',
  'studio/dataset',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      return at < 0 ? LONG.length : at;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    // A stable sort: vitest's own order, by the time of the last run, stays among the others of a project.
    return sorted.sort((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || rank(a) - rank(b));
  }
}

const CORES = os.availableParallelism();

const memory = memoryFolder();
/** What tests agree to, choose and keep is not left in the home of whoever runs them. */
const HOME = { TRAJECTORY_STUDIO_HOME: homeFolder(memory ?? os.tmpdir()) };

/**
 * Each has its own display, studio and browser, and waits for what it sees, however long that takes. They wait for hands and
 * pages about half of the time, so that one more than there are cores keeps a small machine busy.
 */
const BESIDE = {
  globalSetup: './test/support/built-desktop.ts',
  maxWorkers: Math.min(CORES, 3) + 1,
  testTimeout: 240_000,
  hookTimeout: 120_000,
  env: HOME,
};

/** Vitest's own choice on two cores is one. Nothing is measured by the limits: on a busy machine a process may take seconds to start. */
const UNIT = {
  maxWorkers: Math.max(2, CORES - 1),
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  // The end-to-end tests stay on the disk: they show that the product works as it is used.
  env: memory === null ? HOME : { ...HOME, TMPDIR: memory },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{native,studio,electron,scripts}/**/*.test.ts', ...OWN_PROCESS],
          exclude: [...SHARED.filter((files) => files.startsWith('studio/')), GROWTH, ...LATER],
          sequence: { groupOrder: 0 },
          ...UNIT,
        },
      },
      {
        test: {
          name: 'pure',
          include: SHARED,
          exclude: [...OWN_PROCESS, GROWTH, ...LATER],
          isolate: false,
          sequence: { groupOrder: 0 },
          ...UNIT,
        },
      },
      { test: { name: 'later', include: LATER, sequence: { groupOrder: 5 }, ...UNIT } },
      { test: { name: 'first', include: FIRST, sequence: { groupOrder: 1 }, ...BESIDE } },
      {
        test: {
          name: 'alone',
          include: ALONE,
          globalSetup: './test/support/built-desktop.ts',
          fileParallelism: false,
          env: HOME,
          // Nothing is measured by the limits: on a busy machine a compositor alone may take a minute.
          testTimeout: 240_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'windows',
          include: ['test/windows/*.e2e.ts'],
          fileParallelism: false,
          env: HOME,
          // Wine is slow to start, and the first time a prefix is made.
          testTimeout: 600_000,
          hookTimeout: 900_000,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/{e2e,desktop}/**/*.e2e.ts'],
          exclude: [...ALONE, ...FIRST],
          sequence: { groupOrder: 3 },
          ...BESIDE,
        },
      },
    ],
  },
});
