import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import { stepSeconds } from './pace.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

type Line = { document: string; person: string; at: number; actions: string[]; undoes: boolean };
const versions = new Map<string, number>();

async function write(lines: readonly Line[]): Promise<void> {
  const { store } = workspace;
  for (const { document, person, at, actions, undoes } of lines) {
    const version = (versions.get(document) ?? 0) + 1;
    versions.set(document, version);
    const row = { id: document, recording_id: document, version, steps: 9, done: 0, created_at: '' };
    await sqlOf(store)
      .insertInto('documents')
      .values(row)
      .onConflict((on) => on.column('id').doUpdateSet({ version }))
      .execute();
    await sqlOf(store)
      .insertInto('annotation_transactions')
      .values({
        document_id: document,
        version,
        id: `${document}-${version}`,
        person,
        label: 'x',
        changes: '[]',
        at: new Date(at).toISOString(),
        undoes: undoes ? 'one' : null,
        redoes: null,
        state: 'done' as const,
      })
      .execute();
    const touched = actions.map((action) => ({ document_id: document, action, version }));
    if (touched.length > 0) await sqlOf(store).insertInto('annotation_touched').values(touched).execute();
  }
}

/** The definition, over the whole log at once. */
function plainly(lines: readonly Line[]): Map<string, number> {
  const at = new Map<string, { action: string; since: number }>();
  const times = new Map<string, number[]>();
  for (const { document, person, at: since, actions, undoes } of lines) {
    const [action] = actions;
    if (undoes || actions.length !== 1 || action === undefined) continue;
    const key = `${document} ${person}`;
    const before = at.get(key);
    if (before?.action === action) continue;
    at.set(key, { action, since });
    if (before && since >= before.since && since - before.since <= 120_000)
      times.set(person, [...(times.get(person) ?? []), since - before.since]);
  }
  const median = (list: number[]): number => {
    const sorted = list.toSorted((a, b) => a - b);
    const half = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  };
  return new Map([...times].map(([person, list]) => [person, median(list) / 1000]));
}

const line = fc.record({
  document: fc.constantFrom('rec-a', 'rec-b'),
  person: fc.constantFrom('ana', 'ben'),
  wait: fc.integer({ min: 0, max: 150_000 }),
  actions: fc.uniqueArray(fc.constantFrom('s1', 's2', 's3'), { maxLength: 2 }),
  undoes: fc.boolean(),
});

test('the log that is read on in pieces tells what the whole of it tells', async () => {
  const both = new Set(['rec-a', 'rec-b']);
  let clock = Date.UTC(2026, 0, 1);
  const all: Line[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (more) => {
      const lines = more.map(({ wait, ...rest }) => {
        clock += wait;
        return { ...rest, at: clock };
      });
      all.push(...lines);
      await write(lines);
      expect(await stepSeconds(workspace.store, both)).toEqual(plainly(all));
    }),
    { numRuns: 25 },
  );
});

test('recordings that are not asked for do not count', async () => {
  const at = Date.UTC(2026, 0, 1);
  const one = (document: string, action: string, seconds: number): Line => ({
    document,
    person: 'ana',
    at: at + seconds * 1000,
    actions: [action],
    undoes: false,
  });
  versions.clear();
  await write([one('rec-a', 's1', 0), one('rec-a', 's2', 4), one('rec-b', 's1', 0), one('rec-b', 's2', 60)]);
  expect(await stepSeconds(workspace.store, new Set(['rec-a']))).toEqual(new Map([['ana', 4]]));
  expect(await stepSeconds(workspace.store, new Set())).toEqual(new Map());
});
