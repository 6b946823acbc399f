import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import { freshDocuments } from '../documents/fresh-for-tests.ts';
import { nameMark, removeMark } from '../recordings/marks.ts';
import type { Workspace } from '../store/workspace.ts';
import { runExport } from './export/exports.ts';
import { addRecording } from './workspace-for-tests.ts';

let workspace: Workspace;
const folders = freshDocuments((made) => {
  workspace = made;
});

test('exports hold moments that were marked, with their words, and no mark that was taken away or only divides', async () => {
  const folder = await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1' });
  const mark = (t: number, kind: string) => `${JSON.stringify({ type: 'mark', t, kind })}\n`;
  const lines = [mark(4e6, 'moment'), mark(5e6, 'subtask'), mark(6e6, 'moment'), mark(7e6, 'subtask')];
  appendFileSync(join(folder, 'events.jsonl'), lines.join(''));
  await nameMark(folder, 1, 'it went wrong here');
  await nameMark(folder, 4, 'done');
  await removeMark(folder, 3);
  const out = join(folders.make(), 'out');
  const formats = ['atif', 'agentnetbench'].map((name) => ({ name }));
  const wishes: ExportWishes = { formats, source: { kind: 'filter', filter: {} }, all: true };
  const results = await runExport(workspace, wishes, out, { toolVersion: '1' });
  const [file] = readdirSync(join(out, 'atif'), { recursive: true }).filter((name) => `${name}`.includes('GIMP_1'));
  const { extra } = JSON.parse(readFileSync(join(out, 'atif', `${file}`), 'utf8'));
  expect(extra.trajectory_studio.marks).toEqual([
    { recording: 'aaaa', t_us: 4e6, kind: 'moment', words: 'it went wrong here' },
    { recording: 'aaaa', t_us: 7e6, kind: 'subtask', words: 'done' },
  ]);
  expect(results.map(({ leftOut }) => leftOut.filter(({ from }) => from.endsWith('/marks')).length)).toEqual([0, 1]);
});
