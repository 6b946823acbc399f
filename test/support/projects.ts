import { globSync } from 'node:fs';
import path from 'node:path';
import { OWN_PROCESS, SHARED } from './shared-files.ts';

/** Which test files each project of vitest runs. Every test file belongs to exactly one (scripts/shared-files.test.ts). */

/**
 * Tests that measure how memory and processor time grow with the input: those of one thread, which other files beside them
 * leave as they are. What other files left in the memory of a shared process would count, so each has one of its own.
 */
const GROWTH = '{core,studio,renderer}/**/{growth,*.growth}.test.ts';

/**
 * The end-to-end tests of `npm test`: one recording of a real screen to an export, one kill of each process, one tour of the
 * pages. The rest is run by `npm run test:all` (scripts/test.mjs).
 */
const FIRST = ['test/e2e/{export,kill-each}.e2e.ts', 'test/e2e/studio/tour.e2e.ts'];

/**
 * End-to-end tests that measure real time (how far frames and events are off, what a still screen costs), or in which a page of
 * Chromium is to hand over what another program paints: a second file beside would disturb what they look at.
 */
const ALONE = ['test/e2e/sync.e2e.ts', 'test/desktop/wayland.e2e.ts', 'test/wayland/{times,prove}.e2e.ts'];

/**
 * Tests without a display that go over every kill, every place in a file, every route or many whole archives, that start the
 * program or a server of its own again and again, or that hold one contract over many kinds of things: seconds of a processor
 * each, for what seldom breaks alone. `npm run test:all` runs them.
 */
const LATER = [
  'studio/import/{killed,foreign,fuzz,waiting}.test.ts',
  'studio/import/{ducktrack/mended,video/odd-videos}.test.ts',
  'studio/import/archive/{history,reports,version}.test.ts',
  'studio/import/{naturalgaia,owamcap,videocua}/*.test.ts',
  'studio/{documents/review,cli}/kept-from.test.ts',
  'studio/cli/{agents,calls,documented,draft,library,missing-files,pipe,server,trust,visible}.test.ts',
  'studio/agents/resume.test.ts',
  'studio/api/{full-disk,kept-files,long-answers,threads}.test.ts',
  'studio/api/team/{database-away,foreign,machine,oidc,uploads,walk,wire}.test.ts',
  'studio/datasets/{bad-recordings,every-recording,terms}.test.ts',
  'studio/datasets/evaluate/{aids,query-frames}.test.ts',
  'studio/datasets/export/{edges,odd-tasks,said-or-placed,splits,validate-videogui}.test.ts',
  'studio/datasets/export/{task-holds,validate/apart}.test.ts',
  'studio/files/{attacks,blobs/blobs,blobs/s3}.test.ts',
  'studio/growth/patterns.test.ts',
  'studio/play/checks/{element,setting,whole}.test.ts',
  'studio/play/{read-times,stage/home-copy}.test.ts',
  'studio/recordings/{kept-files,playback,texts/reader}.test.ts',
  'studio/session/{database-faults,shared-bytes}.test.ts',
  'studio/session/push/*.test.ts',
  'studio/store/{backups/backups,contract/postgres,postgres/*}.test.ts',
  'studio/import/video/regions.test.ts',
  'studio/documents/review/{blind,edges,kill,three-people}.test.ts',
  'studio/documents/kill.test.ts',
  'native/ffmpeg/jobs.test.ts',
  'native/process/process.test.ts',
  'native/screen/{by-ffmpeg/recorder,outside}.test.ts',
];

const ROOT = path.join(import.meta.dirname, '..', '..');

/** By name: a pattern cannot take back what another leaves out. */
const shared = globSync(SHARED, { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !OWN_PROCESS.includes(file));

export type FilesOfProject = { include: string[]; exclude: string[] };

export const FILES = {
  unit: {
    include: ['{native,studio,electron,scripts}/**/*.test.ts', ...OWN_PROCESS],
    exclude: [...shared, GROWTH, ...LATER],
  },
  pure: { include: SHARED, exclude: [...OWN_PROCESS, GROWTH, ...LATER] },
  first: { include: FIRST, exclude: [] },
  alone: { include: ALONE, exclude: [] },
  e2e: { include: ['test/{e2e,desktop,wayland}/**/*.e2e.ts'], exclude: [...ALONE, ...FIRST] },
  windows: { include: ['test/windows/*.e2e.ts'], exclude: [] },
  later: { include: LATER, exclude: [] },
  growth: { include: [GROWTH], exclude: [] },
} satisfies Record<string, FilesOfProject>;
