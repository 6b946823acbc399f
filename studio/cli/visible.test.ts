import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';
import { visible, visibleLine } from './visible.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

async function cli(...args: string[]) {
  const { status, stdout: out, stderr: err } = await runHere(args);
  return { status, out, err };
}

/** A title, a text for the clipboard, an 8-bit form, a reversed text. */
const EVIL = 'Crop\u001b]0;pwned\u0007 \u001b]52;c;cm0gLXJm\u0007 \u009b31m \u202etxt.exe\r\nsecond line';
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]|\r(?!\n)/;

test('signs that a terminal obeys are made visible; line ends and tabs stay, but not in a line', () => {
  expect(visible('a\u001b[31m\u0007\u009b\u202e\rb\r\n\tc')).toBe('a\\u001b[31m\\u0007\\u009b\\u202e\\u000db\r\n\tc');
  expect(visibleLine('a\nb\tc')).toBe('a\\u000ab\\u0009c');
  expect(visible('Grüße, 画像 🙂')).toBe('Grüße, 画像 🙂');
});

test('no command prints what a terminal obeys: lists, results, errors, progress, JSON', async () => {
  const dir = join(folders.make(), 'w');
  const place = folders.make();
  const given = writeSample(place, sampleRecording({ task: { id: 'GIMP_1', goal: EVIL }, person: `Bo${EVIL}` }), [
    { type: 'down', t: 1_100_000, x: 1, y: 2, button: 'left' },
    { type: 'up', t: 1_200_000, x: 1, y: 2, button: 'left' },
  ]);
  for (const args of [
    ['import', given, '-w', dir],
    ['recordings', '-w', dir],
    ['tasks', '-w', dir],
    ['people', '-w', dir],
    ['recordings', '-w', dir, '--json'],
    ['actions', EVIL, '-w', dir],
    ['import', join(place, EVIL), '-w', dir],
    [EVIL],
  ]) {
    const { out, err } = await cli(...args);
    expect([args[0], OBEYED.exec(out + err)]).toEqual([args[0], null]);
    expect(out + err).not.toBe('');
  }
  const { recordings } = JSON.parse((await cli('recordings', '-w', dir, '--json')).out);
  expect(recordings[0].goal).toBe(EVIL);
});

test('`keyframes` reads the folder of the recording, whatever it is called', async () => {
  const dir = join(folders.make(), 'w');
  const workspace = openWorkspace(dir, { create: true });
  const made = writeSample(workspace.recordingsDir, sampleRecording({ id: 'aaaa', segments: [] }), []);
  renameSync(made, join(workspace.recordingsDir, 'called otherwise'));
  await workspace.syncIndex();
  workspace.close();
  mkdirSync(join(dir, 'out'));
  const { status, err } = await cli('keyframes', 'aaaa', '-w', dir, '--out', join(dir, 'out'));
  expect([status, err]).toEqual([0, '']);
});
