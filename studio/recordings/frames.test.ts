import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { nameElement, setBox } from '../../core/annotate/edit.ts';
import { drawing } from '../../core/annotate/proposals/drawing-for-tests.ts';
import { type FfmpegInfo, findFfmpeg } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs, masterArgs } from '../../native/ffmpeg/master.ts';
import { rawFrameHead, rawHead } from '../../native/mkv/write.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { openFolder } from './closed.ts';
import { cutFrames } from './cut.ts';
import { fairTurns } from './fair-turns.ts';
import { framePictures } from './frames.ts';

const WIDTH = 320;
const HEIGHT = 160;
const FRAMES = 30;
/** The button of the pictures: in frame i at x = 20 + 5 i. */
const buttonAt = (i: number) => ({ x: 20 + 5 * i, y: 60, width: 86, height: 30 });
const picture = (i: number) =>
  drawing(WIDTH, HEIGHT)
    .fill(buttonAt(i), 0xffffff)
    .frame(buttonAt(i), 0x808080)
    .word(buttonAt(i).x + 20, 70, 5);

let workspace: Workspace;
let documents: Documents;
let folder: string;

const lasting = temporaryFolders();
let master: string;
let ffmpeg: FfmpegInfo;

/** Thirty frames, 100 ms apart, of a button that moves. */
beforeAll(async () => {
  ffmpeg = await findFfmpeg();
  master = join(lasting.make(), 'screen.mkv');
  const parts = [rawHead(WIDTH, HEIGHT)];
  for (let i = 0; i < FRAMES; i++) {
    const { rgb } = picture(i);
    const bgr0 = Buffer.alloc(WIDTH * HEIGHT * 4);
    for (let at = 0; at < WIDTH * HEIGHT; at++) {
      for (const channel of [0, 1, 2]) bgr0[at * 4 + channel] = rgb[at * 3 + 2 - channel]!;
    }
    parts.push(rawFrameHead(i * 100, bgr0.length), bgr0);
  }
  execFileSync(ffmpeg.path, masterArgs(master, fpsModeArgs(ffmpeg), { width: WIDTH, height: HEIGHT }), {
    input: Buffer.concat(parts),
  });
});
afterAll(lasting.clean);

freshWorkspaces((made) => {
  workspace = made;
});
/** A click on the button after the frames 1 and 11. */
beforeEach(() => {
  documents = openDocuments(workspace, reviewGate());
  const rect = { x: 1000, y: 500, width: WIDTH, height: HEIGHT };
  const click = (i: number): RawEvent[] => {
    const place = { x: rect.x + buttonAt(i).x + 30, y: rect.y + 75, t: i * 100_000 + 90_000 };
    return [
      { type: 'down', ...place, button: 'left' },
      { type: 'up', ...place, t: place.t + 1000, button: 'left' },
    ];
  };
  folder = writeSample(workspace.recordingsDir, recordingOf(FRAMES), [
    { type: 'view', t: 0, view: rect, segment: 0 },
    ...click(1),
    ...click(11),
  ]);
  writeFileSync(join(folder, 'frames.jsonl'), framesOf(FRAMES));
  copyFileSync(master, join(folder, 'screen.mkv'));
});
afterEach(async () => {
  await documents.close();
});

const recordingOf = (frames: number) =>
  sampleRecording({
    span: { start: 0, end: 3_000_000 },
    segments: [{ index: 0, file: 'screen.mkv', width: WIDTH, height: HEIGHT, firstFrame: 0, frames }],
  });
const framesOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `${JSON.stringify({ i, pts: i * 100, t: i * 100_000, changed: 5000 })}\n`,
  ).join('');

/** A program of the shell that stands in ffmpeg's place. */
function program(script: string): string {
  const file = join(lasting.make(), 'program');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const ID = '3f2a9c1e';
const pixels = async (file: string) => sharp(file).removeAlpha().raw().toBuffer();

test('frames are cut as themselves in whatever order they are asked for', async () => {
  const closed = openFolder(folder);
  const frames = [17, 3, 9].flatMap((place) => closed.frameAt(place) ?? []);
  await cutFrames(folder, closed.meta.segments, frames, ({ i }) => join(folder, `cut-${i}.png`), ffmpeg);
  for (const i of [3, 9, 17])
    expect((await pixels(join(folder, `cut-${i}.png`))).equals(Buffer.from(picture(i).rgb))).toBe(true);
});

describe('the picture of a frame', () => {
  test('is that frame to the pixel, whatever is asked for at once', async () => {
    const wanted = [7, 0, 29, 7, 8, 15];
    const files = await Promise.all(wanted.map((i) => documents.framePicture(ID, i)));
    for (const [at, i] of wanted.entries()) {
      expect((await pixels(files[at]!)).equals(Buffer.from(picture(i).rgb))).toBe(true);
    }
    expect(files[0]).toBe(files[3]);
    expect(readdirSync(join(folder, 'derived', 'frames')).sort()).toEqual(
      ['0.png', '700000.png', '800000.png', '1500000.png', '2900000.png'].sort(),
    );
  });

  test('asked for at once is cut by one run of ffmpeg', async () => {
    let started = 0;
    const pictures = framePictures(async () => {
      started++;
      return ffmpeg;
    });
    const opened = openFolder(folder);
    await Promise.all([3, 4, 5, 20].map((at) => pictures.get(folder, opened, at)));
    expect(started).toBe(1);
    await pictures.get(folder, opened, 4);
    expect(started).toBe(1);
  });

  test('of many recordings at once starts no more runs of ffmpeg than are allowed, in all and for one person', async () => {
    const log = join(folder, 'runs.log');
    const counting = program(`echo + >> '${log}'; '${ffmpeg.path}' "$@"; status=$?; echo - >> '${log}'; exit $status`);
    const pictures = framePictures(async () => ({ ...ffmpeg, path: counting }), { turns: fairTurns(3, 2) });
    const copies = Array.from({ length: 8 }, (_, n) => {
      const copy = join(lasting.make(), `copy-${n}`);
      cpSync(folder, copy, { recursive: true });
      return { copy, opened: openFolder(copy) };
    });
    const most = async (askers: string[]): Promise<number> => {
      writeFileSync(log, '');
      const at = askers.length;
      const asked = copies.map(({ copy, opened }, n) =>
        pictures.get(copy, opened, at, { asker: askers[n % askers.length] }),
      );
      await Promise.all(asked);
      let now = 0;
      return Math.max(...[...readFileSync(log, 'utf8')].map((sign) => (now += { '+': 1, '-': -1 }[sign] ?? 0)));
    };
    expect(await most(['Ana'])).toBeLessThanOrEqual(2);
    expect(await most(['Ana', 'Ben', 'Cem'])).toBeLessThanOrEqual(3);
    await pictures.close();
  });

  test('that nobody waits for any more is not cut: ffmpeg ends, and the next one is cut as ever', async () => {
    const pid = join(folder, 'pid');
    const hanging = program(`echo $$ > '${pid}.new'; mv '${pid}.new' '${pid}'; exec sleep 1000`);
    let path = hanging;
    const pictures = framePictures(async () => ({ ...ffmpeg, path }), { turns: fairTurns(1) });
    const opened = openFolder(folder);
    const gone = new AbortController();
    const asked = [3, 4].map((at) => pictures.get(folder, opened, at, { asker: 'Ana', signal: gone.signal }));
    await expect.poll(() => existsSync(pid), { timeout: 20_000 }).toBe(true);
    // Comes while the other two are cut.
    const later = pictures.get(folder, opened, 5, { asker: 'Ana', signal: gone.signal });
    const stays = pictures.get(folder, opened, 6, { asker: 'Ben' });
    path = ffmpeg.path;
    const ended = Promise.allSettled([...asked, later]);
    gone.abort();
    const left = { status: 'rejected', reason: { code: 'CANCELLED' } };
    expect(await ended).toMatchObject([left, left, left]);
    expect((await pixels(await stays)).equals(Buffer.from(picture(6).rgb))).toBe(true);
    const isThere = (): boolean => {
      try {
        return process.kill(Number(readFileSync(pid, 'utf8')), 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isThere, { timeout: 20_000 }).toBe(false);
    expect(existsSync(join(folder, 'derived', 'frames', '500000.png'))).toBe(false);
    await expect(pictures.get(folder, opened, 7, { signal: gone.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    await pictures.close();
  });

  test('is the still that the recorder cut, when there is one', async () => {
    mkdirSync(join(folder, 'keyframes'));
    const still = join(folder, 'keyframes', '300000.png');
    renameSync(await documents.framePicture(ID, 3), still);
    expect(await documents.framePicture(ID, 3)).toBe(still);
  });

  test('that was not used for long goes when the cache is full', async () => {
    const bytes = statSync(await documents.framePicture(ID, 2)).size;
    const pictures = framePictures(async () => ffmpeg, { cacheBytes: bytes * 3 });
    const opened = openFolder(folder);
    await Promise.all([10, 11, 12, 13].map((at) => pictures.get(folder, opened, at)));
    await pictures.close();
    const left = readdirSync(join(folder, 'derived', 'frames'));
    expect(left).not.toContain('200000.png');
    expect(left.length).toBeLessThanOrEqual(3);
    expect(left.length).toBeGreaterThan(0);
  });

  test('that cannot be decoded says so, and those beside it are shown', async () => {
    // The last pictures lie beyond the file's torn end.
    writeFileSync(join(folder, 'frames.jsonl'), framesOf(FRAMES + 1));
    writeFileSync(join(folder, 'recording.json'), JSON.stringify(recordingOf(FRAMES + 1)));
    const [good, bad] = await Promise.allSettled([documents.framePicture(ID, 4), documents.framePicture(ID, FRAMES)]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'RECORDING_DAMAGED' } });
  });
});

describe('proposals from the picture', () => {
  const apply = async (changes: Parameters<Documents['apply']>[1]['changes']) =>
    documents.apply(ID, { id: randomUUID(), label: 'A gesture', changes }, 'me');
  const records = async () => toRecords((await documents.get(ID)).records);

  test('a box by edges first, and once the element was named and boxed, its name at its next place', async () => {
    const { steps, frames } = await documents.openRecording(ID);
    const [first, second] = steps;
    const [proposal] = await documents.proposals(ID, first!.id);
    expect(proposal).toMatchObject({ name: null, box: buttonAt(frames[first!.before]![0]), source: 'edges' });
    await apply([
      ...nameElement(await records(), first!.id, 'OK button', 'hand'),
      ...setBox(await records(), first!.id, 'target', proposal!.box, 'edges', proposal!.confidence),
    ]);
    const next = buttonAt(frames[second!.before]![0]);
    expect((await documents.proposals(ID, second!.id))[0]).toEqual({
      name: 'OK button',
      box: next,
      source: 'seen',
      confidence: 0.97,
    });
    expect(await documents.grow(ID, second!.id, { x: next.x + 5, y: next.y + 5 })).toMatchObject({
      name: 'OK button',
      box: next,
    });
    await documents.undo(ID, 'me');
    expect((await documents.proposals(ID, second!.id)).map(({ source }) => source)).not.toContain('seen');
  });

  test('growing outside of the picture is refused, on an even place gives nothing', async () => {
    const [step] = (await documents.openRecording(ID)).steps;
    await expect(documents.grow(ID, step!.id, { x: WIDTH, y: 5 })).rejects.toMatchObject({ code: 'USAGE' });
    expect(await documents.grow(ID, step!.id, { x: 300, y: 10 })).toBeNull();
    expect(existsSync(join(folder, 'derived', 'frames'))).toBe(true);
  });
});
