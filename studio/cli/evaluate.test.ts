import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  clickAt,
  head,
  plan,
  predict,
  predictionsHead,
  question,
  writeLines,
} from '../datasets/evaluate/files-for-tests.ts';
import { chatServers } from '../models/chat-server-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
const chat = chatServers();
afterAll(folders.clean);

async function cli(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const { status, stdout: out, stderr: err } = await runHere(args);
  return { status, out, err };
}

function inputs() {
  const folder = folders.make();
  const truth = writeLines(folder, 'Q.jsonl', [
    head(),
    question('GIMP_1/1/1', clickAt(100, 100)),
    question('GIMP_1/1/2', clickAt(500, 500), { software: 'Word', actions: 9 }),
    question('GIMP_1/1/text', plan('Save it'), { query: 'text' }),
  ]);
  const predictions = writeLines(folder, 'P.jsonl', [
    predictionsHead(),
    predict('GIMP_1/1/1', '[160, 180]'),
    predict('GIMP_1/1/text', '1. Save it'),
  ]);
  return { folder, truth, predictions };
}

describe('evaluate', () => {
  test('prints the tables as the paper lays them out, and what was missing', async () => {
    const { truth, predictions } = inputs();
    const { status, out } = await cli('evaluate', 'all', '--truth', truth, '--predictions', predictions);
    expect(status).toBe(0);
    expect(out).toMatch(/Click Dist\s+Click Recall\s+Action Full/);
    expect(out).toMatch(/\n\n\s+Click Dist.*\nall\s+4\.8 \[4\.8, 4\.8\]\s+50\.0 \[0\.0, 100\.0\]/);
    expect(out).toMatch(/^software Word\s+–\s+0\.0 \[0\.0, 0\.0\]/m);
    expect(out).toMatch(/^actions 9-16/m);
    expect(out).toContain('3 cases: 2 answered, 1 missing (each counts 0), 0 unreadable, 0 refused.');
  });

  test('named choices change the score and stand in the result', async () => {
    const { truth, predictions } = inputs();
    const choose = ['--options', 'comparator=<', 'threshold=100', 'actionGroups=1,10'];
    const { out } = await cli('evaluate', 'click', '--truth', truth, '--predictions', predictions, '--json', ...choose);
    const result = JSON.parse(out);
    expect(result.options).toMatchObject({ comparator: '<', threshold: 100, actionGroups: [1, 10], seed: 1 });
    // Exactly 100 px away.
    expect(result.rows[0].metrics[1]).toMatchObject({ metric: 'click.recall', value: 0 });
  });

  test.each([
    ['threshold=far', /threshold: Invalid input/],
    ['colour=red', /"colour=red" is not known.*threshold=100/],
    ['keysReading=any', /keysReading: Invalid option: expected one of "contained"/],
    ['actionGroups=5,2', /actionGroups: must ascend/],
  ])('the choice %s is refused', async (choice, message) => {
    const { truth, predictions } = inputs();
    const result = await cli('evaluate', 'click', '--truth', truth, '--predictions', predictions, '--options', choice);
    expect(result.status).toBe(2);
    expect(result.err).toMatch(message);
  });

  test('wrong lines end it with status 6 and no case file', async () => {
    const { folder, truth, predictions } = inputs();
    writeFileSync(predictions, '{"id": "GIMP_7/1/1", "prediction": "[1, 1]"}\n');
    const cases = join(folder, 'cases.jsonl');
    const result = await cli('evaluate', 'click', '--truth', truth, '--predictions', predictions, '--cases', cases);
    expect(result).toMatchObject({ status: 6, err: expect.stringContaining('P.jsonl:1: the id "GIMP_7/1/1"') });
    expect(existsSync(cases)).toBe(false);
  });

  test('a critic judges plans, with a key from the environment', async () => {
    const server = await chat.start(() => ({ kind: 'text', text: '[comment]: good\n[score]: 4' }));
    const { truth, predictions } = inputs();
    process.env.TEST_CRITIC_KEY = 'sk-1';
    const critic = ['--critic', server.url, '--critic-model', 'judge', '--key-env', 'TEST_CRITIC_KEY'];
    const { out } = await cli('evaluate', 'mid', '--truth', truth, '--predictions', predictions, ...critic);
    expect(out).toMatch(/Mid \(text\)\n?/);
    expect(out).toContain('4.00 [4.00, 4.00]');
    expect(out).toContain('Critic judge: 1 asked');
    expect(server.asked[0]!.key).toBe('Bearer sk-1');
    delete process.env.TEST_CRITIC_KEY;
    const without = await cli('evaluate', 'mid', '--truth', truth, '--predictions', predictions, ...critic);
    expect(without).toMatchObject({ status: 2, err: expect.stringContaining('TEST_CRITIC_KEY') });
  });
});

describe('questions and answer', () => {
  test('the sample is asked about, a model answers, and its answers are scored', async () => {
    const server = await chat.start(({ images }) => ({
      kind: 'text',
      text: images.length > 0 ? '[A] [1, 1]' : '1. Save',
    }));
    const folder = folders.make();
    const dir = join(folder, 'workspace');
    const workspace = openWorkspace(dir, { create: true });
    const sample = join(import.meta.dirname, '..', '..', 'assets', 'sample', 'recordings');
    cpSync(sample, workspace.recordingsDir, { recursive: true });
    workspace.close();
    const [questions, predictions] = [join(folder, 'Q.jsonl'), join(folder, 'P.jsonl')];
    const refused = await cli('questions', '--workspace', dir, '--level', 'mid', '--out', questions);
    expect(refused).toMatchObject({ status: 9, err: expect.stringContaining('--all') });
    const made = await cli('questions', '--workspace', dir, '--level', 'mid', '--out', questions, '--all', '--json');
    expect(JSON.parse(made.out)).toMatchObject({ head: { dataset: { name: 'workspace' }, holds: 'both' } });
    const ask = ['--endpoint', server.url, '--model', 'm', '--out', predictions, '--price-input', '1'];
    const answered = await cli('answer', '--questions', questions, ...ask);
    expect(answered).toMatchObject({ status: 0, out: expect.stringContaining('questions have an answer') });
    const scored = await cli('evaluate', 'mid', '--truth', questions, '--predictions', predictions, '--json');
    expect(JSON.parse(scored.out)).toMatchObject({ model: 'm', counts: { missing: 0 } });
    expect(readFileSync(predictions, 'utf8')).not.toContain('sk-');
  });

  test('what is left unanswered is status 13', async () => {
    const server = await chat.start(() => ({ kind: 'status', status: 400 }));
    const { truth, folder } = inputs();
    const line = ['--endpoint', server.url, '--model', 'm', '--out', join(folder, 'A.jsonl'), '--json'];
    const { status, out } = await cli('answer', '--questions', truth, ...line);
    expect(status).toBe(13);
    expect(JSON.parse(out)).toMatchObject({ answered: 0, remaining: 3 });
  });

  test('questions with marks are answered by numbers, without pictures if wanted, and their row names the aid', async () => {
    const server = await chat.start(() => ({ kind: 'text', text: 'It is [2].' }));
    const folder = folders.make();
    const marks: [number, number, number, number][] = [
      [0, 0, 20, 20],
      [90, 90, 20, 20],
    ];
    const aid = { kind: 'som' as const, source: 'my detector', hash: 'c'.repeat(64) };
    const questions = writeLines(folder, 'Q.jsonl', [
      head({ version: 2, aid }),
      question('GIMP_1/1/1', clickAt(100, 100), { marks, images: ['nowhere.png'] }),
    ]);
    const out = join(folder, 'P.jsonl');
    const ask = ['answer', '--questions', questions, '--endpoint', server.url, '--model', 'm', '--out', out];
    expect(await cli(...ask)).toMatchObject({ status: 6, err: expect.stringContaining('nowhere.png') });
    expect(await cli(...ask, '--text-only')).toMatchObject({ status: 11, err: expect.stringContaining('settings') });
    const other = join(folder, 'text.jsonl');
    expect((await cli(...ask.slice(0, -1), other, '--text-only')).status).toBe(0);
    expect(server.asked.map(({ images }) => images)).toEqual([[]]);
    const scored = await cli('evaluate', 'click', '--truth', questions, '--predictions', other);
    expect(scored.out).toContain('Model: m + SoM, elements by my detector');
    expect(scored.out).toMatch(/^all\s+0\.0 .*100\.0/m);
  });

  test('an aid that cannot be is refused before anything is read', async () => {
    const dir = join(folders.make(), 'workspace');
    openWorkspace(dir, { create: true }).close();
    const ask = ['questions', '--workspace', dir, '--out', join(dir, 'Q.jsonl'), '--level'];
    expect(await cli(...ask, 'mid', '--aid', 'som')).toMatchObject({
      status: 2,
      err: expect.stringContaining('goes with --level action'),
    });
    expect(await cli(...ask, 'action', '--aids', 'x.jsonl')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--aids goes with --aid'),
    });
    expect(await cli(...ask, 'action', '--aid', 'colours')).toMatchObject({ status: 2 });
  });
});
