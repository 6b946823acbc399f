import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { voiceOf } from '../recordings/voice.ts';
import { VOICE_FILE, wavHeader } from '../recordings/voice-file.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { calm, take, workspacesIn, write } from './archive/bench-for-tests.ts';
import { exportRecording } from './export-recording.ts';

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});

const ID = '20260504-102030-aaaa';
const SOUND = Buffer.concat([wavHeader(3200), Buffer.alloc(3200, 1)]);

async function spoken() {
  const both = workspaces.open();
  const { workspace } = both;
  const recording = sampleRecording({ id: ID, voice: { rate: 16_000 } });
  const folder = writeSample(workspace.recordingsDir, recording, [
    { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
    { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
  ]);
  writeFileSync(join(folder, 'screen.mkv'), 'mkv');
  writeFileSync(join(folder, VOICE_FILE), SOUND);
  writeFileSync(join(folder, 'voice.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nNow I crop it\n');
  await workspace.syncIndex();
  return both;
}

const namesIn = (tar: string): string[] =>
  execFileSync('tar', ['-tf', tar], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => /voice\./.test(name));

test('the voice goes into an archive, a folder or a .tar only when asked for; one that lacks it is taken all the same', async () => {
  const from = await spoken();
  const out = folders.make();
  const at = (name: string): string => join(out, name);
  await write(from, at('without.tar'));
  await write(from, at('with.tar'), { voice: true });
  const options = { ...calm, carried: [] };
  await exportRecording(from.workspace, ID, at('folder'), options);
  await exportRecording(from.workspace, ID, at('spoken-folder'), { ...options, voice: true });
  await exportRecording(from.workspace, ID, at('one.tar'), options);
  expect([at('without.tar'), at('one.tar')].map(namesIn)).toEqual([[], []]);
  expect(namesIn(at('with.tar'))).toHaveLength(2);
  expect(readdirSync(at('folder')).filter((name) => name.startsWith('voice'))).toEqual([]);
  expect(readFileSync(join(at('spoken-folder'), VOICE_FILE))).toEqual(SOUND);

  const [bare, whole] = [workspaces.open(), workspaces.open()];
  await take(bare, at('without.tar'));
  await take(whole, at('with.tar'));
  const folderIn = ({ workspace }: typeof bare): string => join(workspace.recordingsDir, ID);
  expect(existsSync(join(folderIn(bare), VOICE_FILE))).toBe(false);
  expect(await voiceOf(folderIn(bare))).toEqual({ sound: null, lines: [] });
  expect(await voiceOf(folderIn(whole))).toMatchObject({ sound: { rate: 16_000 }, lines: [{ text: 'Now I crop it' }] });
});
