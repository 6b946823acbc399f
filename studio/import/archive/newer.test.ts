import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { nameElement } from '../../../core/annotate/edit.ts';
import { tagRecordings } from '../../datasets/tags.ts';
import { addClicks } from '../../documents/clicks-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import { type Both, take, workspacesIn, write } from './bench-for-tests.ts';

/** An archive that comes back with more work on a recording that is here. */

const folders = temporaryFolders();
const workspaces = workspacesIn(folders);
afterEach(async () => {
  await workspaces.close();
  folders.clean();
});
const ID = 'rec-a';

/** A workspace with one recording and one gesture, and another one that has it from an archive. */
async function pair(): Promise<{ home: Both; away: Both }> {
  const home = workspaces.open();
  addClicks(home.workspace, ID);
  await home.workspace.syncIndex();
  await say(home, 0, 'First');
  const away = workspaces.open();
  await take(away, await packed(home));
  return { home, away };
}

async function packed(both: Both): Promise<string> {
  const out = join(folders.make(), 'w.tar');
  await write(both, out);
  return out;
}

/** Names the element of a step. */
async function say({ documents }: Both, step: number, name: string): Promise<void> {
  const { steps } = await documents.openRecording(ID);
  const records = new Map((await documents.get(ID)).records.map((record) => [record.id, record]));
  const changes = nameElement(records, steps[step]!.id, name, 'hand');
  await documents.apply(ID, { id: randomUUID(), label: 'Name', changes }, 'bot');
}

const names = async ({ documents }: Both): Promise<string[]> =>
  (await documents.get(ID)).records.flatMap((one) => (one.kind === 'label' && one.element ? [one.element] : [])).sort();
const labels = async ({ documents }: Both): Promise<string[]> =>
  (await documents.history(ID, { limit: 20 })).map(({ label }) => label).reverse();
const tagsOf = async ({ workspace }: Both): Promise<string[]> =>
  (await sqlOf(workspace.store).selectFrom('recording_tags').select('tag').orderBy('tag').execute()).map(
    ({ tag }) => tag,
  );

test('work that goes on where the work here ends is taken as if it had been done here, with its tags', async () => {
  const { home, away } = await pair();
  await say(away, 1, 'Second');
  await say(away, 0, 'First again');
  await tagRecordings(away.workspace, { recordings: [ID], add: ['pilot'], remove: [] });
  const newer = await packed(away);
  const told: string[] = [];
  home.documents.onTransaction((_, { label }) => told.push(label));
  const taken = await take(home, newer);
  expect(taken).toMatchObject({ recordings: [], known: [ID], newer: { continued: [ID], forked: [] }, warnings: [] });
  expect(await names(home)).toEqual(['First again', 'Second']);
  expect(await labels(home)).toEqual(['Begin', 'Name', 'Name', 'Name']);
  expect(told).toEqual(['Name', 'Name']);
  expect(await tagsOf(home)).toEqual(['pilot']);
  // Taking it twice is as taking it once, and an older one brings nothing.
  expect(await take(home, newer)).toMatchObject({ newer: { continued: [], forked: [] }, warnings: [] });
  await say(home, 1, 'Third');
  expect(await take(home, newer)).toMatchObject({ newer: { continued: [], forked: [] }, warnings: [] });
  expect(await names(home)).toEqual(['First again', 'Third']);
  // What was taken can be undone like one's own.
  await home.documents.undo(ID, 'bot');
  await home.documents.undo(ID, 'bot');
  expect(await names(home)).toEqual(['First', 'Second']);
});

test('work that went on differently is said with both sides, and stays until one chooses', async () => {
  const { home, away } = await pair();
  await say(home, 0, 'Ours');
  await say(away, 1, 'Theirs');
  await say(away, 0, 'Theirs, too');
  await tagRecordings(home.workspace, { recordings: [ID], add: ['here'], remove: [] });
  await tagRecordings(away.workspace, { recordings: [ID], add: ['there'], remove: [] });
  const fork = await packed(away);
  const kept = await take(home, fork);
  expect(kept.newer).toEqual({ continued: [], forked: [{ recording: ID, here: 1, there: 2, did: 'kept' }] });
  expect(kept.warnings.join('\n')).toMatch(/went on differently here \(1 line .*--on-fork merge/);
  expect(kept.warnings.join('\n')).toContain('its tags stay as they are here (here); the archive has there');
  expect(await names(home)).toEqual(['Ours']);
  // Merged record by record: what both changed stays ours and is named.
  const merged = await take(home, fork, { onFork: 'merge' });
  expect(merged.newer.forked).toMatchObject([{ did: 'merged' }]);
  expect(merged.warnings.join('\n')).toMatch(/1 record that both changed stay/);
  expect(await names(home)).toEqual(['Ours', 'Theirs']);
  expect((await take(home, fork, { onFork: 'merge' })).newer.forked).toMatchObject([{ did: 'before' }]);
  const chosen = await take(home, fork, { onFork: 'theirs' });
  expect(chosen.newer.forked).toMatchObject([{ did: 'taken' }]);
  expect(await names(home)).toEqual(['Theirs', 'Theirs, too']);
});

test('a history that rewrites what was done here is a fork, whatever its lines are called', async () => {
  const { home, away } = await pair();
  await say(away, 1, 'Second');
  await sqlOf(away.workspace.store)
    .updateTable('annotation_transactions')
    .set({ person: 'mallory' })
    .where('version', '=', 2)
    .execute();
  const taken = await take(home, await packed(away));
  expect(taken.newer).toMatchObject({ continued: [], forked: [{ recording: ID, did: 'kept' }] });
  expect(await names(home)).toEqual(['First']);
});
