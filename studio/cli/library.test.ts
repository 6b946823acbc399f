import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const MAIN = join(import.meta.dirname, 'main.ts');
const EVENTS: RawEvent[] = [
  { type: 'down', t: 1_100_000, x: 100, y: 200, button: 'left' },
  { type: 'up', t: 1_200_000, x: 100, y: 200, button: 'left' },
];

/** The command line and its last line as JSON: in this process, and in one of its own where something is sent to it. */
async function cli(args: readonly string[], input?: string) {
  const { status, stdout, stderr } = input === undefined ? await runHere([...args, '--json']) : runApart(args, input);
  return { status, stderr, json: stdout === '' ? null : JSON.parse(stdout) };
}
function runApart(args: readonly string[], input: string) {
  const env = { ...process.env, DISPLAY: '', NO_COLOR: '1' };
  return spawnSync(process.execPath, [MAIN, ...args, '--json'], { env, encoding: 'utf8', input });
}
async function must(args: readonly string[], input?: string) {
  const { status, json, stderr } = await cli(args, input);
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return json;
}
function workspaceWith(...ids: string[]): string {
  const dir = join(folders.make(), 'studio');
  openWorkspace(dir, { create: true }).close();
  for (const id of ids) writeSample(join(dir, 'recordings'), sampleRecording({ id }), EVENTS);
  return dir;
}

describe('the command line does what the page does', { timeout: 90_000 }, () => {
  test('tasks come of a table: a dry run first, columns by hand, and faults by line and column', async () => {
    const w = ['-w', workspaceWith()];
    const file = join(folders.make(), 'goals.csv');
    writeFileSync(file, 'Prompt;Level;Remark\nCrop it;hard;"one; two"\n;easy;\n');
    const taking = ['tasks', 'import', file, '--app', 'GIMP', ...w];
    const plan = await cli([...taking, '--dry-run']);
    expect([plan.status, plan.json.made, plan.json.faults, plan.json.done]).toEqual([1, 1, 1, false]);
    const refused = await cli(taking);
    expect([refused.status, refused.json.error.code]).toEqual([2, 'USAGE']);
    expect(refused.json.error.message).toContain('line 3, Prompt: There is no goal.');
    expect((await must(['tasks', ...w])).tasks).toEqual([]);
    const columns = ['--column', 'Remark=platform', '--column', 'Level=none'];
    const done = await cli([...taking, '--leave-out-faults', ...columns]);
    expect(done.json).toMatchObject({ made: 1, separator: ';', rows: [{ task: 'GIMP_1' }, { act: 'fault' }] });
    const { task } = await must(['tasks', 'show', 'GIMP_1', ...w]);
    expect(task).toMatchObject({ goal: 'Crop it', platform: 'one; two', notes: '' });
    const wrong = await cli([...taking, '--column', 'Nothing=goal']);
    expect(wrong.json.error.message).toContain('its headers are Prompt, Level, Remark');
    expect((await cli(['tasks', 'import', join(w[1]!, 'none.csv'), ...w])).json.error.message).toContain('none.csv');
  });

  test('tasks are made, shown, changed, given files, and removed', async () => {
    const w = ['-w', workspaceWith()];
    const { task } = await must([
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
    expect((await must(['tasks', 'update', 'PPT_1', '--state', 'closed', '--notes', 'n', ...w])).task).toMatchObject({
      state: 'closed',
      notes: 'n',
      goal: 'Insert a picture',
    });
    const file = join(folders.make(), 'subtitles.vtt');
    writeFileSync(file, 'WEBVTT\n');
    const { attachment } = await must(['tasks', 'attach', 'PPT_1', file, '--role', 'transcript', ...w]);
    expect((await must(['tasks', 'show', 'PPT_1', ...w])).task.attachments).toEqual([attachment]);
    expect(await cli(['tasks', 'remove', 'PPT_1', ...w])).toMatchObject({
      status: 11,
      json: { error: { code: 'CONFLICT' } },
    });
    // The newest recipe is in force at once, so one that cannot be meant is not taken.
    writeFileSync(file, '{"schema":"trajectory-studio/recipe","version":1,"programs":[{"comand":"x"}]}');
    for (const role of ['recipe', 'checks'])
      expect(await cli(['tasks', 'attach', 'PPT_1', file, '--role', role, ...w])).toMatchObject({
        json: { error: { code: 'BAD_FILE', message: expect.stringMatching(/does? not fit/) } },
      });
    expect((await must(['tasks', 'show', 'PPT_1', ...w])).task.attachments).toEqual([attachment]);
    await must(['tasks', 'detach', attachment.id, ...w]);
    await must(['tasks', 'remove', 'PPT_1', ...w]);
    expect((await must(['tasks', ...w])).tasks).toEqual([]);
    expect((await cli(['tasks', 'attach', 'PPT_1', '/nowhere/x', ...w])).status).toBe(4);
  });

  test('people are added and listed', async () => {
    const w = ['-w', workspaceWith()];
    const { person } = await must(['people', 'add', 'Ada', '--email', 'ada@example.com', ...w]);
    expect((await must(['people', 'list', ...w])).people).toEqual([person]);
  });

  test('a recording goes from one workspace to another, through a .tar, and to the trash', async () => {
    const [from, to] = [workspaceWith('a1'), workspaceWith()];
    const out = join(folders.make(), 'take.tar');
    expect(await must(['recordings', 'export', 'a1', '--out', out, '-w', from])).toMatchObject({
      recording: 'a1',
      out,
    });
    expect(await must(['import', out, '-w', to])).toMatchObject({ recording: 'a1', task: 'GIMP_1' });
    expect(await cli(['recordings', 'import', out, '-w', to])).toMatchObject({
      status: 9,
      json: { error: { code: 'TARGET_EXISTS' } },
    });
    expect((await must(['recordings', '-w', to])).recordings).toMatchObject([{ id: 'a1', state: 'recorded' }]);
    await must(['recordings', 'remove', 'a1', '-w', to]);
    expect((await must(['recordings', '-w', to])).recordings).toEqual([]);
    expect(readdirSync(join(to, 'trash'))).toEqual(['a1']);
  });

  test('annotation is read, changed, undone and redone, and its history told', async () => {
    const w = ['-w', workspaceWith('a1')];
    const document = await must(['annotate', 'get', 'a1', ...w]);
    const before = document.records.find((record: { kind: string }) => record.kind === 'goal');
    const after = { ...before, text: 'Another goal' };
    const transaction = JSON.stringify({
      id: randomUUID(),
      label: 'Set goal',
      changes: [{ op: 'change', before, after }],
    });
    const stored = await must(['annotate', 'apply', 'a1', '--file', '-', '--person', 'ada', ...w], transaction);
    expect(stored).toMatchObject({ label: 'Set goal', person: 'ada', version: document.version + 1 });
    // Sent twice, applied once.
    expect(await must(['annotate', 'apply', 'a1', '--file', '-', '--person', 'ada', ...w], transaction)).toEqual(
      stored,
    );
    expect((await must(['annotate', 'undo', 'a1', '--person', 'ada', ...w])).transaction).toMatchObject({
      undoes: stored.id,
    });
    expect((await must(['annotate', 'redo', 'a1', '--person', 'ada', ...w])).transaction).toMatchObject({
      version: document.version + 3,
    });
    expect((await must(['annotate', 'redo', 'a1', '--person', 'ada', ...w])).transaction).toBeNull();
    const { transactions } = await must(['annotate', 'history', 'a1', '--limit', '2', ...w]);
    expect(transactions.map(({ version }: { version: number }) => version)).toEqual([
      document.version + 3,
      document.version + 2,
    ]);
    expect((await must(['annotate', 'get', 'a1', ...w])).records).toContainEqual(after);
    expect((await must(['recordings', ...w])).recordings).toMatchObject([{ state: 'annotating' }]);
  });

  test.each([
    ['no JSON', '{', 6, 'BAD_FILE'],
    ['no transaction', '{"id":"x"}', 6, 'BAD_FILE'],
  ])('a transaction that is %s is refused', async (_what, input, status, code) => {
    const w = ['-w', workspaceWith('a1')];
    expect(await cli(['annotate', 'apply', 'a1', '--file', '-', ...w], input)).toMatchObject({
      status,
      json: { error: { code } },
    });
  });
});
