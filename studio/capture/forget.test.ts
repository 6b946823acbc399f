import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { VOICE_FILE, voicePlace, wavHeader } from '../recordings/voice-file.ts';
import { readEvents, readFrames, readRecording } from '../store/recording-folder.ts';
import { smallDisk } from '../store/small-disk-for-tests.ts';
import { finishForgetting, forgettingSteps, markForgetting, readMarker } from './forget.ts';
import { type KilledRecording, writeKilled, writeLines } from './killed-for-tests.ts';
import { recoverRecording } from './recover.ts';

/** Forgetting in a folder: exactly what is left, and that a kill anywhere changes nothing of it. */

const SECRET = 'hunter2';
let root: string;
let written: KilledRecording;
let at = 0;
let folder: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'forget-'));
  written = await writeKilled(join(root, 'whole'));
  const { frames, events, folder: whole } = written;
  for (const { t } of frames) writeFileSync(join(whole, 'keyframes', `${t}.png`), `picture of ${t}`);
  writeFileSync(join(whole, 'keyframes', `${frames[9]!.t}.png.77.part`), SECRET);
  writeFileSync(join(whole, '.events.jsonl.77.0123abcd.tmp'), SECRET);
  writeLines(join(whole, 'events.jsonl'), [
    ...events,
    { t: events.at(-1)!.t + 1, type: 'notice', code: 'x', message: SECRET },
  ]);
  writeLines(join(whole, 'windows.jsonl'), [
    { t: 0, title: 'A', app: 'a', pid: 1, id: '1', bounds: null },
    { t: frames.at(-1)!.t, title: SECRET, app: 'a', pid: 1, id: '1', bounds: null },
  ]);
  const element = { role: 'push button', bounds: null, version: 1, source: 'atspi', when: 'press', took: 10 };
  writeLines(join(whole, 'elements.jsonl'), [
    { ...element, t: frames[0]!.t, asked: frames[0]!.t + 5, name: 'Save' },
    // Pressed before, but answered after.
    { ...element, t: frames[0]!.t + 1, asked: frames.at(-1)!.t, name: SECRET },
    { ...element, t: frames.at(-1)!.t, asked: frames.at(-1)!.t, name: SECRET },
  ]);
  const sound = Buffer.alloc(voicePlace(frames.at(-1)!.t), 1);
  wavHeader(0xffff_ffff).copy(sound);
  writeFileSync(join(whole, VOICE_FILE), Buffer.concat([sound, Buffer.from(`${SECRET}${SECRET}`)]));
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  folder = join(root, `copy-${at++}`);
  cpSync(join(root, 'whole'), folder, { recursive: true });
});

/** Every file with its bytes; the version that a closing writes too has no times of its own. */
const filesOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .sort()
      .filter((name) => statSync(join(dir, name)).isFile())
      .map((name) => [name, readFileSync(join(dir, name)).toString('latin1')]),
  );

async function greys(file: string): Promise<number[]> {
  const ffmpeg = await findFfmpeg();
  const args = ['-v', 'error', '-i', file, ...fpsModeArgs(ffmpeg), '-vf', 'scale=1:1', '-pix_fmt', 'rgb24'];
  return [
    ...execFileSync(ffmpeg.path, [...args, '-f', 'rawvideo', '-'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  ].filter((_, i) => i % 3 === 0);
}
const greyOf = (pts: number): number => 20 + (pts % 200);

test.each([
  ['in the first segment', 5],
  ['at its end', 8],
  ['in the second segment', 10],
])('leaves every picture from before and none of the others: %s', async (_, kept) => {
  const { frames } = written;
  const from = frames[kept]!.t;
  markForgetting(folder, { from, to: from + 1 });
  const forgot = await finishForgetting(folder, 'ended');
  expect(forgot).toMatchObject({ frames: kept, segments: kept > 8 ? 2 : 1 });
  expect(readFrames(folder).frames).toEqual(frames.slice(0, kept));
  const names = readdirSync(folder).filter((name) => name.endsWith('.mkv'));
  expect(names.sort()).toEqual(kept > 8 ? ['screen-1.mkv', 'screen.mkv'] : ['screen.mkv']);
  const shown = [...(await greys(join(folder, 'screen.mkv')))];
  if (kept > 8) shown.push(...(await greys(join(folder, 'screen-1.mkv'))));
  expect(shown).toEqual(frames.slice(0, kept).map(({ pts }) => greyOf(pts)));
  expect(readdirSync(join(folder, 'keyframes')).sort()).toEqual(
    frames
      .slice(0, kept)
      .map(({ t }) => `${t}.png`)
      .sort(),
  );
  for (const bytes of Object.values(filesOf(folder))) expect(bytes).not.toContain(SECRET);
  const recording = await recoverRecording(folder);
  expect(recording).toMatchObject({ version: 2, state: 'closed', counts: { frames: kept } });
});

test('of everything nothing is left, and the recording says so', async () => {
  markForgetting(folder, { from: -1, to: 99 });
  const recording = await recoverRecording(folder);
  expect(readdirSync(folder).filter((name) => /mkv|png/.test(name))).toEqual([]);
  expect(readEvents(folder).events.map(({ type }) => type)).toEqual(['pause']);
  expect(recording?.verdict?.missing[0]).toBe('every picture: all of it was forgotten, as was asked for');
});

test.each(['ended', 'unknown'] as const)(
  'killed after any step, and recovered, it ends as an undisturbed one (%s)',
  async (encoders) => {
    const from = written.frames[5]!.t;
    const forgetting = { from, to: from + 9 };
    const undisturbed = join(root, `undisturbed-${encoders}`);
    cpSync(join(root, 'whole'), undisturbed, { recursive: true });
    markForgetting(undisturbed, forgetting);
    await finishForgetting(undisturbed, encoders);
    const wanted = filesOf(undisturbed);
    const names: string[] = [];
    for (let stop = 0; ; stop++) {
      const copy = join(root, `kill-${encoders}-${stop}`);
      cpSync(join(root, 'whole'), copy, { recursive: true });
      markForgetting(copy, forgetting);
      const steps = forgettingSteps(copy, forgetting, encoders);
      let over = false;
      for (let n = 0; n <= stop && !over; n++) {
        const step = await steps.next();
        over = step.done === true;
        if (!step.done) names[n] = step.value;
      }
      if (over) break;
      expect(readMarker(copy)).toEqual(forgetting);
      await finishForgetting(copy, 'unknown');
      expect(filesOf(copy), names[stop]).toEqual(wanted);
    }
    expect(names).toEqual([
      'stills',
      'screen.mkv',
      'screen-1.mkv',
      'events.jsonl',
      'windows.jsonl',
      'elements.jsonl',
      'voice',
      'frames.jsonl',
      'version',
    ]);
    const done = await recoverRecording(undisturbed);
    expect(done?.segments).toEqual([expect.objectContaining({ index: 0, frames: 5 })]);
    expect(readRecording(undisturbed).warnings.filter(({ message }) => message.includes(SECRET))).toEqual([]);
  },
);

test('a marker of which nobody knows what it asks for stops everything, in words', async () => {
  writeFileSync(join(folder, '.forget.json'), '{"from":');
  const error = await finishForgetting(folder, 'ended').catch((e: unknown) => e);
  expect(error).toBeInstanceOf(StudioError);
  expect(String(error)).toMatch(/\.forget\.json says that something.*forgotten/);
});

test('without a marker nothing is touched', async () => {
  const before = filesOf(folder);
  expect(await finishForgetting(folder, 'unknown')).toBeNull();
  expect(filesOf(folder)).toEqual(before);
});

test('a disk that stays full is an error in words; with room it is finished as if nothing had been', async () => {
  const place = join(root, 'small');
  const disk = smallDisk(place, 8 * 2 ** 20);
  if (!disk) return;
  try {
    const small = join(place, 'recording');
    cpSync(join(root, 'whole'), small, { recursive: true });
    // So many lines from before that the new file needs more than what the pictures gave back.
    const many = Array.from({ length: 20_000 }, (_, n) => ({ t: n, type: 'move', x: 1, y: 1 }));
    writeLines(join(small, 'events.jsonl'), [...many, ...readEvents(small).events]);
    const undisturbed = join(root, 'undisturbed-small');
    cpSync(small, undisturbed, { recursive: true });
    const forgetting = { from: written.frames[5]!.t, to: written.frames[5]!.t + 9 };
    for (const one of [small, undisturbed]) markForgetting(one, forgetting);
    await finishForgetting(undisturbed, 'ended');
    disk.fill();
    const error: unknown = await finishForgetting(small, 'ended').catch((e: unknown) => e);
    expect(errorBody(error)).toMatchObject({ code: 'DISK_FULL' });
    expect(readMarker(small)).toEqual(forgetting);
    expect(await recoverRecording(small).catch((e: unknown) => errorBody(e).code)).toBe('DISK_FULL');
    expect(readRecording(small).state).toBe('recording');
    disk.free();
    await finishForgetting(small, 'unknown');
    expect(filesOf(small)).toEqual(filesOf(undisturbed));
  } finally {
    disk.remove();
  }
});
