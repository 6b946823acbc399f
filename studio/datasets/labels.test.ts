import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { attach } from '../store/attachments.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { setStateForTests } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';
import { outcomeLabels } from './labels.ts';
import { proveForTests } from './prove-for-tests.ts';
import { addRecording } from './workspace-for-tests.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});
const said = async () =>
  (await outcomeLabels(workspace)).map(({ recording, good, from }) => [recording, good, from]).sort();

async function made(id: string, task: string, proven: boolean): Promise<void> {
  await addRecording(workspace, { id, task, screens: [40] });
  const text = JSON.stringify({ task });
  const checks = createHash('sha256').update(text).digest('hex');
  const body = Readable.from([Buffer.from(text)]);
  await attach(workspace, { task, role: 'checks', name: 'checks.json', body });
  await proveForTests(workspace, id, { proven, checks });
  await workspace.syncIndex();
}

test('a proven demonstration and its good plays came out, a play without a decisive step did not', async () => {
  await made('good', 'GIMP_1', true);
  expect(await said()).toEqual([
    ['good', true, 'verify'],
    ['good-play-1', true, 'verify'],
    ['good-play-2', false, 'verify'],
  ]);
  // Checks that are not proven pass for anything: of those only a play that failed is a label.
  await made('open', 'GIMP_7', false);
  expect((await said()).filter(([recording]) => String(recording).startsWith('open'))).toEqual([
    ['open-play-2', false, 'verify'],
  ]);
  // Other checks: nothing of it counts any more.
  const body = Readable.from([Buffer.from('{"other": 1}')]);
  await attach(workspace, { task: 'GIMP_1', role: 'checks', name: 'checks.json', body });
  expect((await said()).filter(([recording]) => String(recording).startsWith('good'))).toEqual([]);
});

test('reviews label what they approved, and what they rejected for what was done; annotations that are wrong say nothing', async () => {
  for (const id of ['approved', 'undone', 'loose', 'beyond-repair', 'untouched'])
    await addRecording(workspace, { id, task: `T_${id.length}_${id[0]}`, screens: [id.length] });
  await setStateForTests(workspace, 'approved', 'approved');
  const event = (recording: string, type: string, act: object) =>
    sqlOf(workspace.store)
      .insertInto('review_events')
      .values({
        id: crypto.randomUUID(),
        n: 1,
        recording_id: recording,
        person: 'ana',
        at: '2026-11-27T10:00:00.000Z',
        type,
        act: JSON.stringify({ type, ...act }),
        facts: '{}',
      })
      .execute();
  const verdict = (reasons: string[]) => ({ verdict: 'reject', version: 1, reasons, comment: '' });
  await event('undone', 'verdict', verdict(['wrong-box', 'missing-step']));
  await event('loose', 'verdict', verdict(['loose-box']));
  const error = { kind: 'planning', execution: null, recoverable: false };
  await event('beyond-repair', 'judge', { action: 'a', grounded: true, error, comment: '' });
  expect(await said()).toEqual([
    ['approved', true, 'review'],
    ['beyond-repair', false, 'review'],
    ['undone', false, 'review'],
  ]);
  // Whose reviews contradict each other has none.
  await event('approved', 'judge', { action: 'a', grounded: true, error, comment: '' });
  expect((await said()).map(([recording]) => recording)).toEqual(['beyond-repair', 'undone']);
});
