import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { ARENA_FILE } from '../../schemas/arena.ts';
import { addRun } from '../datasets/run-for-tests.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { nextOfArena, rankInArena, resultOfArena, undoInArena } from './arena.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});
const ffmpeg = await findFfmpeg();

beforeEach(async () => {
  await addRecording(workspace, { id: 'shown', task: 'GIMP_1' });
  await addRun(workspace, { id: 'r-one', passed: true, model: 'm-1', answer: 'Forty-two' });
  await addRun(workspace, { id: 'r-two', passed: false, model: 'm-2' });
  await addRun(workspace, { id: 'r-three', passed: false, model: 'm-3' });
  await workspace.syncIndex();
});

const next = (person: string) => nextOfArena(workspace, person, ffmpeg);

test('outcomes are shown without names in an order of each person’s own, beside what a person came to', async () => {
  const { done, left, set } = await next('ana');
  expect([done, left]).toEqual([0, 1]);
  expect(set?.outcomes.map(({ letter }) => letter)).toEqual(['A', 'B', 'C']);
  expect(set?.outcomes.filter(({ answer }) => answer === 'Forty-two').length).toBe(1);
  expect(JSON.stringify({ ...set, id: '' })).not.toMatch(/m-[123]|r-one|direct/);
  expect(set?.demonstration?.picture).toMatch(/^data:image\/jpeg;base64,/);
  for (const { picture } of set?.outcomes ?? []) expect(picture).toMatch(/^data:image\/jpeg;base64,/);
  expect((await next('ana')).set).toEqual(set);
  const orders = new Set<string>();
  for (const person of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
    orders.add(JSON.stringify((await next(person)).set?.outcomes.map(({ answer }) => answer)));
  expect(orders.size).toBeGreaterThan(1);
});

test('names come when a person has ranked all that is there; a ranking is taken back, and done again', async () => {
  const set = (await next('ana')).set!;
  expect(await resultOfArena(workspace, 'ana')).toEqual({ left: 1, table: null });
  const answered = set.outcomes.find(({ answer }) => answer !== null)!.letter;
  const others = ['A', 'B', 'C'].filter((letter) => letter !== answered);
  await rankInArena(workspace, 'ana', set.id, [[answered], others]);
  expect(await next('ana')).toEqual({ done: 1, left: 0, set: null });
  const { table } = await resultOfArena(workspace, 'ana');
  expect(table).toMatchObject({ rankings: 1, people: 1, agreement: null });
  expect(table?.rows[0]).toMatchObject({ name: 'direct m-1', meanRank: 1 });
  expect(table?.rows.map(({ meanRank }) => meanRank)).toEqual([1, 2.5, 2.5]);
  // Another person has not, and sees no names.
  expect((await resultOfArena(workspace, 'ben')).table).toBeNull();
  await undoInArena(workspace, 'ana');
  expect((await next('ana')).left).toBe(1);
  await expect(undoInArena(workspace, 'ana')).rejects.toThrow(/nothing can be taken back/);
  await rankInArena(workspace, 'ana', set.id, [[answered, ...others]]);
  expect((await resultOfArena(workspace, null)).table?.rankings).toBe(1);
  // A newer run of an agent is another outcome.
  await addRun(workspace, { id: 'r-zero', passed: true, model: 'm-4' });
  await workspace.syncIndex();
  expect((await next('ana')).left).toBe(1);
  await expect(rankInArena(workspace, 'ana', set.id, [[answered], others])).rejects.toThrow(/newer runs/);
});

test('what is no ranking is refused, and a file that is spoilt or newer is said with its line, never passed over', async () => {
  const set = (await next('ana')).set!;
  for (const order of [[['A']], [['A', 'B']], [['A'], ['B'], ['C'], ['A']], [['A'], ['B'], ['D']]])
    await expect(rankInArena(workspace, 'ana', set.id, order)).rejects.toThrow(/has each of A, B, C once/);
  await expect(rankInArena(workspace, 'ana', 'another', [['A']])).rejects.toMatchObject({ code: 'CONFLICT' });
  await Promise.all([
    rankInArena(workspace, 'ana', set.id, [['A'], ['B'], ['C']]),
    rankInArena(workspace, 'ben', set.id, [['A'], ['B'], ['C']]),
  ]);
  const file = join(workspace.dir, ARENA_FILE);
  const kept = readFileSync(file, 'utf8');
  expect(kept.split('\n').length).toBe(3);
  writeFileSync(file, `${kept}{"version":1,\n`);
  await expect(next('ana')).rejects.toThrow(/Line 3 of .*arena\.jsonl is no ranking/);
  writeFileSync(file, `${kept}{"version":9}\n`);
  await expect(next('ana')).rejects.toMatchObject({ code: 'FUTURE_VERSION' });
});
