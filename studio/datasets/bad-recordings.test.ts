import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { findDuplicates } from './duplicates.ts';
import { previewOf, runExport } from './export/exports.ts';
import { datasetRows } from './rows.ts';
import { leaksOf } from './splits.ts';
import { statisticsOf } from './statistics.ts';
import { addRecording } from './workspace-for-tests.ts';

/** Whatever one recording's files say, the pages of the others stand. */

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  await addRecording(workspace, { id: 'good', task: 'GIMP_1', goal: 'Crop the picture' });
});

const CHARS = JSON.stringify(Array(8).fill('v'));
const layout = (keys: string) =>
  `{"type":"layout","t":1,"layout":{"id":"x","name":"x","source":"xkb","altGr":false,"keys":${keys}}}\n`;
const KEY = '{"type":"keydown","t":9000000,"code":"KeyV"}\n{"type":"keyup","t":9100000,"code":"KeyV"}\n';
const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

const BAD: Record<string, (folder: string) => void> = {
  'a layout whose key makes nothing': (folder) =>
    writeFileSync(join(folder, 'events.jsonl'), `${layout('{"KeyV":{"chars":null}}')}${KEY}`),
  'a layout whose keys are no keys': (folder) =>
    writeFileSync(join(folder, 'events.jsonl'), `${layout('{"KeyV":7,"KeyW":null}')}${KEY}`),
  'a layout whose characters are no characters': (folder) =>
    writeFileSync(join(folder, 'events.jsonl'), `${layout(`{"KeyV":{"chars":[{"dead":7},[],{}]}}`)}${KEY}`),
  'names that every object has': (folder) => {
    appendFileSync(
      join(folder, 'events.jsonl'),
      layout(`{"__proto__":{"chars":${CHARS}},"constructor":{"chars":${CHARS}}}`),
    );
    for (const code of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      appendFileSync(join(folder, 'events.jsonl'), KEY.replaceAll('KeyV', code));
      appendFileSync(join(folder, 'events.jsonl'), `{"type":"down","t":9200000,"x":1,"y":1,"button":"${code}"}\n`);
    }
  },
  'values that are deeper than any program can follow': (folder) =>
    appendFileSync(join(folder, 'events.jsonl'), `{"type":"mark","t":1,"kind":"subtask","more":${DEEP}}\n`),
  'settings that are no numbers': (folder) =>
    appendFileSync(join(folder, 'events.jsonl'), '{"type":"settings","t":1,"settings":{"doubleClickMs":{}}}\n'),
  'no events': (folder) => rmSync(join(folder, 'events.jsonl')),
  'no frames': (folder) => rmSync(join(folder, 'frames.jsonl')),
  'a list of stills that is none': (folder) => writeFileSync(join(folder, 'keyframes', 'index.json'), '[null]'),
  'stills that are none': (folder) => writeFileSync(join(folder, 'keyframes', '0.png'), '<svg/>'),
};

const wishes: ExportWishes = {
  source: { kind: 'filter', filter: {} },
  formats: [{ name: 'videogui', parts: ['jsonl'] }],
  all: true,
};

describe('a recording with', () => {
  for (const [what, spoil] of Object.entries(BAD)) {
    test(`${what} spoils no list of recordings`, async () => {
      const folder = await addRecording(workspace, { id: 'bad', task: 'GIMP_2', goal: 'Mute the sound' });
      spoil(folder);
      await workspace.syncIndex();
      const { rows } = await datasetRows(workspace);
      expect(rows.find(({ recording }) => recording === 'good')).toMatchObject({ steps: 2 });
      expect(rows.map(({ recording }) => recording)).toContain('bad');
      expect(await statisticsOf(workspace, { kind: 'filter', filter: {} })).toBeDefined();
      const duplicates = await findDuplicates(workspace, { filter: {}, goals: 0.7, screens: 6 });
      expect(duplicates.skipped.map(({ recording }) => recording)).not.toContain('good');
      await leaksOf(workspace, { filter: {}, goals: 0.7, screens: 6 }, { look: true });
      const preview = await previewOf(workspace, wishes);
      expect(preview.tasks).toBeGreaterThanOrEqual(1);
      if (preview.tasks === 1) expect(preview.leftOut.map(({ item }) => item)).toContain('GIMP_2');
    });
  }

  test('damaged files is left out of an export with the reason', async () => {
    const folder = await addRecording(workspace, { id: 'bad', task: 'GIMP_2', goal: 'Mute the sound' });
    rmSync(join(folder, 'events.jsonl'));
    const out = join(folders.make(), 'out');
    const [result] = await runExport(workspace, wishes, out, { toolVersion: '1' });
    expect(result?.leftOut).toContainEqual(
      expect.objectContaining({
        item: 'GIMP_2',
        from: 'recording bad',
        reason: expect.stringContaining('events.jsonl'),
      }),
    );
  });
});
