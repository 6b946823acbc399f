import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SAMPLE_SHARE } from '../../../core/keyframes/sample.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { reduceRecording } from '../../recordings/reduce.ts';
import { readFrames } from '../../store/recording-folder.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { LIMITS } from '../limits.ts';
import { analyseVideo } from './analyse.ts';
import { DESKTOP, desktopVideo, foundSteps } from './desktop-for-tests.ts';
import { takeVideo } from './master.ts';

/** The known steps that a rule finds in a desktop's film; test/bench/video.bench.ts prints them for more films and rules. */

const folders = temporaryFolders();
afterEach(folders.clean);
const { signal } = new AbortController();
/** The length of the bench's films: the first and the last picture, which are always kept, weigh more in a shorter one. */
const STEPS = 40;

type Rule = { rule: 'K6' | 'K10' | 'K11'; everyMs: number; share: number; gap: number };
const K6: Rule = { rule: 'K6', everyMs: 1000, share: SAMPLE_SHARE.text, gap: 1000 };
const BY_REGIONS: Rule[] = [
  { ...K6, rule: 'K10' },
  { ...K6, rule: 'K11' },
];

async function keptIn(film: { file: string; width: number; height: number }, sample: Rule): Promise<number[]> {
  const ffmpeg = await findFfmpeg();
  const wanted = { ...film, ffmpeg, sample, grid: false, signal, report: () => undefined };
  const { samples, frames } = await analyseVideo(wanted);
  return samples.flatMap((one) => (one.kept ? [(one.pts - frames[0]!.pts) / 1000] : []));
}

test.each(BY_REGIONS)(
  '$rule finds nine of ten steps of the sample recording in at most 1.5 pictures each, where K6 finds hardly one',
  async (rule) => {
    const recordings = join(import.meta.dirname, '../../../assets/sample/recordings');
    const folder = join(recordings, readdirSync(recordings)[0]!);
    const { recording, result } = reduceRecording(folder);
    const zero = readFrames(folder).frames[0]!.t;
    const steps = result.actions.map(({ start, end }) => ({ from: (start.t - zero) / 1e6, to: (end.t - zero) / 1e6 }));
    const { file, width, height } = recording.segments[0]!;
    const film = { file: join(folder, file), width, height };
    const kept = await keptIn(film, rule);
    expect(foundSteps(steps, kept) / steps.length).toBeGreaterThanOrEqual(0.9);
    expect(kept.length / steps.length).toBeLessThanOrEqual(1.5);
    expect(foundSteps(steps, await keptIn(film, K6)) / steps.length).toBeLessThan(0.3);
  },
);

test('K10, and of a made up desktop that another tool filmed', async () => {
  const folder = folders.make();
  const [given, file] = [join(folder, 'given.mp4'), join(folder, 'screen.mkv')];
  const steps = await desktopVideo(given, STEPS, 1);
  await takeVideo(await findFfmpeg(), given, file, LIMITS, signal);
  const kept = await keptIn({ file, ...DESKTOP }, BY_REGIONS[0]!);
  expect(foundSteps(steps, kept) / steps.length).toBeGreaterThanOrEqual(0.9);
  expect(kept.length / steps.length).toBeLessThanOrEqual(1.5);
});
