import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StudioError } from '../../schemas/errors.ts';
import { type FfmpegInfo, findFfmpeg } from './find.ts';
import { makePlayback, type PlaybackSegment, playbackFilter, playbackSegments } from './jobs.ts';

let folder: string;
let ffmpeg: FfmpegInfo;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jobs-'));
  ffmpeg = await findFfmpeg();
});
afterAll(() => rmSync(folder, { recursive: true }));

const COLOURS = { red: 'ff0000', green: '00ff00', blue: '0000ff', white: 'ffffff' };

/** A lossless segment like the recorder's: one frame of a colour at each time, ms. */
function segment(name: string, size: string, frames: [ms: number, colour: keyof typeof COLOURS][]): string {
  const file = join(folder, name);
  const [width, height] = size.split('x').map(Number) as [number, number];
  const pixels = frames.map(([, colour]) => Buffer.alloc(width * height * 3, Buffer.from(COLOURS[colour], 'hex')));
  const times = frames.reduceRight((rest, [ms], index) => `if(eq(N\\,${index})\\,${ms * 1000}\\,${rest})`, '0');
  execFileSync(
    ffmpeg.path,
    [
      ...['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', '30', '-i', '-'],
      ...['-vf', `settb=1/1000000,setpts=${times}`, '-fps_mode', 'passthrough', '-enc_time_base', '1:1000000'],
      ...['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0', '-tune', 'zerolatency', '-f', 'matroska', file],
    ],
    { input: Buffer.concat(pixels) },
  );
  return file;
}

function probe(file: string, entries: string): string[] {
  const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', entries, '-of', 'csv=p=0', file];
  return execFileSync('ffprobe', args).toString().trim().split('\n');
}

/** Presentation times (ms) of every frame, and the colour near the top left, each channel to the nearest of 0 and ff. */
function shown(file: string): [number, string][] {
  const times = probe(file, 'packet=pts_time').map((line) => Math.round(Number.parseFloat(line) * 1000));
  const pixels = execFileSync(ffmpeg.path, [
    ...[
      '-v',
      'error',
      '-i',
      file,
      '-fps_mode',
      'passthrough',
      '-vf',
      'crop=2:2:8:8,scale=1:1,format=rgb24',
      '-f',
      'rawvideo',
      '-',
    ],
  ]);
  // A last packet at the very end only makes the file long enough: players show nothing of it.
  return times.slice(0, pixels.length / 3).map((ms, index) => {
    const colour = [...pixels.subarray(index * 3, index * 3 + 3)].map((value) => (value > 127 ? 'ff' : '00')).join('');
    return [ms, colour];
  });
}

test('every frame stands at its own time, 4:2:0, index first', async () => {
  const frames: [number, keyof typeof COLOURS][] = [
    [0, 'red'],
    [137, 'green'],
    [170, 'blue'],
    [2503, 'white'],
  ];
  const output = join(folder, 'one.mp4');
  const shares: number[] = [];
  const size = await makePlayback({
    ffmpeg,
    segments: [{ file: segment('one.mkv', '101x77', frames), width: 101, height: 77, t: 5_000 }],
    frames: 4,
    output,
    onProgress: (share) => shares.push(share),
  });
  expect(size).toEqual({ width: 102, height: 78 });
  expect(shown(output)).toEqual([
    [0, COLOURS.red],
    [137, COLOURS.green],
    [170, COLOURS.blue],
    [2503, COLOURS.white],
  ]);
  expect(probe(output, 'stream=codec_name,width,height,pix_fmt')).toEqual(['h264,102,78,yuv420p']);
  const bytes = readFileSync(output);
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  expect(shares.at(-1)).toBe(1);
  expect(readdirSync(folder).filter((name) => name.includes('one.mp4'))).toEqual(['one.mp4']);
});

test('segments of different sizes share one canvas and the session time line: a pause stays on the screen', async () => {
  const segments: PlaybackSegment[] = [
    {
      file: segment('a.mkv', '64x48', [
        [0, 'red'],
        [100, 'green'],
      ]),
      width: 64,
      height: 48,
      t: 1_000_000,
    },
    {
      file: segment('b.mkv', '40x60', [
        [0, 'blue'],
        [50, 'white'],
      ]),
      width: 40,
      height: 60,
      t: 4_000_000,
    },
  ];
  const output = join(folder, 'two.mp4');
  expect(await makePlayback({ ffmpeg, segments, frames: 4, endT: 6_000_000, output })).toEqual({
    width: 64,
    height: 60,
  });
  expect(shown(output)).toEqual([
    [0, COLOURS.red],
    [100, COLOURS.green],
    [3000, COLOURS.blue],
    [3050, COLOURS.white],
  ]);
  expect(Number(probe(output, 'stream=duration')[0])).toBeCloseTo(5, 2);
});

test('a key frame at least every 30 frames and every second', async () => {
  const busy = Array.from({ length: 90 }, (_, index): [number, keyof typeof COLOURS] => [
    index * 16,
    index % 2 === 0 ? 'red' : 'blue',
  ]);
  const slow: [number, keyof typeof COLOURS][] = [0, 700, 1400, 2100, 2800].map((ms, index) => [
    2000 + ms,
    index % 2 === 0 ? 'white' : 'green',
  ]);
  const file = segment('keys.mkv', '64x48', [...busy, ...slow]);
  const output = join(folder, 'keys.mp4');
  await makePlayback({ ffmpeg, segments: [{ file, width: 64, height: 48, t: 0 }], frames: 95, output });
  const packets = probe(output, 'packet=pts_time,flags').map((line) => line.split(','));
  expect(packets.length).toBe(95);
  let since = 0;
  let keyTime = 0;
  for (const [time, flags] of packets) {
    const isKey = flags?.startsWith('K');
    since = isKey ? 0 : since + 1;
    if (isKey) keyTime = Number(time);
    expect(since).toBeLessThan(30);
    expect(Number(time) - keyTime).toBeLessThan(1.001);
  }
});

test.each([
  ['before ffmpeg has begun', 0],
  ['while it works', 150],
])('aborting %s ends it, throws CANCELLED and leaves no file', async (_, afterMs) => {
  const file = join(folder, 'long.mkv');
  const noise = ['-f', 'lavfi', '-i', 'testsrc2=size=640x480:rate=30:duration=20'];
  execFileSync(ffmpeg.path, [
    ...['-v', 'error', '-y', ...noise],
    ...['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0', file],
  ]);
  const output = join(folder, 'long.mp4');
  const controller = new AbortController();
  const job = makePlayback({
    ffmpeg,
    segments: [{ file, width: 640, height: 480, t: 0 }],
    frames: 600,
    output,
    signal: controller.signal,
  });
  if (afterMs === 0) controller.abort();
  else setTimeout(() => controller.abort(), afterMs);
  const error: StudioError = await job.then(
    () => Promise.reject(new Error('not aborted')),
    (reason) => reason,
  );
  expect(error.code).toBe('CANCELLED');
  expect(readdirSync(folder).filter((name) => name.includes(basename(output)))).toEqual([]);
});

test('a segment that is no video: BAD_FILE with ffmpeg’s reason', async () => {
  const job = makePlayback({
    ffmpeg,
    segments: [{ file: new URL(import.meta.url).pathname, width: 64, height: 48, t: 0 }],
    frames: 1,
    output: join(folder, 'bad.mp4'),
  });
  await expect(job).rejects.toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('bad.mp4') });
});

test('segments start with their first frame’s time; one without frames falls out', () => {
  const list = [0, 1, 2].map((index) => ({ index, file: `s${index}`, width: 10, height: 10 }));
  const frames = [
    { i: 0, pts: 0, t: 100 },
    { i: 1, pts: 20, t: 20_100 },
    { i: 2, pts: 0, t: 90_000, seg: 2 },
  ];
  expect(playbackSegments(list, frames).map(({ file, t }) => [file, t])).toEqual([
    ['s0', 100],
    ['s2', 90_000],
  ]);
});

test('the filter of one segment', () => {
  expect(playbackFilter([{ file: 'a', width: 101, height: 78, t: 7 }], 5, undefined)).toEqual({
    filter:
      '[0:v]settb=1/1000000,setpts=PTS-STARTPTS+0,pad=102:78:0:0,setsar=1[s0];' +
      '[s0]null,settb=1/1000000,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[out]',
    width: 102,
    height: 78,
  });
});

test('a film of far more pictures than its recording names is cut off, however long it goes on', async () => {
  const file = join(folder, 'endless.mkv');
  const source = 'color=red:size=32x32:rate=1000:duration=12';
  execFileSync(ffmpeg.path, ['-v', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'libx264rgb', '-qp', '0', file]);
  const output = join(folder, 'endless.mp4');
  await makePlayback({ ffmpeg, segments: [{ file, width: 32, height: 32, t: 0 }], frames: 5, output });
  expect(probe(output, 'packet=pts_time')).toHaveLength(10_010);
});
