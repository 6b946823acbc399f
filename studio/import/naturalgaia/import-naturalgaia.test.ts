import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { runExport } from '../../datasets/export/exports.ts';
import { finishRecording } from '../../recordings/finish.ts';
import { readRecording } from '../../store/recording-folder.ts';
import { sqlOf } from '../../store/store.ts';
import { getTask } from '../../store/task-rows.ts';
import { importBench } from '../bench-for-tests.ts';
import { importAny } from '../import-any.ts';

const bench = importBench();

describe('NaturalGAIA trajectories', () => {
  const STEP = (n: number, from: string, to: string) =>
    `=== Step${n} ===\n<think>\n<${from}>\n**Thought**\nI think ${n}.\n**Action Thought**\nHere ${n}.\n**Action**\nTap on "${n}".\n</think>\n<Observation>\n<${to}>\n**Observation**\nSeen ${n}.\n</Observation>\n`;
  const images = ['image_1.jpg', 'image_2.png', 'image_3.jpg'];
  const entry = {
    images,
    messages: [
      { role: 'user', content: 'Find the album' },
      { role: 'assistant', content: STEP(1, images[0]!, images[1]!) + STEP(2, images[1]!, images[2]!) },
    ],
    solution: '<answer>Jay</answer>',
  };
  async function write(value: unknown = entry): Promise<string> {
    for (const [at, name] of images.entries()) {
      const size = at === 2 ? { width: 90, height: 160 } : { width: 120, height: 200 };
      await sharp({ create: { ...size, channels: 3, background: { r: 80 * at, g: 10, b: 200 } } }).toFile(
        join(bench.elsewhere, name),
      );
    }
    const file = join(bench.elsewhere, 'data.json');
    writeFileSync(file, JSON.stringify(value));
    return file;
  }

  test('each step with its pictures and its own words; what is lost is said', async () => {
    const { entry: row, kind } = await bench.take(await write(), { app: 'Wikipedia' });
    expect(kind).toBe('naturalgaia');
    const recording = readRecording(row.folder);
    expect(recording).toMatchObject({ task: { goal: 'Find the album' }, verdict: { kind: 'complete' } });
    expect(recording.segments.map(({ width, frames }) => [width, frames])).toEqual([
      [120, 2],
      [90, 1],
    ]);
    expect(recording.origin?.lost.join()).toContain('said in words only');
    await finishRecording(bench.workspace, row.folder, {
      ffmpeg: bench.ffmpeg,
      playback: 'now',
      progress: () => undefined,
    });
    const { steps, frames } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ before, after }) => [before, after])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    // A png's pixels come back bit for bit.
    const picture = await sharp(await bench.documents.framePicture(row.id, frames[1]![0]))
      .raw()
      .toBuffer();
    expect([...picture.subarray(0, 3)]).toEqual([80, 10, 200]);
    const { records } = await bench.documents.get(row.id);
    const narrations = records.flatMap((record) => (record.kind === 'label' ? [record.narration] : []));
    expect(narrations).toEqual(['Tap on "1".', 'Tap on "2".']);
    const said = records.filter((record) => record.kind === 'reasoning');
    expect(said).toMatchObject([
      { thought: 'I think 1.', actionThought: 'Here 1.', observation: 'Seen 1.' },
      { thought: 'I think 2.', actionThought: 'Here 2.', observation: 'Seen 2.' },
    ]);
    expect(JSON.parse(readFileSync(join(row.folder, 'attachments', 'trajectory.json'), 'utf8'))).toEqual(entry);
  });

  test('a task gets the answer with its recording: of an import that fails it keeps none', async () => {
    const { workspace } = bench;
    const software = await workspace.findSoftware('Chrome');
    const { id: task } = await workspace.ensureTask({ software, goal: '' });
    const told = () => sqlOf(workspace.store).selectFrom('tasks').select(['goal', 'answer']).executeTakeFirst();
    const file = await write();
    const control = new AbortController();
    const report = (share: number): void => void (share > 0.6 && control.abort(new Error('stop')));
    const stopped = bench.take(file, { app: software.name, task, signal: control.signal, report });
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await told()).toEqual({ goal: '', answer: '' });
    await bench.take(file, { app: software.name, task });
    expect(await told()).toEqual({ goal: 'Find the album', answer: 'Jay' });
  });

  test('places in the words become input, so that executable exports have the steps; boxes stand as boxes', async () => {
    const said = (action: string, n: number) => STEP(n, images[n - 1]!, images[n]!).replace(/Tap on "\d"\./, action);
    const trace = said('Tap the album at (60, 150).', 1) + said('Click [10, 20, 30, 60].', 2);
    const { entry: row } = await bench.take(
      await write({ ...entry, messages: [entry.messages[0], { role: 'assistant', content: trace }] }),
    );
    await finishRecording(bench.workspace, row.folder, {
      ffmpeg: bench.ffmpeg,
      playback: 'none',
      progress: () => undefined,
    });
    const { steps } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ kind, start, before, after }) => [kind, start.slice(0, 2), before, after])).toEqual([
      ['click', [60, 150], 0, 1],
      ['click', [20, 40], 1, 2],
    ]);
    const { records } = await bench.documents.get(row.id);
    expect(records.filter((record) => record.kind === 'box')).toMatchObject([
      { action: steps[1]!.id, box: { x: 10, y: 20, width: 20, height: 40 }, source: 'import' },
    ]);
    expect(records.flatMap((record) => (record.kind === 'label' ? [[record.action, record.narration]] : []))).toEqual([
      [steps[0]!.id, 'Tap the album at (60, 150).'],
      [steps[1]!.id, 'Click [10, 20, 30, 60].'],
    ]);
    expect(readRecording(row.folder).origin?.guessed.join()).toContain('where 2 of 2 steps were done');
    const out = join(bench.elsewhere, 'out');
    const wishes = { formats: [{ name: 'agentnet' }], source: { kind: 'filter' as const, filter: {} }, all: true };
    await runExport(bench.workspace, wishes, out, { toolVersion: '1' });
    const line = JSON.parse(readFileSync(join(out, 'agentnet.jsonl'), 'utf8'));
    expect(line.traj.map(({ value }: { value: { code: string } }) => value.code)).toEqual([
      'pyautogui.click(x=0.5, y=0.75)',
      expect.stringMatching(/^pyautogui\.click/),
      "computer.terminate(status='success')",
    ]);
  });

  test("the answer is the task's; where a person gave another, theirs stays and it is said", async () => {
    const answerOf = async (task: string) => (await getTask(bench.workspace.store, task)).answer;
    const { entry: first } = await bench.take(await write());
    expect(await answerOf(first.task)).toBe('Jay');
    expect(readRecording(first.folder).origin?.lost.join()).not.toContain('answer');
    const other = await write({ ...entry, solution: '<answer>Jolin</answer>' });
    const { entry: second } = await bench.take(other, { app: first.app, task: first.task });
    expect(second.task).toBe(first.task);
    expect(await answerOf(first.task)).toBe('Jay');
    expect(readRecording(second.folder).origin?.lost.join()).toContain(
      `the answer "Jolin" for task ${first.task}, which has another one`,
    );
    const long = await write({ ...entry, solution: 'x'.repeat(10_001) });
    const { entry: third } = await bench.take(long);
    expect(await answerOf(third.task)).toBe('x'.repeat(10_000));
    expect(readRecording(third.folder).origin?.lost.join()).toContain('beyond its first 10000 characters');
  });

  test('a list of them gives a recording each; those that are here already are passed over', async () => {
    const other = { ...entry, messages: [{ role: 'user', content: 'Another' }, entry.messages[1]] };
    const file = await write([entry, other]);
    expect((await importAny(bench.workspace, file, bench.options())).imported).toHaveLength(2);
    const again = await importAny(bench.workspace, file, bench.options());
    expect([again.imported.length, again.known.length]).toEqual([0, 2]);
  });

  test('a missing picture is told, and the step shows what stood', async () => {
    const file = await write();
    rmSync(join(bench.elsewhere, images[2]!));
    const { verdict, origin } = readRecording((await bench.take(file)).entry.folder);
    expect(verdict).toMatchObject({ kind: 'recovered', missing: ['the picture after step 2'] });
    expect(origin?.lost.join()).toContain('image_3.jpg');
  });

  test.each([
    ['a path that climbs', { ...entry, images: ['../../etc/passwd'] }, 'leads elsewhere'],
    ['an absolute path', { ...entry, images: ['/etc/passwd'] }, 'absolute'],
    ['no steps', { ...entry, messages: [{ role: 'assistant', content: 'hello' }] }, 'is chat data of 1 message, which'],
    ['no messages', { images }, 'is not known: it is JSON with the fields images'],
    ['an empty list', [], 'no trajectory'],
    ['the second of two wrong', [entry, { images }], 'entry 2: it has no `messages`'],
    [
      'the second is something else',
      [entry, { id: 'x', instruction: 'y', evaluator: {} }],
      'entry 2: it is an OSWorld task',
    ],
  ])('%s: refused, and nothing is kept', async (_what, value, message) => {
    const error = await bench.refusal(await write(value));
    expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringContaining(message)]);
  });

  test('a link for a picture, and a picture that is none, are refused', async () => {
    const file = await write();
    rmSync(join(bench.elsewhere, images[0]!));
    symlinkSync('/etc/passwd', join(bench.elsewhere, images[0]!));
    expect((await bench.refusal(file)).message).toContain('it is a link');
    rmSync(join(bench.elsewhere, images[0]!));
    writeFileSync(join(bench.elsewhere, images[0]!), 'no picture');
    expect((await bench.refusal(file)).message).toContain('The image "image_1.jpg" cannot be read');
  });
});
