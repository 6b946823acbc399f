import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { WITH_BUILT_PACKAGES } from './native/process/with-built-packages.ts';
import { homeFolder } from './test/support/home-folder.ts';
import { memoryFolder } from './test/support/memory-folder.ts';
import { FILES } from './test/support/projects.ts';

/**
 * Begun first, the longest first, so that none of them is left over when all others have ended. Without times of an earlier run
 * (a fresh clone) vitest goes by the size of a file, and some of the smallest play a demonstration ten times.
 */
const LONG = [
  // Of the first tier.
  'e2e/kill-each',
  'e2e/export',
  'studio/tour.e2e',
  'stage/stage.test',
  'cli/cli.test',
  'agents/drive.test',
  'checks/checks.test',
  'datasets/datasets.test',
  'export/formats.test',
  'stage/disk-watch',
  // Of the second.
  'studio/accessible',
  'windows/windows',
  'growth/growth.test',
  'e2e/exact-actions',
  'e2e/play-restless',
  'e2e/nothing-lost',
  'e2e/perform-hands',
  'e2e/play.e2e',
  'studio/record.e2e',
  'windows/play',
  'e2e/npm-ci',
  'e2e/play-killed',
  'e2e/compositions.e2e',
  'e2e/compositions-own-day',
  'e2e/secrets',
  'e2e/passwords',
  'studio/stage-page',
  'import/killed',
  'e2e/play-reset',
  'e2e/kills',
  'desktop/host',
  'e2e/lifecycle',
  'e2e/npm-package',
  'cli/server.test',
  'push/killed',
  'e2e/compositions-broken',
  'studio/team-proxy',
  'studio/review.e2e',
  'studio/dataset.e2e',
  'studio/compare.e2e',
  // Short ones, which as the smallest files of all would come last, one after another.
  'windows/displays',
  'windows/elements',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((part) => moduleId.includes(part));
      return at < 0 ? LONG.length : at;
    };
    const sorted = await super.sort(files);
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // A stable sort: vitest's own order, by the time of the last run, stays among the others of a project.
    return sorted.sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}

/** How many times as often each law is tried as its test says (npm run test:laws); 1 in an ordinary run. */
const LAW_TIMES = Number(process.env.STUDIO_LAW_TIMES ?? 1);
const MANY_RUNS = path.join(import.meta.dirname, 'test', 'support', 'many-runs.ts');
const LAWS = LAW_TIMES === 1 ? {} : { resolve: { alias: [{ find: /^fast-check$/, replacement: MANY_RUNS }] } };

const CORES = os.availableParallelism();

const memory = memoryFolder();
/** What tests agree to, choose and keep is not left in the home of whoever runs them. */
const HOME = { TRAJECTORY_STUDIO_HOME: homeFolder(memory ?? os.tmpdir()) };

/** One more than there are cores: about half of the time a file waits for hands, pages, programs or the disk. */
const BESIDE_WORKERS = Math.min(CORES, 3) + 1;

/** Each has its own display, studio and browser, and waits for what it sees, however long that takes. */
const BESIDE = {
  globalSetup: './test/support/built-desktop.ts',
  execArgv: [...WITH_BUILT_PACKAGES],
  maxWorkers: BESIDE_WORKERS,
  testTimeout: 240_000,
  hookTimeout: 120_000,
  env: HOME,
};

/** Vitest's own choice on two cores is one. Nothing is measured by the limits: on a busy machine a process may take seconds to start. */
const UNIT = {
  maxWorkers: Math.max(BESIDE_WORKERS, CORES - 1),
  testTimeout: 120_000 * LAW_TIMES,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  // Tests make much that lives for a moment: a larger young generation is collected less often.
  execArgv: ['--max-semi-space-size=64', ...WITH_BUILT_PACKAGES],
  // The end-to-end tests stay on the disk: they show that the product works as it is used.
  env: memory === null ? HOME : { ...HOME, TMPDIR: memory },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...LAWS,
        test: {
          name: 'unit',
          ...FILES.unit,
          sequence: { groupOrder: 0 },
          ...UNIT,
        },
      },
      {
        ...LAWS,
        test: {
          name: 'pure',
          ...FILES.pure,
          isolate: false,
          sequence: { groupOrder: 0 },
          ...UNIT,
        },
      },
      {
        ...LAWS,
        test: { name: 'later', ...FILES.later, sequence: { groupOrder: 3 }, ...UNIT, maxWorkers: BESIDE_WORKERS },
      },
      {
        test: {
          name: 'growth',
          ...FILES.growth,
          sequence: { groupOrder: 3 },
          execArgv: [...WITH_BUILT_PACKAGES],
          env: HOME,
          maxWorkers: BESIDE_WORKERS,
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
      // Beside the unit tests, with as many workers as they have: their three files wait more than they compute.
      {
        test: { name: 'first', ...FILES.first, sequence: { groupOrder: 0 }, ...BESIDE, maxWorkers: UNIT.maxWorkers },
      },
      {
        test: {
          name: 'alone',
          ...FILES.alone,
          globalSetup: './test/support/built-desktop.ts',
          fileParallelism: false,
          execArgv: [...WITH_BUILT_PACKAGES],
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
          ...FILES.windows,
          maxWorkers: BESIDE_WORKERS,
          execArgv: [...WITH_BUILT_PACKAGES],
          env: HOME,
          // Wine is slow to start, and the first time a prefix is made.
          testTimeout: 600_000,
          hookTimeout: 900_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'e2e',
          ...FILES.e2e,
          sequence: { groupOrder: 3 },
          ...BESIDE,
          maxWorkers: BESIDE_WORKERS,
        },
      },
    ],
  },
});
