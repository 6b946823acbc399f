import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { setTitle, splitSubtask } from '../../../core/annotate/edit-subtasks.ts';
import { subtaskSpans } from '../../../core/annotate/subtasks.ts';
import { FORMATS, type FormatName } from '../../../core/export/formats.ts';
import type { Documents } from '../../documents/documents.ts';
import { freshDocuments } from '../../documents/fresh-for-tests.ts';
import { attach } from '../../store/attachments.ts';
import { updateTask } from '../../store/task-rows.ts';
import type { Workspace } from '../../store/workspace.ts';
import { collectExport } from '../collect.ts';
import { freezeVersion } from '../freeze.ts';
import { exportSource } from '../source.ts';
import { VERSIONS_FOLDER } from '../versions.ts';
import { addRecording } from '../workspace-for-tests.ts';
import { requestOf } from './formats.ts';
import { parquetRows } from './parquet-for-tests.ts';
import { type ExportResult, exportFormats } from './run.ts';
import { listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

/** A task with everything that it can hold: an export has it, or says that it has no place for it. */

let workspace: Workspace;
let documents: Documents;
let red: Buffer;
const MP4 = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0a made-up video of the effect');

const folders = freshDocuments((...made) => {
  [workspace, documents] = made;
});
beforeEach(async () => {
  const recording = await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture' });
  await divide('aaaa', 'Select the part', 'Crop to it');
  red = readFileSync(join(recording, 'keyframes', '1.png'));
  await updateTask(workspace.store, 'GIMP_1', {
    sourceUrl: 'https://example.org/how-to-crop',
    answer: '42 pages',
    platform: 'Windows 11',
  });
  const keep = (role: Parameters<typeof attach>[1]['role'], name: string, bytes: Buffer) =>
    attach(workspace, {
      task: 'GIMP_1',
      role,
      name,
      body: (async function* () {
        yield bytes;
      })(),
    });
  await keep('query-start', 'red.png', red);
  await keep('query-end', 'effect', MP4);
  await keep('project', 'deck.pptx', Buffer.from('project'));
  await keep('material', 'photo.bin', Buffer.from([0, 1, 2]));
  await keep('transcript', 'words.srt', Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nCrop it\n'));
});

/** Two subtasks, a step each: without a division there is no high-level plan. */
async function divide(recording: string, first: string, second: string): Promise<void> {
  const { steps } = await documents.openRecording(recording);
  const records = toRecords((await documents.get(recording)).records);
  const [part] = subtaskSpans(steps, records);
  const changes = [
    ...setTitle(records, part!.record.id, first),
    ...splitSubtask(records, steps, steps[1]!.id, 'second', second),
  ];
  await documents.apply(recording, { id: randomUUID(), label: 'Divide', changes }, 'Bo');
}

async function exported(name: FormatName, parts?: string[]): Promise<ExportResult> {
  const source = await collectExport(workspace, { all: true });
  const options = { toolVersion: '0', filters: { all: true } };
  const out = join(folders.make(), 'out');
  const [result] = await exportFormats(source, out, [requestOf(name, parts ? { parts } : {})], options);
  expect((await validateExport(name, out)).problems).toEqual([]);
  return result!;
}

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('VideoGUI', () => {
  test('Parquet has source, answer and the names of the files, which lie beside it as they were given', async () => {
    const { out, leftOut } = await exported('videogui', ['parquet']);
    const folder = join(out, 'VideoGUI-High-Plan/high_plan/GIMP_1');
    expect(await parquetRows(join(folder, 'metadata.parquet'))).toMatchObject([
      {
        subtask_sequence: ['Select the part', 'Crop to it'],
        visual_start: 'start.png',
        visual_end: 'end.mp4',
        source: 'https://example.org/how-to-crop',
        answer: '42 pages',
        platform: 'Windows 11',
        category: 'Media editing',
        files: ['project/deck.pptx', 'material/photo.bin', 'transcript/words.srt'],
      },
    ]);
    expect(readFileSync(join(folder, 'start.png'))).toEqual(red);
    expect(readFileSync(join(folder, 'end.mp4'))).toEqual(MP4);
    expect(readFileSync(join(folder, 'project/deck.pptx'), 'utf8')).toBe('project');
    // It has a place for everything; nobody named what was clicked.
    const reason = '2 narrations say pixels: nobody named the element, or where a drag ends';
    expect(leftOut).toEqual([{ item: 'GIMP_1', from: 'videogui/pixels', reason }]);
  });

  test('so have the JSON Lines and the raw log, also of a simple task, which has no high-level plan', async () => {
    await updateTask(workspace.store, 'GIMP_1', { kind: 'simple' });
    const { out, leftOut, counts } = await exported('videogui', ['jsonl', 'parquet', 'raw']);
    expect(json(join(out, 'videogui-jsonl/task.jsonl'))).toMatchObject({
      kind: 'simple',
      source: 'https://example.org/how-to-crop',
      answer: '42 pages',
      visual_end: 'media/GIMP_1/end.mp4',
      files: [
        { role: 'project', file: 'media/GIMP_1/project/deck.pptx' },
        { role: 'material', file: 'media/GIMP_1/material/photo.bin' },
        { role: 'transcript', file: 'media/GIMP_1/transcript/words.srt' },
      ],
    });
    const raw = join(out, 'videogui-raw/GIMP/GIMP_1');
    expect(json(join(raw, 'task.json'))).toMatchObject({
      kind: 'simple',
      query: { start: 'start.png', end: 'end.mp4' },
      answer: '42 pages',
      files: [{ role: 'project', file: 'deck.pptx' }, { file: 'photo.bin' }, { file: 'words.srt' }],
    });
    expect(readFileSync(join(raw, 'end.mp4'))).toEqual(MP4);
    expect([counts['VideoGUI-High-Plan'], counts['videogui-jsonl/high_plan'], counts['VideoGUI-Mid-Plan']]).toEqual([
      0, 0, 2,
    ]);
    const said = leftOut.map(({ from }) => from);
    for (const from of ['VideoGUI-High-Plan', 'VideoGUI-High-Plan/answer', 'VideoGUI-High-Plan/files']) {
      expect(said).toContain(from);
    }
  });

  test('its validator sees a file that is gone', async () => {
    const { out } = await exported('videogui', ['jsonl', 'parquet', 'raw']);
    for (const file of [
      'VideoGUI-High-Plan/high_plan/GIMP_1/project/deck.pptx',
      'VideoGUI-High-Plan/high_plan/GIMP_1/end.mp4',
      'videogui-jsonl/media/GIMP_1/material/photo.bin',
      'videogui-jsonl/media/GIMP_1/start.png',
      'videogui-raw/GIMP/GIMP_1/deck.pptx',
      'videogui-raw/GIMP/GIMP_1/start.png',
    ]) {
      const bytes = readFileSync(join(out, file));
      rmSync(join(out, file));
      const found = (await validateExport('videogui', out)).problems.map(({ code }) => code);
      expect(found, file).toContain('MEDIA_MISSING');
      writeFileSync(join(out, file), bytes);
    }
  });
});

test.each(FORMATS.map(({ name }) => name).filter((name) => name !== 'videogui'))(
  '%s has each thing in its files, or says that it has no place for it',
  async (name) => {
    const { out, leftOut } = await exported(name);
    let text = '';
    for (const file of await listTargetFiles(out)) {
      if (/\.(jsonl?|parquet|tar)$/.test(file) && file !== 'manifest.json')
        text += readFileSync(join(out, file), 'latin1');
    }
    const said = new Set(leftOut.map(({ from }) => from));
    for (const [what, value] of [
      ['source', 'how-to-crop'],
      ['answer', '42 pages'],
      ['files', 'deck.pptx'],
      ['query', 'end.mp4'],
    ] as const) {
      expect([text.includes(value), said.has(`${name}/${what}`)].filter(Boolean), `${name} ${what}`).toEqual([true]);
    }
  },
);

describe('a frozen version', () => {
  const freeze = (name: string) => freezeVersion(workspace, { name, changelog: '', filter: {} }, { toolVersion: '0' });
  async function ofVersion(name: string): Promise<string> {
    const source = await exportSource(workspace, { kind: 'version', name }, { all: true });
    const out = join(folders.make(), 'out');
    await exportFormats(source, out, [requestOf('videogui')], { toolVersion: '0', filters: { all: true } });
    return out;
  }
  const answerIn = async (out: string) =>
    (await parquetRows(join(out, 'VideoGUI-High-Plan/high_plan/GIMP_1/metadata.parquet')))[0].answer;

  test('keeps answer, source and the hashes of the files; later changes do not reach it', async () => {
    await freeze('v1');
    await updateTask(workspace.store, 'GIMP_1', { answer: 'another', kind: 'simple' });
    const out = await ofVersion('v1');
    expect(await answerIn(out)).toBe('42 pages');
    expect(readFileSync(join(out, 'VideoGUI-High-Plan/high_plan/GIMP_1/end.mp4'))).toEqual(MP4);
  });

  test('is refused when a file of the task is another one, by name', async () => {
    await freeze('v1');
    const dir = join(workspace.dir, 'attachments', 'GIMP_1');
    const file = readdirSync(dir).find((one) => one.endsWith('deck.pptx'))!;
    writeFileSync(join(dir, file), 'changed');
    await expect(ofVersion('v1')).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('deck.pptx'),
    });
    rmSync(join(dir, file));
    await expect(ofVersion('v1')).rejects.toMatchObject({ code: 'BAD_FILE' });
    await expect(freeze('v2')).rejects.toMatchObject({ message: expect.stringContaining('"deck.pptx"') });
  });

  test('of version 1, which knew nothing of tasks, is read, says what it lacks, and gives the same bytes each time', async () => {
    await freeze('v1');
    const folder = join(workspace.dir, VERSIONS_FOLDER, 'v1');
    const lines = readFileSync(join(folder, 'snapshot.jsonl'), 'utf8').trimEnd().split('\n');
    const [head, one] = lines.map((line) => JSON.parse(line));
    delete one.brief;
    const text = `${JSON.stringify({ ...head, version: 1 })}\n${JSON.stringify(one)}\n`;
    writeFileSync(join(folder, 'snapshot.jsonl'), text);
    const info = json(join(folder, 'version.json'));
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(folder, 'version.json'), JSON.stringify({ ...info, version: 1, hash }));
    const first = await ofVersion('v1');
    await updateTask(workspace.store, 'GIMP_1', { answer: 'another' });
    const second = await ofVersion('v1');
    expect(await answerIn(first)).toBeNull();
    expect(existsSync(join(first, 'VideoGUI-High-Plan/high_plan/GIMP_1/end.png'))).toBe(true);
    expect(json(join(first, 'manifest.json')).leftOut).toContainEqual(
      expect.objectContaining({ item: 'GIMP_1', from: 'task' }),
    );
    for (const name of await listTargetFiles(first)) {
      expect(readFileSync(join(second, name)).equals(readFileSync(join(first, name))), name).toBe(true);
    }
  });
});
