import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { attach } from '../../store/attachments.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import type { Workspace } from '../../store/workspace.ts';
import { collectExport } from '../collect.ts';
import { addRecording } from '../workspace-for-tests.ts';
import { requestOf } from './formats.ts';
import { exportFormats } from './run.ts';
import { listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture' });
});

test('files of a task go out whatever they are called', async () => {
  const names = [
    `${'文'.repeat(200)}.txt`,
    `${'文'.repeat(199)}説.txt`,
    `${'ä'.repeat(160)}.tar.gz`,
    '..',
    'con.txt',
    'a/b\\c:d?.txt',
    '.hidden',
    'e\u0301.txt',
    '\u00e9.txt',
    '😀'.repeat(70),
    'x',
    'X',
  ];
  for (const name of names) {
    await attach(workspace, {
      task: 'GIMP_1',
      role: 'material',
      name,
      body: (async function* () {
        yield Buffer.from(name);
      })(),
    });
  }
  const source = await collectExport(workspace, { all: true });
  const out = join(folders.make(), 'out');
  const request = requestOf('videogui', { parts: ['parquet', 'jsonl', 'raw'] });
  await exportFormats(source, out, [request], { toolVersion: '0', filters: { all: true } });
  expect((await validateExport('videogui', out)).problems).toEqual([]);
  const kept = (await listTargetFiles(out)).filter((file) => file.startsWith('videogui-jsonl/media/GIMP_1/material/'));
  expect(kept).toHaveLength(names.length);
});
