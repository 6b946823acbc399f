import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { emptyMember, newComposition, newOutput } from '../../../core/compositions/edit.ts';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import { SIGN_ROUTES, type TeamRole } from '../../../schemas/team-terms.ts';
import { addRecording } from '../../datasets/workspace-for-tests.ts';
import { write } from '../../import/archive/bench-for-tests.ts';
import { attach } from '../../store/attachments.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { MOST_UNDER_WAY, PASSWORD, TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

/** Members who go on with what they may not do any more, read by an address what lists keep from them, or look like another. */

let team: TestTeam;
testTeam((made) => {
  team = made;
});
const folders = temporaryFolders();
afterAll(folders.clean);

const ok = async (cookie: string, name: string, input: object): Promise<unknown> => {
  const { status, json } = await team.call(cookie, name, { ws: team.ws, ...input });
  expect([name, status, JSON.stringify(json).slice(0, 300)]).toEqual([name, 200, expect.any(String)]);
  return json;
};

describe('an upload that is under way', () => {
  const tus = { 'tus-resumable': '1.0.0' };
  const begin = async (cookie: string, bytes: number): Promise<string> => {
    const headers = { ...tus, 'upload-length': String(bytes) };
    const { status, headers: answer } = await team.page(cookie, FILE_ROUTES.uploads(team.ws), {
      method: 'POST',
      headers,
    });
    expect(status).toBe(201);
    return String(answer.location);
  };
  /** Sends `body` from `from` on and, where it is not the whole that was said, goes on byte by byte until it is answered. */
  function piece(cookie: string, path: string, { from, body, said = body.length }: Piece) {
    const headers = {
      ...tus,
      host: TEAM_HOST,
      origin: TEAM_ORIGIN,
      cookie,
      'content-length': said,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': from,
    };
    const { promise, resolve } = Promise.withResolvers<number>();
    const wishes = { host: '127.0.0.1', port: team.port, path, method: 'PATCH', headers };
    const request = httpRequest(wishes, (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)));
    // Cut: whoever still sends may lose the answer.
    request.on('error', () => resolve(0));
    request.write(body);
    if (said === body.length) request.end();
    const timer = said === body.length ? undefined : setInterval(() => request.write('x'), 50);
    return promise.finally(() => {
      clearInterval(timer);
      request.destroy();
    });
  }
  type Piece = { from: number; body: Buffer; said?: number };

  test.each([
    ['is taken out', 'team.remove', {}],
    ['is signed out', 'team.signOut', {}],
    ['may send no more', 'team.setRole', { role: 'viewer' }],
  ] as const)('ends when its sender %s', async (why, call, more) => {
    const { cookie: owner } = await team.member('owner', `Owner, ${why}`);
    const { id: member, cookie } = await team.member('recorder', `Sender ${why}`);
    const path = await begin(cookie, 1_000_000);
    const answer = piece(cookie, path, { from: 0, body: Buffer.alloc(10), said: 1_000_000 });
    await ok(owner, call, { member, ...more });
    expect([0, 401]).toContain(await answer);
  });

  test('brings what its sender may bring when it is taken in, not when it was begun', async () => {
    const { cookie: owner } = await team.member('owner', 'Owner of roles');
    const { id: member, cookie } = await team.member('manager', 'Manager until then');
    const workspace = openWorkspace(folders.make(), { create: true });
    const id = '20260504-102030-attack01';
    writeFileSync(
      join(writeSample(workspace.recordingsDir, sampleRecording({ id }), []), 'screen.mkv'),
      randomBytes(50),
    );
    await workspace.syncIndex();
    await attach(workspace, { task: 'GIMP_1', role: 'material', name: 'x', body: new Blob(['x']).stream() });
    const out = join(folders.make(), 'a.tar');
    await write({ workspace }, out, { recordings: [id], carried: async () => [] });
    workspace.close();
    const bytes = readFileSync(out);
    const path = await begin(cookie, bytes.length);
    expect(await piece(cookie, path, { from: 0, body: bytes.subarray(0, 100) })).toBe(204);
    await ok(owner, 'team.setRole', { member, role: 'recorder' });
    expect(await piece(cookie, path, { from: 100, body: bytes.subarray(100) })).toBe(204);
    const receipt = () => ok(cookie, 'uploads.receipt', { upload: path.split('/').at(-1) });
    let told = await receipt();
    while (Reflect.get(told as object, 'state') === 'checking') {
      await new Promise((resolve) => setTimeout(resolve, 50));
      told = await receipt();
    }
    expect(told).toMatchObject({ state: 'refused', error: { code: 'FORBIDDEN' } });
  });
});

test('what is kept from somebody who does a composition blind is at no address of a file', async () => {
  const { cookie: manager } = await team.member('manager', 'Composes');
  const [ada, dea] = [await team.member('annotator', 'Ada'), await team.member('annotator', 'Dea')];
  const ids = ['kept-one', 'kept-two'];
  for (const id of ids) await addRecording({ recordingsDir: join(team.dir, 'recordings') }, { id, task: 'GIMP_9' });
  // A list alone may be one of a moment ago.
  await team.open.workspace.syncIndex();
  const composition = 'blind-files';
  const { id: file } = await attach(team.open.workspace, {
    task: 'GIMP_9',
    role: 'material',
    name: 'a.txt',
    body: new Blob(['a-word-of-the-task']).stream(),
  });
  const member = {
    ...emptyMember('pathway'),
    id: 'first',
    task: 'GIMP_9',
    instructions: { base: 'x' },
    outputs: [{ ...newOutput('answer'), value: 'x' }],
  };
  const content = { ...newComposition({ id: composition, kind: 'pathway', title: 'Blind' }), task: 'Find it.' };
  await ok(manager, 'compositions.save', { composition, content: { ...content, members: [member] }, version: null });
  const act = (cookie: string, one: object) =>
    ok(cookie, 'compositions.verify', { composition, event: randomUUID(), act: one });
  await act(ada.cookie, { type: 'claim', stage: 'design' });
  const answers = [{ output: 'answer', text: 'x' }];
  const handed = [{ member: 'first', recording: 'kept-one', answers }];
  await act(ada.cookie, { type: 'submit', platform: '', members: handed });
  const paths = [
    FILE_ROUTES.page(team.ws, 'kept-one'),
    FILE_ROUTES.smallPicture(team.ws, 'kept-one', 'small'),
    FILE_ROUTES.smallPicture(team.ws, 'kept-two', 'medium'),
    FILE_ROUTES.frame(team.ws, 'kept-one', 0),
    FILE_ROUTES.playback(team.ws, 'kept-one'),
    FILE_ROUTES.voice(team.ws, 'kept-one'),
    FILE_ROUTES.attachment(team.ws, file),
  ];
  const asked = async (cookie: string) =>
    Promise.all(paths.map(async (path) => (await team.page(cookie, path)).status));
  expect(await asked(dea.cookie)).not.toContain(409);
  await act(dea.cookie, { type: 'claim', stage: 'blind' });
  expect(await asked(dea.cookie)).toEqual(paths.map(() => 409));
  // Also for a picture that names another person, as pages of one machine do.
  const named = `${FILE_ROUTES.frame(team.ws, 'kept-one', 0)}?person=${ada.id}`;
  expect((await team.page(dea.cookie, named)).status).toBe(403);
  expect(await asked(ada.cookie)).not.toContain(409);
});

test('where the workspace lies on the server is told to nobody who manages no files there: not by lists, streams, errors', async () => {
  const { cookie: manager } = await team.member('manager', 'Has jobs');
  const files = [
    ['archives.make', { out: 'told.tar', version: null }],
    ['recordings.import', { path: 'not-there.tar' }],
  ] as const;
  for (const [name, input] of files) {
    const { id } = (await ok(manager, name, input)) as { id: string };
    await team.open.jobs.finished(id).catch(() => undefined);
  }
  for (const role of ['viewer', 'recorder', 'annotator', 'reviewer'] as const) {
    const { cookie } = await team.member(role, `Asks where, ${role}`);
    const told = JSON.stringify(await ok(cookie, 'jobs.list', {}));
    expect([role, told.includes(team.folder), told.includes('exports/told.tar')]).toEqual([role, false, true]);
    expect(told).toContain('incoming/not-there.tar cannot be read');
  }
  expect(JSON.stringify(await ok(manager, 'jobs.list', {}))).toContain(join(team.dir, 'exports', 'told.tar'));
});

test('one member keeps no more than a bound of requests open, and nobody else out', async () => {
  const [greedy, other] = [await team.member('annotator', 'Greedy'), await team.member('annotator', 'Modest')];
  const body = JSON.stringify({ json: { ws: team.ws } });
  const headers = {
    host: TEAM_HOST,
    origin: TEAM_ORIGIN,
    cookie: greedy.cookie,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  };
  const wishes = {
    host: '127.0.0.1',
    port: team.port,
    path: '/rpc/recordings/watch',
    method: 'POST',
    agent: false,
    headers,
  };
  const follow = () =>
    new Promise<{ status: number; end(): void }>((resolve, reject) => {
      const request = httpRequest(wishes, (answer) => {
        answer.on('error', () => undefined).resume();
        resolve({ status: answer.statusCode ?? 0, end: () => request.destroy() });
      });
      request.on('error', reject).end(body);
    });
  const streams: Awaited<ReturnType<typeof follow>>[] = [];
  while (streams.at(-1)?.status !== 429) streams.push(await follow());
  expect(streams.length).toBe(MOST_UNDER_WAY + 1);
  const asks = async ({ cookie }: { cookie: string }) => (await team.call(cookie, 'team.me')).status;
  expect([await asks(greedy), await asks(other)]).toEqual([429, 200]);
  for (const one of streams) one.end();
  while ((await asks(greedy)) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
});

describe('a name that its holder chooses', () => {
  const accept = async (cookie: string, email: string, name: string, role: TeamRole = 'annotator') => {
    const { link } = (await ok(cookie, 'team.invite', { email, role })) as { link: string };
    const body = JSON.stringify({ code: new URL(link).hash.slice(1), name, password: PASSWORD });
    return team.page(null, SIGN_ROUTES.accept, { method: 'POST', body });
  };

  test('looks like no other, and turns nothing round', async () => {
    const { cookie } = await team.member('manager', 'Manager of names');
    await team.member('viewer', 'Rosa Lux');
    const twins = [
      'Rosa\u200b Lux',
      'Rosa\u00a0Lux',
      'Rosa \u202eLux',
      '\u0000Rosa Lux',
      'ROSA\tLUX\u{e0041}',
      '\ufeffRosa Lux',
    ];
    for (const [n, name] of twins.entries())
      expect([name, (await accept(cookie, `twin${n}@lab.test`, name)).status]).toEqual([name, 409]);
    for (const name of ['me', 'Studio', 'IMPORT', ' me\u200b'])
      expect([name, [400, 409].includes((await accept(cookie, 'word@lab.test', name)).status)]).toEqual([name, true]);
    expect((await accept(cookie, 'odd@lab.test', '\u001b[31mRed\u0007 \ud800 \u202eone')).status).toBe(200);
    const people = (await ok(cookie, 'people.list', {})) as { name: string; email: string }[];
    expect(people.find(({ email }) => email === 'odd@lab.test')?.name).toBe('[31mRed one');
  });

  test('is in the way of nobody whose address it is', async () => {
    const { cookie: owner } = await team.member('owner', 'Owner of addresses');
    const { id, email } = await team.member('viewer', 'Has an address');
    expect((await accept(owner, 'squats@lab.test', email)).status).toBe(200);
    expect(await ok(owner, 'team.setRole', { member: email, role: 'annotator' })).toMatchObject({ id, email });
  });
});
