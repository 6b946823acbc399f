import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const MAIN = join(import.meta.dirname, 'main.ts');
const EVENTS: RawEvent[] = [
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
];

/** The real command line in a process of its own; its last line as JSON. */
function cli(args: readonly string[], input = '') {
  const env = { ...process.env, DISPLAY: '', NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args, '--json'], {
    env,
    encoding: 'utf8',
    input,
  });
  return { status, stderr, json: stdout === '' ? null : JSON.parse(stdout) };
}
function must(args: readonly string[], input?: string) {
  const { status, json, stderr } = cli(args, input);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return json;
}
function workspaceWith(...ids: string[]): string {
  const dir = join(folders.make(), 'studio');
  openWorkspace(dir, { create: true }).close();
  for (const id of ids) writeSample(join(dir, 'recordings'), sampleRecording({ id }), EVENTS);
  return dir;
}

// Each starts the real program several times.
describe('the command line does what the page does', { timeout: 90_000 }, () => {
  test('tasks are made, shown, changed, given files, and removed', () => {
    const w = ['-w', workspaceWith()];
    const { task } = must([
      'tasks',
      'add',
      '--app',
      'powerpoint',
      '--goal',
      'Insert a picture',
      '--source',
      'https://example.com',
      ...w,
    ]);
    expect(task).toMatchObject({ id: 'PPT_1', sourceUrl: 'https://example.com' });
    expect(must(['tasks', 'update', 'PPT_1', '--state', 'closed', '--notes', 'n', ...w]).task).toMatchObject({
      state: 'closed',
      notes: 'n',
      goal: 'Insert a picture',
    });
    const file = join(folders.make(), 'subtitles.vtt');
    writeFileSync(file, 'WEBVTT\n');
    const { attachment } = must(['tasks', 'attach', 'PPT_1', file, '--role', 'transcript', ...w]);
    expect(must(['tasks', 'show', 'PPT_1', ...w]).task.attachments).toEqual([attachment]);
    expect(cli(['tasks', 'remove', 'PPT_1', ...w])).toMatchObject({
      status: 11,
      json: { error: { code: 'CONFLICT' } },
    });
    must(['tasks', 'detach', attachment.id, ...w]);
    must(['tasks', 'remove', 'PPT_1', ...w]);
    expect(must(['tasks', ...w]).tasks).toEqual([]);
    expect(cli(['tasks', 'attach', 'PPT_1', '/nowhere/x', ...w]).status).toBe(4);
  });

  test('people are added and listed', () => {
    const w = ['-w', workspaceWith()];
    const { person } = must(['people', 'add', 'Ada', '--email', 'ada@example.com', ...w]);
    expect(must(['people', 'list', ...w]).people).toEqual([person]);
  });

  test('a recording goes from one workspace to another, through a .tar, and to the trash', () => {
    const [from, to] = [workspaceWith('a1'), workspaceWith()];
    const out = join(folders.make(), 'take.tar');
    expect(must(['recordings', 'export', 'a1', '--out', out, '-w', from])).toMatchObject({ recording: 'a1', out });
    expect(must(['import', out, '-w', to])).toMatchObject({ recording: 'a1', task: 'GIMP_1' });
    expect(cli(['recordings', 'import', out, '-w', to])).toMatchObject({
      status: 9,
      json: { error: { code: 'TARGET_EXISTS' } },
    });
    expect(must(['recordings', '-w', to]).recordings).toMatchObject([{ id: 'a1', state: 'recorded' }]);
    must(['recordings', 'remove', 'a1', '-w', to]);
    expect(must(['recordings', '-w', to]).recordings).toEqual([]);
    expect(readdirSync(join(to, 'trash'))).toEqual(['a1']);
  });

  test('annotation is read, changed, undone and redone, and its history told', () => {
    const w = ['-w', workspaceWith('a1')];
    const document = must(['annotate', 'get', 'a1', ...w]);
    const before = document.records.find((record: { kind: string }) => record.kind === 'goal');
    const after = { ...before, text: 'Another goal' };
    const transaction = JSON.stringify({
      id: randomUUID(),
      label: 'Set goal',
      changes: [{ op: 'change', before, after }],
    });
    const stored = must(['annotate', 'apply', 'a1', '--file', '-', '--person', 'ada', ...w], transaction);
    expect(stored).toMatchObject({ label: 'Set goal', person: 'ada', version: document.version + 1 });
    // Sent twice, applied once.
    expect(must(['annotate', 'apply', 'a1', '--file', '-', '--person', 'ada', ...w], transaction)).toEqual(stored);
    expect(must(['annotate', 'undo', 'a1', '--person', 'ada', ...w]).transaction).toMatchObject({ undoes: stored.id });
    expect(must(['annotate', 'redo', 'a1', '--person', 'ada', ...w]).transaction).toMatchObject({
      version: document.version + 3,
    });
    expect(must(['annotate', 'redo', 'a1', '--person', 'ada', ...w]).transaction).toBeNull();
    const { transactions } = must(['annotate', 'history', 'a1', '--limit', '2', ...w]);
    expect(transactions.map(({ version }: { version: number }) => version)).toEqual([
      document.version + 3,
      document.version + 2,
    ]);
    expect(must(['annotate', 'get', 'a1', ...w]).records).toContainEqual(after);
    expect(must(['recordings', ...w]).recordings).toMatchObject([{ state: 'annotating' }]);
  });

  test.each([
    ['no JSON', '{', 6, 'BAD_FILE'],
    ['no transaction', '{"id":"x"}', 6, 'BAD_FILE'],
  ])('a transaction that is %s is refused', (_what, input, status, code) => {
    const w = ['-w', workspaceWith('a1')];
    expect(cli(['annotate', 'apply', 'a1', '--file', '-', ...w], input)).toMatchObject({
      status,
      json: { error: { code } },
    });
  });
});
