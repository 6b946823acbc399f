import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Composition, compositionSchema } from '../../../schemas/composition.ts';
import { keepComposition } from './composition-files.ts';
import { compositionHeads } from './composition-heads.ts';

/** Heads of compositions are those of their files as they are now. */

const dir = mkdtempSync(join(tmpdir(), 'studio-heads-'));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const made = (id: string, title: string, tasks: readonly (string | null)[]): Composition =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id,
    kind: 'pathway',
    title,
    members: tasks.map((task, n) => ({ id: `m${n}`, task, instructions: { base: 'Do it.' } })),
  });

test('a file that is written, removed, torn or put back is told by the next look, however alike it is', async () => {
  const told = async () =>
    (await compositionHeads({ dir })).map(({ id, title, why }) => [id, why === null ? title : 'torn']);
  expect(await told()).toEqual([]);
  keepComposition({ dir }, made('b', 'B', ['N_1', null, 'N_1', 'N_2']));
  keepComposition({ dir }, made('a', 'A', [null]));
  expect(await compositionHeads({ dir })).toMatchObject([
    { id: 'a', kind: 'pathway', members: 1, tasks: [], origin: null, why: null },
    { id: 'b', kind: 'pathway', members: 4, tasks: ['N_1', 'N_2'], origin: null, why: null },
  ]);
  // It has the same length.
  keepComposition({ dir }, made('a', 'C', [null]), { replace: true });
  expect(await told()).toEqual([
    ['a', 'C'],
    ['b', 'B'],
  ]);
  mkdirSync(join(dir, 'compositions'), { recursive: true });
  writeFileSync(join(dir, 'compositions', 'a.json'), '{');
  expect(await told()).toEqual([
    ['a', 'torn'],
    ['b', 'B'],
  ]);
  rmSync(join(dir, 'compositions', 'b.json'));
  keepComposition({ dir }, made('a', 'D', [null]), { replace: true });
  expect(await told()).toEqual([['a', 'D']]);
});
