import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TABLE_3 } from '../../core/compositions/papers-for-tests.ts';
import { designTable, levelTable } from '../../core/compositions/tables.ts';
import type { WorkspaceChange } from '../../schemas/api/recordings.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** Compositions as a page edits them: nothing of somebody else is written over, and every page hears of it. */

const folders = temporaryFolders();
let server: TestServer;
let ws: string;
let dir: string;
beforeAll(async () => {
  const folder = folders.make();
  server = await startTestServer(folder);
  dir = join(folder, 'work');
  ({ id: ws } = await server.client.workspaces.open({ dir, create: true }));
});
afterAll(async () => {
  await server.close();
  folders.clean();
});

const file = (id: string): string => join(dir, 'compositions', `${id}.json`);
const named = (id: string) => ({ ...TABLE_3, id });
const save = (id: string, version: string | null, title = 'T') =>
  server.client.compositions.save({ ws, composition: id, content: { ...named(id), title }, version });

test('a new one is kept as the command line keeps it, is changed, removed, and put back', async () => {
  const { client } = server;
  const made = await save('one', null);
  expect(await client.compositions.edit({ ws, composition: 'one' })).toEqual(made);
  expect(made).toMatchObject({ composition: { title: 'T' }, unwritable: null });
  expect(JSON.parse(readFileSync(file('one'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(made.composition)));
  const changed = await save('one', made.version, 'Other');
  expect(changed.version).not.toBe(made.version);
  const { tables } = await client.compositions.get({ ws, composition: 'one' });
  expect(tables[0]).toEqual(designTable(named('one')));
  expect((await client.compositions.about({ ws })).tables).toEqual([levelTable([named('one')])]);
  const { composition } = await client.compositions.remove({ ws, composition: 'one', version: changed.version });
  expect(readdirSync(join(dir, 'compositions'))).toEqual([]);
  const back = await client.compositions.save({ ws, composition: 'one', content: composition, version: null });
  expect(back.version).toBe(changed.version);
});

test('whoever began with another file is told, and the file stays as it is', async () => {
  const { client } = server;
  const { version } = await save('two', null);
  await save('two', version, 'Theirs');
  await expect(save('two', version, 'Mine')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Somebody else saved “two” meanwhile'),
  });
  await expect(save('two', null, 'Mine')).rejects.toMatchObject({ message: expect.stringContaining('here already') });
  await expect(client.compositions.remove({ ws, composition: 'two', version })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect((await client.compositions.edit({ ws, composition: 'two' })).composition.title).toBe('Theirs');
  // Of many that save at once, one is kept, and all others are told.
  const now = (await client.compositions.edit({ ws, composition: 'two' })).version;
  const all = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => save('two', now, `T${n}`)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const last = await client.compositions.edit({ ws, composition: 'two' });
  await client.compositions.remove({ ws, composition: 'two', version: last.version });
  await expect(save('two', last.version)).rejects.toMatchObject({ message: expect.stringContaining('was removed') });
});

test('what does not fit, is called otherwise, or has a name that is a path is refused, and nothing is written', async () => {
  const { client } = server;
  const before = readdirSync(join(dir, 'compositions'));
  const content = { ...named('three'), members: [] };
  await expect(client.compositions.save({ ws, composition: 'three', content, version: null })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('content.members'),
  });
  await expect(
    client.compositions.save({ ws, composition: 'three', content: named('four'), version: null }),
  ).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('says that it is “four”') });
  for (const id of ['../up', 'A', '']) {
    const odd = { ...named('x'), id };
    await expect(client.compositions.save({ ws, composition: id, content: odd, version: null })).rejects.toBeDefined();
    await expect(client.compositions.remove({ ws, composition: id, version: '' })).rejects.toBeDefined();
  }
  expect(readdirSync(join(dir, 'compositions'))).toEqual(before);
});

test('tasks are members by their goals and answers, and say which checks they have', async () => {
  const { client } = server;
  await client.software.add({ ws, name: 'Notes', prefix: 'NOTE' });
  const task = await client.tasks.create({ ws, software: 'notes', goal: 'When is it?', answer: '9:00' });
  expect(await client.compositions.members({ ws, tasks: [task.id] })).toMatchObject([
    {
      id: 'note_1',
      task: 'NOTE_1',
      instructions: { base: 'When is it?' },
      outputs: [{ name: 'answer', value: '9:00' }],
    },
  ]);
  await expect(client.compositions.members({ ws, tasks: ['NOTE_9'] })).rejects.toMatchObject({ code: 'UNKNOWN_TASK' });
  const known = await client.compositions.known({ ws, tasks: ['NOTE_1', 'NOTE_9', 'NOTE_1'] });
  expect(known).toEqual([{ task: 'NOTE_1', checks: null, services: [] }]);
});

test('another page hears of a save', async () => {
  const changes = await server.client.recordings.watch({ ws });
  const heard = (async () => {
    for await (const { what } of changes as AsyncIterable<WorkspaceChange>) if (what === 'compositions') return what;
    return 'the stream ended';
  })();
  await save('five', null);
  expect(await heard).toBe('compositions');
});
