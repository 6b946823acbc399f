import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { cutFrames } from '../../recordings/cut.ts';
import { readFrames, readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';
import { K6_SAMPLING } from './import-video.ts';

const bench = importBench();
const film = (...args: string[]): void => void execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args]);
const colour = (what: string, size: string, more = ''): string[] => [
  '-f',
  'lavfi',
  '-i',
  `color=c=${what}:s=${size}:r=5:d=2${more}`,
];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const CUE = '1\n00:00:01,000 --> 00:00:01,500\nOpen the file\n';

let plain: Buffer;
beforeAll(() => {
  const file = join(bench.lasting(), 'plain.mp4');
  film(...colour('gray', '320x180'), ...H264, file);
  plain = readFileSync(file);
});

/** A grey video of this name, alone in a folder with what lies beside it. */
function video(name: string, beside: Record<string, string | Buffer> = {}): string {
  const folder = join(bench.elsewhere, 'films');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, name), plain);
  for (const [file, content] of Object.entries(beside)) writeFileSync(join(folder, file), content);
  return join(folder, name);
}

async function taken(path: string, more: Parameters<typeof bench.take>[1] = {}) {
  const { entry } = await bench.take(path, { app: 'X', ...more });
  const recording = readRecording(entry.folder);
  const kept = ['srt', 'vtt']
    .map((ending) => join(entry.folder, 'attachments', `transcript.${ending}`))
    .find(existsSync);
  const { lost, guessed } = recording.origin!; // Of an import.
  return {
    ...recording,
    lost,
    guessed: guessed.join('\n'),
    folder: entry.folder,
    transcript: kept ? readFileSync(kept, 'utf8') : null,
  };
}

describe('a transcript that nobody named', () => {
  const bad: [what: string, content: string | Buffer, why: string][] = [
    [
      'another way of writing',
      Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nGr\xfc\xdfe\n', 'latin1'),
      'is not UTF-8',
    ],
    ['nothing', '', 'line 1: no line like'],
    ['no cues', 'just words', 'line 1: no line like'],
    ['bytes', Buffer.alloc(2000, 7), 'line 1: no line like'],
  ];
  test.each(bad)('%s: it is said, and the video is taken', async (_what, content, why) => {
    const { guessed, transcript } = await taken(video('a.mp4', { 'a.srt': content }));
    expect(transcript).toBeNull();
    expect(guessed).toContain(`the transcript a.srt beside it was not taken: a.srt ${why}`);
  });

  test('named, the same one refuses, and UTF-16 with its mark and times without fractions are read', async () => {
    const path = video('a.mp4', { 'x.srt': Buffer.from('Gr\xfc\xdfe', 'latin1') });
    const error = await bench.refusal(path, { transcript: join(path, '..', 'x.srt') });
    expect(error.message).toMatch(/x\.srt is not UTF-8\. Save it as UTF-8 and try again\.$/);
    const utf16 = Buffer.from(`\uFEFF${CUE}`, 'utf16le');
    expect((await taken(video('a.mp4', { 'a.srt': utf16 }))).transcript).toContain('Open the file');
    const seconds = '1\n00:00:01 --> 00:00:02\nNo milliseconds\n';
    expect((await taken(video('b.mp4', { 'b.srt': seconds }), { task: 'X_2' })).transcript).toBe(seconds);
  });

  test.each([
    ['with a language', 'Größe.mp4', ['Größe.pt-BR.srt']],
    ['with what it is made for', 'a.mp4', ['a.en.sdh.vtt']],
    ['in capitals', 'Lesson.MP4', ['LESSON.SRT']],
    ['in another Unicode form', 'Größe.mp4'.normalize('NFC'), ['Größe.srt'.normalize('NFD')]],
    ['after the whole name', 'a.mp4', ['a.mp4.srt']],
    ['its own before a language, English before others', 'a.mp4', ['a.de.srt', 'a.en.srt', 'a.srt']],
    ['the next where the first cannot be read', 'a.mp4', ['a.de.srt', 'a.vtt']],
  ])('is found %s', async (_how, name, beside) => {
    const last = beside.at(-1)!;
    const files = Object.fromEntries(
      beside.map((file) => [file, CUE.replace('Open', file === last ? 'Take' : 'Leave')]),
    );
    if (last === 'a.vtt') Object.assign(files, { 'a.vtt': '', 'a.de.srt': CUE.replace('Open', 'Take') });
    const { transcript } = await taken(video(name, files));
    expect(transcript).toContain('Take the file');
  });

  test('that of another film is left alone', async () => {
    const path = video('a.mp4', { 'ab.srt': CUE, 'a.part2.srt': CUE, 'b.srt': CUE });
    expect((await taken(path)).transcript).toBeNull();
  });
});

test.each([
  ['日'.repeat(83), 'Chinese'],
  ['a'.repeat(251), 'plain'],
])('a name of 255 bytes is taken, and is the goal (%#)', async (stem) => {
  const { task } = await taken(video(`${stem}.mp4`));
  expect(task.goal).toBe(stem);
});

test('of two video tracks the one that players show is taken, and the other is said', async () => {
  const file = join(bench.elsewhere, 'both.mkv');
  const marks = ['-disposition:v:0', '0', '-disposition:v:1', 'default'];
  film(...colour('gray', '160x120'), ...colour('white', '640x360'), '-map', '0', '-map', '1', ...H264, ...marks, file);
  const { segments, lost, folder } = await taken(file);
  expect(segments).toMatchObject([{ width: 640, height: 360 }]);
  expect(lost).toEqual(['another video track of 160 x 120: only the one that players show is taken']);
  expect(await shades(folder, [0])).toEqual([expect.closeTo(255, -1)]);
});

/** How light the top left and the bottom right of a frame are. */
async function shades(
  folder: string,
  frames: number[],
  at: (size: { width: number; height: number }) => { x: number; y: number } = () => ({ x: 2, y: 2 }),
) {
  const recording = readRecording(folder);
  const all = readFrames(folder).frames.filter(({ i }) => frames.includes(i));
  const fileOf = ({ i }: { i: number }): string => join(bench.elsewhere, `${i}.png`);
  await cutFrames(folder, recording.segments, all, fileOf, bench.ffmpeg, {});
  return Promise.all(
    all.map(async (frame) => {
      const { data, info } = await sharp(fileOf(frame)).raw().toBuffer({ resolveWithObject: true });
      const { x, y } = at(info);
      return data[(y * info.width + x) * info.channels]!;
    }),
  );
}

/** A film whose size changes after 2 s, by putting two of them one after the other. */
function resized(ending: 'webm' | 'mkv', coding: string[], turn: string[] = []): string {
  const parts = ['320x180', '400x300'].map((size, at) => {
    const part = join(bench.elsewhere, `${at}.${ending}`);
    film(...colour(at === 0 ? 'gray' : 'white', size), ...coding, part);
    return part;
  });
  const list = join(bench.elsewhere, 'list.txt');
  writeFileSync(list, parts.map((part) => `file '${part}'\n`).join(''));
  const file = join(bench.elsewhere, `resized.${ending}`);
  film('-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', ...turn, file);
  return file;
}

test.each([
  ['WebM', 'webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '300k']],
  ['H.264', 'mkv', [...H264, '-x264-params', 'repeat-headers=1']],
] as const)(
  '%s whose size changes: no picture is squeezed, and that it changes is said',
  async (_what, ending, coding) => {
    const { segments, lost, capture, folder, counts } = await taken(resized(ending, [...coding]));
    expect(segments).toMatchObject([{ width: 400, height: 300 }]);
    expect(capture.lossless).toBe(false);
    expect(lost.join()).toContain(
      'from 2.0 s on they are 400 x 300, after 320 x 180 at first; each stands at the top left',
    );
    expect(counts.frames).toBe(20);
    const corner = ({ width, height }: { width: number; height: number }) => ({ x: width - 3, y: height - 3 });
    const [small, large] = await shades(folder, [3, 13], corner);
    // Beside the smaller picture there is nothing; the larger one fills the canvas.
    expect(small).toBeLessThan(20);
    expect(large).toBeGreaterThan(230);
    expect(await shades(folder, [3], () => ({ x: 300, y: 170 }))).toEqual([expect.closeTo(128, -1)]);
  },
);

test('sound without pictures is refused in words of ours', async () => {
  const file = join(bench.elsewhere, 'sound.mp4');
  film('-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac', file);
  expect((await bench.refusal(file)).message).toMatch(/sound\.mp4 holds sound and no pictures, so there are no steps/);
});

test('without a word the rule is K11; thresholds alone are those of K6, by which older imports are known', async () => {
  const path = video('a.mp4');
  const first = await taken(path);
  expect(first.guessed).toContain('K11');
  const second = await taken(path, { sampling: K6_SAMPLING });
  expect(second.guessed).toContain('K6');
  expect(second.id).not.toBe(first.id);
});
