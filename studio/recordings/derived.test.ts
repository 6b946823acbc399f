import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { previewOf } from '../datasets/export/exports.ts';
import { freezeVersion } from '../datasets/freeze.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';
import { openFolder } from './closed.ts';
import { derive } from './derive.ts';
import { derivedKey } from './derived.ts';

vi.mock('./derive.ts', { spy: true });

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(() => {
  vi.mocked(derive).mockClear();
});

const wishes = {
  source: { kind: 'filter' as const, filter: {} },
  formats: [{ name: 'videogui' }, { name: 'opencua' }],
  all: true,
};

test('each recording is reduced once for previews, versions and pages together', async () => {
  const folder = await addRecording(workspace, { id: 'rec-a', task: 'GIMP_1' });
  await addRecording(workspace, { id: 'rec-b', task: 'GIMP_2' });
  expect((await previewOf(workspace, wishes)).actions).toBe(4);
  expect(vi.mocked(derive)).toHaveBeenCalledTimes(2);
  await previewOf(workspace, wishes);
  await freezeVersion(workspace, { name: 'v1', changelog: '', filter: {} }, { toolVersion: '0' });
  expect(openFolder(folder).page.steps).toHaveLength(2);
  expect(vi.mocked(derive)).toHaveBeenCalledTimes(2);
});

test('what was derived is made anew when a raw file is another, and says the same as deriving', async () => {
  const folder = await addRecording(workspace, { id: 'rec-a' });
  const first = openFolder(folder);
  expect(first.meta).toEqual(readRecording(folder));
  const again = openFolder(folder);
  for (const opened of [first, again]) {
    const { actions, warnings, frames, pts, views, marks, keyframes } = opened;
    expect({ actions, warnings, frames, pts, views, marks, keyframes }).toEqual(
      JSON.parse(JSON.stringify(derive(folder))),
    );
  }
  const events = join(folder, 'events.jsonl');
  writeFileSync(events, readFileSync(events, 'utf8').split('\n').slice(0, 2).join('\n'));
  expect(openFolder(folder).actions).toHaveLength(1);
});

test('a playback copy that is made later derives nothing anew, and any other change of recording.json does', async () => {
  const folder = await addRecording(workspace, { id: 'rec-a' });
  for (const name of ['opened.json', 'actions.json', 'recording.json']) {
    mkdirSync(join(folder, 'derived'), { recursive: true });
    writeFileSync(join(folder, 'derived', name), '{}');
  }
  openFolder(folder);
  expect(readdirSync(join(folder, 'derived'))).toEqual(['recording.jsonl']);
  writeRecording(folder, { ...readRecording(folder), playback: 'screen.mp4' });
  vi.mocked(derive).mockClear();
  expect(openFolder(folder).meta.playback).toBe('screen.mp4');
  expect(vi.mocked(derive)).not.toHaveBeenCalled();
  writeRecording(folder, { ...readRecording(folder), span: { start: 0, end: 1 } });
  expect(openFolder(folder).page.span).toEqual({ start: 0, end: 1 });
  expect(vi.mocked(derive)).toHaveBeenCalledTimes(1);
});

test('what a copied folder brings as derived is not believed, even with the same times', async () => {
  const folder = await addRecording(workspace, { id: 'rec-a' });
  openFolder(folder);
  const copy = join(folders.make(), 'rec-a');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  for (const name of ['recording.json', 'events.jsonl', 'frames.jsonl']) {
    const { atime, mtime } = statSync(join(folder, name));
    utimesSync(join(copy, name), atime, mtime);
  }
  const kept = join(copy, 'derived', 'recording.jsonl');
  const [key, forged] = [derivedKey(folder), readFileSync(kept, 'utf8').replace('"x":10', '"x":99')];
  writeFileSync(kept, forged);
  expect(derivedKey(copy)).not.toBe(key);
  expect(openFolder(copy).actions[0]?.start.x).toBe(10);
});
