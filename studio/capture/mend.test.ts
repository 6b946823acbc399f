import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../recordings/derive.ts';
import { matchFrames } from '../recordings/match-frames.ts';
import { framesPresent } from '../recordings/segments.ts';
import { readFrames } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { type KilledRecording, writeKilled, writeLines } from './killed-for-tests.ts';
import { recoverRecording } from './recover.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
let killed: KilledRecording;
/** The line that ends the private pause. */
const RESUME = 8;
beforeAll(async () => {
  killed = await writeKilled(join(folders.make(), 'killed'));
});

function copy(): string {
  const folder = join(folders.make(), 'copy');
  cpSync(killed.folder, folder, { recursive: true });
  return folder;
}

async function recovered(folder: string) {
  const recording = await recoverRecording(folder);
  if (!recording) throw new Error('It was closed already.');
  return { recording, frames: framesPresent(readFrames(folder).frames, recording.segments) };
}

const whereOf = (frames: readonly { seg?: number | undefined; pts: number }[]) =>
  frames.map(({ seg = 0, pts }) => [seg, pts]);

function damageLines(folder: string, name: string, lines: readonly number[], text = '{"t":1,§'): void {
  const file = join(folder, name);
  const all = readFileSync(file, 'utf8').split('\n');
  for (const line of lines) all[line % (all.length - 1)] = text;
  writeFileSync(file, all.join('\n'));
}

describe('recovery keeps every picture that is in the master', () => {
  test('undamaged, the files stay as they are and only the end is missing', async () => {
    const folder = copy();
    const before = readFileSync(join(folder, 'frames.jsonl'), 'utf8');
    const { recording, frames } = await recovered(folder);
    expect(frames).toEqual(killed.frames);
    expect(readFileSync(join(folder, 'frames.jsonl'), 'utf8')).toBe(before);
    expect(recording.verdict).toEqual({
      kind: 'recovered',
      missing: ['what happened after the last line that was written'],
      endedBy: 'killed',
    });
    expect(existsSync(join(folder, '.damaged-frames.jsonl'))).toBe(false);
  });

  test('whichever single line of frames.jsonl is damaged: its time comes from the master', async () => {
    for (const [line, frame] of killed.frames.entries()) {
      const folder = copy();
      damageLines(folder, 'frames.jsonl', [line]);
      const { recording, frames } = await recovered(folder);
      expect(whereOf(frames)).toEqual(whereOf(killed.frames));
      expect(frames.map(({ i }) => i)).toEqual(killed.frames.map(({ i }) => i));
      expect(Math.abs(frames[line]!.t - frame.t)).toBeLessThanOrEqual(1000);
      expect(frames[line]?.rebuilt).toBe(true);
      expect(recording.verdict?.kind).toBe('recovered');
      expect(recording.verdict?.missing.join()).toContain('the lines of 1 picture(s) in frames.jsonl');
      expect(readFileSync(join(folder, '.damaged-frames.jsonl'), 'utf8')).toContain('§');
      expect(readFrames(folder).warnings).toEqual([]);
    }
  });

  test('frames.jsonl is gone altogether: each picture gets a line by the master, unless it is not known which are private', async () => {
    const folder = copy();
    rmSync(join(folder, 'frames.jsonl'));
    const { recording, frames } = await recovered(folder);
    expect(whereOf(frames)).toEqual(whereOf(killed.frames));
    for (const [n, frame] of frames.entries())
      expect(Math.abs(frame.t - killed.frames[n]!.t)).toBeLessThanOrEqual(1000);
    expect(recording.verdict?.missing.join()).toContain(`the lines of ${frames.length} picture(s) in frames.jsonl`);
    const unsure = copy();
    rmSync(join(unsure, 'frames.jsonl'));
    damageLines(unsure, 'events.jsonl', [RESUME]);
    expect((await recoverRecording(unsure))?.segments).toEqual([]);
  });

  test('whichever single line of events.jsonl is damaged, each segment keeps its place or its size', async () => {
    for (const line of killed.events.keys()) {
      const folder = copy();
      damageLines(folder, 'events.jsonl', [line]);
      const { recording, frames } = await recovered(folder);
      expect(whereOf(frames)).toEqual(whereOf(killed.frames));
      expect(recording.segments.map(({ width, height }) => [width, height])).toEqual([
        [48, 32],
        [40, 24],
      ]);
      expect(recording.verdict?.missing.join()).toContain(`1 damaged line(s) of events.jsonl (${line + 1})`);
      const { keyframes } = derive(folder).keyframes;
      for (const { width, height } of keyframes) expect([`48x32`, `40x24`]).toContain(`${width}x${height}`);
    }
  });

  test('any lines of either file at once', async () => {
    const lines = fc.array(fc.nat(40), { maxLength: 9 });
    // Where the end of a private pause is lost, a picture whose own line is lost too may be of the pause.
    const others = lines.map((list) => list.filter((line) => line % killed.events.length !== RESUME));
    await fc.assert(
      fc.asyncProperty(
        lines,
        others,
        fc.constantFrom('', '{', 'null', '\u0000\u0000', '{"t":5}'),
        async (a, b, text) => {
          const folder = copy();
          damageLines(folder, 'frames.jsonl', a, text);
          damageLines(folder, 'events.jsonl', b, text);
          const { recording, frames } = await recovered(folder);
          expect(whereOf(frames)).toEqual(whereOf(killed.frames));
          if (a.length > 0) expect(recording.verdict?.missing.join()).toMatch(/frames\.jsonl|every event/);
          if (b.length > 0) expect(recording.verdict?.missing.join()).toMatch(/events\.jsonl/);
          expect(recording.counts.frames).toBe(killed.frames.length);
        },
      ),
      {
        numRuns: 25,
        // Every line of a segment, and where it is shown: its pictures are those after the pause.
        examples: [
          [[8, 9, 10, 11, 12], [9], ''],
          [[8, 9, 10, 11, 12], [9], '{'],
        ],
      },
    );
  });

  test('any single byte of either file', async () => {
    const name = fc.constantFrom('frames.jsonl', 'events.jsonl');
    await fc.assert(
      fc.asyncProperty(name, fc.nat(), fc.integer({ min: 0, max: 255 }), async (file, at, byte) => {
        const folder = copy();
        const bytes = readFileSync(join(folder, file));
        bytes[at % bytes.length] = byte;
        writeFileSync(join(folder, file), bytes);
        const { recording, frames } = await recovered(folder);
        expect(whereOf(frames)).toEqual(whereOf(killed.frames));
        expect(recording.verdict?.missing.length).toBeGreaterThan(0);
        // In order, and no time is far from its picture's.
        for (const [i, frame] of frames.entries()) {
          expect(Math.abs(frame.t - killed.frames[i]!.t)).toBeLessThan(21_000);
          expect(frame.i).toBe(i);
        }
      }),
      { numRuns: 40 },
    );
  });

  test.each([20_000, null])('whichever line names the picture of another (times to %s µs)', (toleranceUs) => {
    const pictures = killed.frames.map(({ seg = 0, pts }) => ({ seg, pts }));
    const options = { zeroOf: () => undefined, privateUntil: () => null, toleranceUs };
    for (const line of killed.frames.keys()) {
      for (const [other, { seg = 0, pts }] of pictures.entries()) {
        const frames = killed.frames.map((frame, at) => (at === line ? { ...frame, pts, seg } : frame));
        const { present, lost, changed } = matchFrames(
          frames.map((frame) => ({ frame })),
          pictures,
          options,
        );
        expect(whereOf(present), `line ${line} as ${other}`).toEqual(whereOf(killed.frames));
        expect([lost, changed]).toEqual([[], line !== other]);
      }
    }
  });

  test('lines that stand twice miss no picture, and are written once', async () => {
    const folder = copy();
    const lines = readFileSync(join(folder, 'frames.jsonl'), 'utf8');
    writeFileSync(join(folder, 'frames.jsonl'), lines + lines);
    const { recording, frames } = await recovered(folder);
    expect(frames).toEqual(killed.frames);
    expect(recording.counts.dropped).toBe(0);
    expect(recording.verdict?.missing.join()).toContain('13 line(s) of frames.jsonl in part, put right');
    expect(recording.verdict?.missing.join()).not.toContain('picture(s)');
  });

  test('lines of pictures that a killed encoder never wrote are said to be missing, and those alone', async () => {
    const folder = copy();
    const last = killed.frames.at(-1)!;
    appendFileSync(join(folder, 'frames.jsonl'), `${JSON.stringify({ ...last, i: 13, pts: 900, t: 13_900_000 })}\n`);
    damageLines(folder, 'frames.jsonl', [2]);
    const { recording, frames } = await recovered(folder);
    expect(whereOf(frames)).toEqual(whereOf(killed.frames));
    expect(recording.verdict?.missing.join()).toContain('1 picture(s) from 13.90 s to 13.90 s (screen-1.mkv)');
  });
});

describe('what nobody may keep', () => {
  test('a picture that never had a line is left out: a pause cut it off', async () => {
    const folder = copy();
    // The last picture of the first segment, and the last of all.
    writeLines(
      join(folder, 'frames.jsonl'),
      killed.frames
        .filter(({ i }) => i !== 12 && i !== 7)
        .map((frame) => ({ ...frame, i: frame.i - (frame.i > 7 ? 1 : 0) })),
    );
    const { frames } = await recovered(folder);
    expect(frames.length).toBe(killed.frames.length - 2);
  });

  test('a damaged line gives no picture of a pause back', async () => {
    const folder = copy();
    writeLines(
      join(folder, 'events.jsonl'),
      killed.events.map((event) =>
        event.type === 'pause' && event.reason === 'privacy' ? { ...event, t: 11_520_000 } : event,
      ),
    );
    damageLines(folder, 'frames.jsonl', [7]);
    const { frames } = await recovered(folder);
    expect(whereOf(frames)).toEqual(whereOf(killed.frames.filter(({ i }) => i !== 7)));
  });
});
