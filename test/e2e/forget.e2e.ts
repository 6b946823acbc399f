import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { NewWorkspace } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { chord, handsFor, perform, type Step, type } from '../support/person.ts';
import { filesWith, GREEN, keysOf, openTerminal, picturesWith, recordOn } from '../support/private.ts';
import { problemsOf, readEvents, readFrames, readRecording } from '../support/recordings.ts';
import { SHORTCUTS } from '../support/shortcuts.ts';
import { until } from '../support/until.ts';

/** Nothing of what was forgotten is in the recording but two times and the reason (I6; docs/recording-folder.md). */

let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 800, height: 500 }, (made) => {
  ({ display, workspace } = made);
});

const play = async (...steps: Step[]) => perform(display, await handsFor(display, 'human'), steps);

/** One a try: on a loaded machine showing a secret may take longer than what is forgotten, which proves nothing then. */
const SECRETS = [
  { title: 'Bank DE4711', key: 'q', rgb: [0xc8, 0x1e, 0xc8] },
  { title: 'Diary XY0815', key: 'w', rgb: [0xc8, 0x96, 0x1e] },
  { title: 'Vault ZZ1234', key: 'x', rgb: [0x1e, 0x96, 0xc8] },
  { title: 'Letter AB5678', key: 'z', rgb: [0x96, 0x1e, 0x32] },
];
const FORGET_SECONDS = 10;

it('a secret that was recorded and then forgotten is nowhere in the folder, and the recording goes on', async () => {
  const work = await openTerminal(display, 'work', 'Work', [0x10, 0x10, 0x30]);
  const recording = await recordOn(display, workspace.path, ['--forget', `${FORGET_SECONDS}s`]);
  const { folder } = recording;
  const now = () => recording.events().at(-1)?.t ?? 0;
  await recording.has('resume', 'sync');
  await play(type('abc'));
  let secret = SECRETS[0]!;
  for (const [round, one] of SECRETS.entries()) {
    secret = one;
    // The part that is to stay has to be older than the part that is forgotten.
    const before = now();
    await until('time to go by', () => now() > before + (FORGET_SECONDS + 1) * 1e6, { timeoutMs: 60_000 });
    const begin = now();
    const shown = await openTerminal(display, one.title, `Secret${one.key}`, one.rgb);
    await play(type(one.key.repeat(3)));
    await until('the secret on the disk', () =>
      keysOf(folder, 'torn-end-allowed').join('').endsWith(one.key.toUpperCase().repeat(3)),
    );
    expect(filesWith(folder, one.title)).toEqual(['windows.jsonl']);
    await shown.stop();
    await play(chord(...SHORTCUTS.forget));
    await recording.has('resume', 'forgotten', round + 1);
    const from = recording.events().findLast((e) => e.type === 'pause' && e.reason === 'forgotten')?.t ?? 0;
    if (from <= begin) break;
  }
  await until('the words', () =>
    recording.started.stderr().includes(`The last ${FORGET_SECONDS} seconds were forgotten.`),
  );
  expect(fs.existsSync(path.join(folder, '.forget.json'))).toBe(false);
  await play(type('def'));
  const after = await openTerminal(display, 'after', 'After', GREEN);
  await play(type('g'));
  await after.stop();
  await work.stop();
  await recording.stop();

  expect(await problemsOf(folder)).toEqual([]);
  const keys = keysOf(folder);
  expect(keys.slice(0, 3)).toEqual(['A', 'B', 'C']);
  expect(keys.slice(-4)).toEqual(['D', 'E', 'F', 'G']);
  expect(keys).not.toContain(secret.key.toUpperCase());
  const { pictures, shown } = await picturesWith(display, folder, [secret.rgb, GREEN]);
  expect(pictures).toBeGreaterThan(3);
  expect(shown[0]).toBe(0);
  expect(shown[1]).toBeGreaterThan(0);
  for (const word of [...secret.title.split(' '), `Secret${secret.key}`])
    expect(filesWith(folder, word), word).toEqual([]);
  expect(readRecording(folder)).toMatchObject({ version: 2, verdict: { kind: 'complete' } });
  const events = readEvents(folder);
  const from = events.findLast((e) => e.type === 'pause' && e.reason === 'forgotten')?.t ?? 0;
  const to = events.findLast((e) => e.type === 'resume' && e.reason === 'forgotten')?.t ?? 0;
  expect(to - from).toBeGreaterThanOrEqual(FORGET_SECONDS * 1e6);
  const inside = events.filter((e) => e.t >= from && e.t < to);
  expect(new Set(inside.map((e) => e.type))).toEqual(new Set(['pause', 'anchor']));
  const frames = readFrames(folder);
  expect(frames.filter((f) => f.t >= from && f.t < to)).toEqual([]);
  expect(frames.map((f) => f.i)).toEqual(frames.map((_, i) => i));
});

it('everything can be forgotten: in the countdown, in a pause, and again', async () => {
  const recording = await recordOn(display, workspace.path, ['--forget', '10m', '--countdown', '3']);
  const { folder, started } = recording;
  const forget = async (times: number) => {
    await play(chord(...SHORTCUTS.forget));
    const words = 'Everything so far was forgotten.';
    await until('the words', () => started.stderr().split(words).length > times, { seen: started.stderr });
  };
  const kinds = () =>
    recording.events().map((e) => (e.type === 'pause' || e.type === 'resume' ? `${e.type} ${e.reason}` : e.type));
  await until('the countdown', () => /\d …/.test(started.stderr()));
  await forget(1);
  await recording.has('resume', 'sync');
  const secret = await openTerminal(display, 'Bank DE4711', 'Bank', [0xc8, 0x1e, 0xc8]);
  await play(type('qqq'));
  await until('the secret on the disk', () => keysOf(folder, 'torn-end-allowed').join('') === 'QQQ');
  await play(chord(...SHORTCUTS.pause));
  await recording.has('pause', 'user');
  await forget(2);
  // It is still paused, and says so again.
  await recording.has('pause', 'user');
  expect(kinds().slice(0, 2)).toEqual(['settings', 'pause forgotten']);
  expect(keysOf(folder, 'torn-end-allowed')).toEqual([]);
  await secret.stop();
  await play(chord(...SHORTCUTS.pause));
  await recording.has('resume', 'user');
  await play(type('x'));
  await until('a key on the disk', () => keysOf(folder, 'torn-end-allowed').join('') === 'X');
  await forget(3);
  const shown = await openTerminal(display, 'after', 'After', GREEN);
  await play(type('def'));
  await shown.stop();
  await recording.stop();

  expect(await problemsOf(folder)).toEqual([]);
  expect(keysOf(folder)).toEqual(['D', 'E', 'F']);
  const pauses = recording
    .events()
    .flatMap((e) => (e.type === 'pause' || e.type === 'resume' ? [`${e.type} ${e.reason}`] : []));
  expect(pauses).toEqual(['pause forgotten', 'resume forgotten', 'pause sync']);
  const found = await picturesWith(display, folder, [[0xc8, 0x1e, 0xc8], GREEN]);
  expect(found.shown[0]).toBe(0);
  expect(found.shown[1]).toBeGreaterThan(0);
  for (const word of ['DE4711', 'Bank', '"code":"KeyQ', '"code":"KeyX'])
    expect(filesWith(folder, word), word).toEqual([]);
  const { verdict, sync, segments } = readRecording(folder);
  expect(verdict).toMatchObject({ kind: 'complete' });
  // The check at the beginning was forgotten too; that at the end stands.
  expect(sync?.paints).toBeGreaterThan(0);
  expect(sync?.verdict).not.toBe('failed');
  expect(segments.map(({ index }) => index)).toEqual(segments.map((_, i) => i));
});
