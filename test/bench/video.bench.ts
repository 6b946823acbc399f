/**
 * Keyframes of a video without input: which share of the known steps each rule finds, and with how many pictures a step.
 *
 *     node test/bench/video.bench.ts [--steps 40]
 *
 * The videos: the sample recording's own film (its input says when its steps were), and made up desktops coded as other
 * tools do. A step is found when a kept picture shows what came of it before the next step begins. Ends with 1 when K10
 * finds less than 90 % of all, or takes more than 1.5 pictures a step.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SAMPLE_SHARE } from '../../core/keyframes/sample.ts';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { LIMITS } from '../../studio/import/limits.ts';
import { analyseVideo } from '../../studio/import/video/analyse.ts';
import { DESKTOP, desktopVideo, foundSteps, type KnownStep } from '../../studio/import/video/desktop-for-tests.ts';
import { takeVideo } from '../../studio/import/video/master.ts';
import { reduceRecording } from '../../studio/recordings/reduce.ts';
import { readFrames } from '../../studio/store/recording-folder.ts';

const { values } = parseArgs({ options: { steps: { type: 'string', default: '40' } } });
const RULES = [
  { name: 'K6, text', rule: 'K6', everyMs: 1000, share: SAMPLE_SHARE.text, gap: 1000 },
  { name: 'K6, share 0.02', rule: 'K6', everyMs: 500, share: 0.02, gap: 500 },
  { name: 'K9, text', rule: 'K9', everyMs: 1000, share: SAMPLE_SHARE.text, gap: 1000 },
  { name: 'K10', rule: 'K10', everyMs: 1000, share: 0, gap: 0 },
  { name: 'K11', rule: 'K11', everyMs: 1000, share: 0, gap: 0 },
] as const;
const SEEDS = [1, 2, 3];

type Film = { name: string; file: string; width: number; height: number; steps: Pick<KnownStep, 'from' | 'to'>[] };

const ffmpeg = await findFfmpeg();
const { signal } = new AbortController();
const folder = mkdtempSync(join(tmpdir(), 'studio-video-bench-'));
try {
  const films = [sample(), ...(await Promise.all(SEEDS.map(madeUp)))];
  console.log('| film | steps | rule | found | pictures a step |\n| --- | --- | --- | --- | --- |');
  const sums = new Map<string, { steps: number; found: number; kept: number }>();
  for (const film of films) {
    for (const { name, ...how } of RULES) {
      const { samples, frames } = await analyseVideo({
        ffmpeg,
        file: film.file,
        width: film.width,
        height: film.height,
        grid: false,
        signal,
        report: () => undefined,
        sample: how,
      });
      const zero = frames[0]!.pts; // analyseVideo gives at least one.
      const kept = samples.flatMap((one) => (one.kept ? [(one.pts - zero) / 1000] : []));
      const found = foundSteps(film.steps, kept);
      row(film.name, name, { steps: film.steps.length, found, kept: kept.length });
      const sum = sums.get(name) ?? { steps: 0, found: 0, kept: 0 };
      sums.set(name, { steps: sum.steps + film.steps.length, found: sum.found + found, kept: sum.kept + kept.length });
    }
  }
  for (const [name, sum] of sums) row('all', name, sum);
  const { steps, found, kept } = sums.get('K10')!; // It is one of the rules.
  if (found / steps < 0.9 || kept / steps > 1.5) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function row(film: string, rule: string, { steps, found, kept }: { steps: number; found: number; kept: number }): void {
  console.log(
    `| ${film} | ${steps} | ${rule} | ${Math.round((100 * found) / steps)} % | ${(kept / steps).toFixed(2)} |`,
  );
}

/** Times of its steps in its film: its clock runs from the first frame. */
function sample(): Film {
  const recordings = new URL('../../assets/sample/recordings/', import.meta.url).pathname;
  const dir = join(recordings, readdirSync(recordings)[0]!);
  const { recording, result } = reduceRecording(dir);
  const zero = readFrames(dir).frames[0]!.t;
  const steps = result.actions.map(({ start, end }) => ({ from: (start.t - zero) / 1e6, to: (end.t - zero) / 1e6 }));
  const { file, width, height } = recording.segments[0]!;
  return { name: 'sample', file: join(dir, file), width, height, steps };
}

/** The master that an import makes of the file. */
async function madeUp(seed: number): Promise<Film> {
  const given = join(folder, `${seed}.mp4`);
  const file = join(folder, `${seed}.mkv`);
  const steps = await desktopVideo(given, Number(values.steps), seed);
  await takeVideo(ffmpeg, given, file, LIMITS, signal);
  return { name: `made up ${seed}`, file, ...DESKTOP, steps };
}
