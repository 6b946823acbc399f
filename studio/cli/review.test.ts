import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toRecords } from '../../core/annotate/document.ts';
import { confirm, nameElement } from '../../core/annotate/edit.ts';
import type { AnnotationDocument } from '../../schemas/annotation.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import { addClicks } from '../documents/clicks-for-tests.ts';
import { addPerson } from '../store/people.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { runHere } from './run-for-tests.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

let dir: string;
let ids: Record<string, string>;

beforeAll(async () => {
  dir = join(folders.make(), 'studio');
  const workspace = openWorkspace(dir, { create: true });
  for (const id of ['single', 'double', 'edges']) addClicks(workspace, id);
  ids = {};
  for (const name of ['Ada', 'Ben', 'Cleo']) ids[name] = (await addPerson(workspace.store, { name, email: null })).id;
  await workspace.syncIndex();
  workspace.close();
});

/** The command line in this process; its one line of JSON, or its text. */
async function run(args: readonly string[], { json = true } = {}) {
  const words = [...args, '-w', dir, ...(json ? ['--json'] : [])];
  const { status, stdout: out, stderr: err } = await runHere(words);
  return { status, err, out, json: json && out !== '' ? JSON.parse(out) : null };
}

const idOf = ({ id }: { id: string }): string => id;

async function must(...args: readonly string[]) {
  const { status, err, json } = await run(args);
  expect([args.join(' '), status, err]).toEqual([args.join(' '), 0, '']);
  return json;
}

/** Names and confirms every step of their own document, as a script would, and submits it. */
async function annotate(person: string, recording: string, name: string): Promise<void> {
  const state: ReviewState = await must('review', 'show', recording, '-p', person);
  const document = state.own ?? recording;
  const as = ['--person', person, '--document', document];
  const before: AnnotationDocument = await must('annotate', 'get', recording, ...as);
  let records = toRecords(before.records);
  for (const { id } of await actionsOf(recording)) {
    for (const make of [() => nameElement(records, id, name, 'hand'), () => confirm(records, id, true)]) {
      const file = join(folders.make(), 'change.json');
      writeFileSync(file, JSON.stringify({ id: randomUUID(), label: 'Change', changes: make() }));
      await must('annotate', 'apply', recording, '--file', file, ...as);
      records = toRecords((await must('annotate', 'get', recording, ...as)).records);
    }
  }
  await must('review', 'submit', recording, '-p', person);
}

async function actionsOf(recording: string): Promise<{ id: string }[]> {
  return (await must('actions', recording)).actions;
}

describe('the command line', { timeout: 60_000 }, () => {
  test('leads a recording through annotation, review, rejection and repair, by names', async () => {
    expect((await must('queue', '-p', 'ada')).queue[0]).toMatchObject({ kind: 'annotate', mine: false });
    await annotate('Ada', 'single', 'OK');
    expect((await must('queue', '-p', 'ben')).queue[0]).toMatchObject({ kind: 'review', recording: 'single' });
    await must('review', 'claim', 'single', '-p', 'Ben');
    const [first, ...rest] = await actionsOf('single');
    const reject = ['decide', 'single', '--item', `step:${first!.id}`, '--verdict', 'reject', '--reason', 'unclear'];
    await must('review', ...reject, '--comment', 'Which OK?', '-p', 'Ben');
    await must('review', 'reject', 'single', '-p', 'Ben');
    expect((await must('queue', '-p', 'Ada')).queue[0]).toMatchObject({ kind: 'repair', open: 1, mine: true });
    await must('review', 'begin', 'single', '-p', 'Ada');
    const { threads }: ReviewState = await must('review', 'show', 'single', '-p', 'Ada');
    const thread = threads[0]!.id;
    await must('review', 'comment', 'single', '--text', 'The lower one', '--thread', thread, '-p', 'Ada');
    await must('review', 'submit', 'single', '-p', 'Ada');
    await must('review', 'claim', 'single', '-p', 'Ben');
    for (const { id } of [first!, ...rest]) {
      await must('review', 'decide', 'single', '--item', `step:${id}`, '--verdict', 'accept', '-p', 'Ben');
    }
    await must('review', 'resolve', 'single', '--thread', thread, '-p', 'Ben');
    await must('review', 'approve', 'single', '-p', 'Ben');
    expect((await must('recordings')).recordings).toContainEqual(
      expect.objectContaining({ id: 'single', state: 'approved' }),
    );
    const judge = ['--grounded', 'no', '--error', 'execution', '--execution', 'knowledge', '--recoverable'];
    const judged = await must('review', 'judge', 'single', '--step', first!.id, ...judge, '-p', 'Cleo');
    expect(judged.state.judgements).toMatchObject([
      { grounded: false, error: { kind: 'execution', execution: 'knowledge', recoverable: true } },
    ]);
    const { events } = await must('review', 'history', 'single', '-p', 'Cleo');
    expect(events.filter(({ act }: { act: { type: string } }) => act.type === 'verdict')).toHaveLength(2);
    const { out } = await run(['review', 'history', 'single', '-p', 'Cleo'], { json: false });
    expect(out).toMatch(/verdict +in-review -> approved/);
  });

  test('compares blind replicas, settles by sides, and tells how well they agree', async () => {
    await must('review', 'policy', '--replicas', '2', '--replica-share', '1');
    await annotate('Ada', 'double', 'OK');
    const early = await run(['review', 'compare', 'double', '-p', 'Cleo']);
    expect([early.status, early.json.error.code]).toEqual([11, 'CONFLICT']);
    await annotate('Ben', 'double', 'OK button');
    await must('review', 'claim', 'double', '-p', 'Cleo');
    const { differences } = await must('review', 'compare', 'double', '-p', 'Cleo');
    expect(differences.length).toBeGreaterThan(0);
    for (const { id } of differences) {
      await must('review', 'settle', 'double', '--difference', id, '--side', 'Ben', '-p', 'Cleo');
    }
    await must('review', 'approve', 'double', '-p', 'Cleo');
    const document: AnnotationDocument = await must('annotate', 'get', 'double');
    const names = document.records.flatMap((record) => (record.kind === 'label' ? [record.element] : []));
    expect(new Set(names)).toEqual(new Set(['OK button']));
    const dashboard = await must('agreement', '--software', 'GIMP');
    expect(dashboard.recordings).toMatchObject([{ recording: 'double', documents: 2 }]);
    const csv = (await run(['agreement', '--csv', 'people'], { json: false })).out;
    const lines = csv.split('\r\n');
    expect([lines[0]?.split(',').slice(0, 3), lines.length, lines.at(-1)]).toEqual([
      ['person', 'name', 'begun'],
      5,
      '',
    ]);
    expect((await run(['agreement'], { json: false })).out).toMatch(/Ada, Ben|Ben, Ada/);
  });

  test('assigns recordings and whole tasks, lists what is whose, and gives it back to everybody', async () => {
    const to = ['--to', 'Cleo', '--due', '2026-12-05', '-p', 'Ada'];
    const given = await must('review', 'assign', '--recordings', 'edges', '--work', 'annotate', ...to);
    expect(given).toEqual({ assigned: ['edges'], unchanged: [], refused: [] });
    const { queue } = await must('queue', '-p', 'Cleo');
    expect(queue[0]).toMatchObject({ recording: 'edges', assigned: { due: '2026-12-05' } });
    expect((await run(['queue', '-p', 'Cleo'], { json: false })).out).toMatch(/ASSIGNED(.|\n)*2026-12-05/);
    const listed = async (who: string) => (await must('recordings', '--assigned', who)).recordings.map(idOf);
    expect([await listed('cleo'), await listed('Ada')]).toEqual([['edges'], []]);
    expect(await listed('none')).not.toContain('edges');

    // What one of them refuses keeps no other, and is said.
    const own = await run(['review', 'assign', '--task', 'GIMP_1', '--work', 'review', '--to', 'Cleo', '-p', 'Ada']);
    expect(own.status).toBe(11);
    expect(own.json.refused).toContainEqual({ recording: 'edges', why: expect.stringContaining('nobody reviews') });
    const why = async (...args: readonly string[]) => (await run(['review', 'assign', ...args])).json?.error?.message;
    expect(await why('--work', 'annotate', '--to', 'Ada', '-p', 'Ben')).toContain('Say which');
    const some = ['--recordings', 'edges', '--work', 'annotate', '-p', 'Ben'];
    expect(await why(...some, '--to', 'Zoe')).toContain('"Zoe" is nobody of this workspace');
    expect(await why(...some, '--to', 'Ada', '--due', 'Friday')).toContain('--due cannot be taken');
    await must('review', 'unassign', ...some);
    expect(await listed('cleo')).not.toContain('edges');
    // It is blind still, so of the log each sees what they did themselves.
    const { events } = await must('review', 'history', 'edges', '-p', 'Ben');
    expect(events.map(({ act }: { act: object }) => act)).toEqual([
      { type: 'assign', work: 'annotate', to: [], due: null },
    ]);
  });

  test('lets nobody skip a state or review their own work, and says why', async () => {
    await must('review', 'policy', '--replicas', '1');
    const why = async (...args: readonly string[]) => {
      const { status, json } = await run(['review', ...args]);
      return [status, json?.error?.code, json?.error?.message];
    };
    const conflict = (message: string) => [11, 'CONFLICT', expect.stringContaining(message)];
    const [first] = await actionsOf('edges');
    expect(await why('approve', 'edges', '-p', 'Ben')).toEqual(conflict('not in review'));
    expect(await why('claim', 'edges', '-p', 'Ben')).toEqual(conflict('not submitted'));
    expect(await why('submit', 'edges', '-p', 'Ada')).toEqual(conflict('Nobody has annotated it yet'));
    await annotate('Ada', 'edges', 'OK');
    expect(await why('claim', 'edges', '-p', 'Ada')).toEqual(conflict('nobody reviews their own work'));
    expect(await why('approve', 'edges', '-p', 'Ben')).toEqual(conflict('Start the review first'));
    await must('review', 'claim', 'edges', '-p', 'Ben');
    expect(await why('approve', 'edges', '-p', 'Ben')).toEqual(conflict('4 steps are not decided'));
    const accept = ['--item', `step:${first!.id}`, '--verdict', 'accept'];
    expect(await why('decide', 'edges', ...accept, '-p', 'Cleo')).toEqual(conflict('Ben is reviewing it'));
    const usage = (message: string) => [2, 'USAGE', expect.stringContaining(message)];
    expect(await why('reject', 'edges', '-p', 'Ben')).toEqual(usage('Say what is wrong'));
    expect(await why('decide', 'edges', '--item', 'step', '--verdict', 'accept', '-p', 'Ben')).toEqual(usage('--item'));
    expect(await why('show', 'edges', '-p', 'Dan')).toEqual(usage('nobody of this workspace. People here: Ada, Ben'));
    expect(await why('policy', '--check-share', '0.5')).toEqual(usage('--check-share'));
    // There is no other way to a state.
    expect((await run(['recordings', 'state', 'edges', '--set', 'approved'])).status).toBe(2);
    // By a name a person is the same as by their id.
    const { state } = await must('review', 'release', 'edges', '-p', ids.Ben!);
    expect(state.state).toBe('annotated');
  });
});
