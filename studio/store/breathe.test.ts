import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Change } from '../../schemas/annotation.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { openDocuments } from '../documents/documents.ts';
import { reviewGate } from '../documents/review/gate.ts';
import { breathe, inTurnsOf } from './breathe.ts';
import { sampleRecording, temporaryFolders, writeSample } from './recording-for-tests.ts';
import { turnsOf } from './turns-for-tests.ts';
import { openWorkspace } from './workspace.ts';

const folders = temporaryFolders();
afterEach(() => folders.clean());

test('others are let in while folders are looked at and read into the index', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  mkdirSync(workspace.recordingsDir, { recursive: true });
  const ids = Array.from({ length: 150 }, (_, n) => `rec-${String(n).padStart(3, '0')}`);
  for (const id of ids) writeSample(workspace.recordingsDir, sampleRecording({ id }));
  let added: string[] = [];
  const first = await turnsOf(async () => {
    added = (await workspace.syncIndex()).added;
  });
  expect(added).toEqual(ids);
  expect(first).toBeGreaterThanOrEqual(ids.length);
  const again = await turnsOf(async () => {
    expect(await workspace.syncIndex()).toEqual({ added: [], changed: [], gone: [], moved: [], unreadable: [] });
  });
  expect(again).toBeGreaterThan(3);
  workspace.close();
});

test('others are let in while one gesture confirms every step of a long recording', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  const events = Array.from({ length: 2000 }, (_, n): RawEvent[] => [
    { type: 'down', t: (n + 1) * 2_000_000, x: n % 1000, y: 20, button: 'left' },
    { type: 'up', t: (n + 1) * 2_000_000 + 40_000, x: n % 1000, y: 20, button: 'left' },
  ]);
  const { id: recording } = sampleRecording();
  writeSample(workspace.recordingsDir, sampleRecording(), events.flat());
  await workspace.syncIndex();
  const documents = openDocuments(workspace, reviewGate());
  await documents.get(recording);
  const { steps } = await documents.look(recording);
  expect(steps).toHaveLength(2000);
  const nothing = { startName: null, endName: null, purpose: null, dragKind: null, narration: null, text: null };
  const changes = steps.map(({ id: action }): Change => {
    const said = { element: null, elementSource: null, ...nothing, confirmed: true, flagged: false };
    return { op: 'add', record: { kind: 'label', id: `label:${action}`, action, ...said } };
  });
  const turns = await turnsOf(() =>
    documents.apply(recording, { id: randomUUID(), label: 'Confirm all', changes }, 'me'),
  );
  expect(turns).toBeGreaterThan(20);
  // Somebody else's gesture meanwhile waits for the transaction, and is neither lost nor part of it.
  const [undone, seen] = await Promise.all([documents.undo(recording, 'me'), documents.get(recording)]);
  expect(undone?.changes).toHaveLength(2000);
  expect([2, 3]).toContain(seen.version);
  expect(seen.records.filter(({ kind }) => kind === 'label')).toHaveLength(seen.version === 2 ? 2000 : 0);
  await documents.close();
  workspace.close();
});

test('many that come at once go on in turns of their own, in their order', async () => {
  const order: number[] = [];
  const turns = await turnsOf(() =>
    Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        await breathe();
        order.push(n);
      }),
    ),
  );
  expect(turns).toBeGreaterThanOrEqual(12);
  expect(order).toEqual([...order.keys()]);
});

test('somebody who asks once waits for one piece of each other asker, however many those have', async () => {
  const order: string[] = [];
  const piece = (who: string) => inTurnsOf(who, () => breathe().then(() => order.push(who)));
  await turnsOf(async () => {
    const greedy = Array.from({ length: 50 }, () => piece('greedy'));
    // Work that was begun in somebody's turn is theirs, wherever it goes on.
    const later = inTurnsOf('other', async () => {
      await Promise.resolve();
      for (let n = 0; n < 3; n++) {
        await breathe();
        order.push('other');
      }
    });
    await Promise.all([...greedy, later, piece('third')]);
  });
  expect(order.slice(0, 7).toSorted()).toEqual(['greedy', 'greedy', 'greedy', 'other', 'other', 'other', 'third']);
  expect(order).toHaveLength(54);
});

test('the studio rests in this one way: none of its sources has a turn of the loop of its own', () => {
  const root = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: root }).filter((file) => !/(?:\.test|-for-tests)\.ts$/.test(file));
  expect(sources.length).toBeGreaterThan(200);
  const others = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes('setImmediate'));
  // A socket is uncorked in the next turn, which nobody waits for; readers that are woken in one turn ask one question together.
  expect(others.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
    'api/node-http.ts',
    'session/shared-look.ts',
    'store/breathe.ts',
  ]);
});
