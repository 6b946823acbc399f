import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import type { TeamRole } from '../../../schemas/team-terms.ts';
import { write } from '../../import/archive/bench-for-tests.ts';
import { attach } from '../../store/attachments.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import { openWorkspace } from '../../store/workspace.ts';
import { ACCOUNT } from '../members/principal.ts';
import { makeToken } from '../members/sessions.ts';
import { openUploads, UPLOAD_LIMITS } from '../uploads/uploads.ts';
import { TEAM_ORIGIN, type TeamAnswer, type TestTeam, testTeam } from './team-for-tests.ts';

/** Uploads as a stranger, another member and a broken program would send them. */

const HOST = new URL(TEAM_ORIGIN).host;
let team: TestTeam;
testTeam((made) => {
  team = made;
});
const folders = temporaryFolders();
afterAll(folders.clean);

type Member = { id: string; token: string };
const member = async (role: TeamRole, name: string): Promise<Member> => {
  const { id, email } = await team.member(role, name);
  const scopes = role === 'recorder' ? (['see', 'record'] as const) : (['see', 'record', 'manage'] as const);
  const { secret } = await makeToken(team.store, ACCOUNT, { member: email, name: 'x', scopes, days: 1 });
  return { id, token: secret };
};
let ana: Member;
let ben: Member;
let manager: Member;
beforeAll(async () => {
  [ana, ben, manager] = [
    await member('recorder', 'Up Ana'),
    await member('recorder', 'Up Ben'),
    await member('manager', 'Up Manager'),
  ];
});

type Sent = { method: string; path?: string; headers?: Record<string, string>; body?: Buffer };
/** A request with a body of bytes, as tus has it. */
function tus(who: Member, { method, path, headers = {}, body }: Sent): Promise<TeamAnswer> {
  return new Promise((resolve, reject) => {
    const all = { host: HOST, 'tus-resumable': '1.0.0', authorization: `Bearer ${who.token}`, ...headers };
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: team.port,
        path: path ?? FILE_ROUTES.uploads(team.ws),
        method,
        headers: { ...all, ...(body && { 'content-length': String(body.length) }) },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
const begin = async (who: Member, bytes: number, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await tus(who, { method: 'POST', headers: { 'upload-length': String(bytes), ...headers } });
  expect([answer.status, answer.body]).toEqual([201, '']);
  return String(answer.headers.location);
};
const piece = (who: Member, path: string, from: number | string, body: Buffer, headers: Record<string, string> = {}) =>
  tus(who, {
    method: 'PATCH',
    path,
    headers: { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream', ...headers },
    body,
  });
const offsetAt = async (who: Member, path: string) =>
  (await tus(who, { method: 'HEAD', path })).headers['upload-offset'];
const receiptOf = async (who: Member, path: string) => {
  const answer = await team.raw(`/api/workspaces/${team.ws}/uploads/${path.split('/').at(-1)}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  return { status: answer.status, json: JSON.parse(answer.body) };
};
const ended = async (who: Member, path: string) => {
  for (;;) {
    const { json } = await receiptOf(who, path);
    if (json.state !== 'checking') return json;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const partsLeft = () => readdirSync(join(team.dir, 'uploads')).filter((name) => name.endsWith('.part'));

/** An archive of one recording, with what `more` does to its workspace before. */
async function archive(
  id: string,
  more: (workspace: ReturnType<typeof openWorkspace>) => Promise<void> = async () => {},
) {
  const workspace = openWorkspace(folders.make(), { create: true });
  const made = writeSample(workspace.recordingsDir, sampleRecording({ id }), []);
  writeFileSync(join(made, 'screen.mkv'), randomBytes(50_000));
  await workspace.syncIndex();
  await more(workspace);
  return {
    workspace,
    async bytes(wishes: Parameters<typeof write>[2] = { bare: true }) {
      const out = join(folders.make(), 'a.tar');
      await write({ workspace }, out, { recordings: [id], carried: async () => [], ...wishes });
      workspace.close();
      return readFileSync(out);
    },
  };
}

describe('by the protocol', () => {
  test('what the server takes; another version; every part of an upload', async () => {
    const asked = await tus(ana, { method: 'OPTIONS' });
    expect([asked.status, asked.headers['tus-version'], asked.headers['tus-extension']]).toEqual([
      204,
      '1.0.0',
      'creation,expiration,termination',
    ]);
    const other = await tus(ana, { method: 'POST', headers: { 'tus-resumable': '0.2.2', 'upload-length': '5' } });
    expect([other.status, other.headers['tus-version']]).toEqual([412, '1.0.0']);
    const path = await begin(ana, 10);
    expect(await offsetAt(ana, path)).toBe('0');
    const first = await piece(ana, path, 0, Buffer.from('abcd'));
    expect([first.status, first.headers['upload-offset']]).toEqual([204, '4']);
    expect(Date.parse(String(first.headers['upload-expires']))).toBeGreaterThan(Date.now());
    expect((await piece(ana, path, 2, Buffer.from('xx'))).status).toBe(409);
    expect(await offsetAt(ana, path)).toBe('4');
    expect((await tus(ana, { method: 'DELETE', path })).status).toBe(204);
    expect((await tus(ana, { method: 'HEAD', path })).status).toBe(404);
    expect((await tus(ana, { method: 'PUT', path })).status).toBe(403);
  });

  test('a whole archive is checked and taken; a spoilt one leaves nothing', async () => {
    const id = '20260504-102030-upload01';
    const bytes = await (await archive(id)).bytes();
    const path = await begin(ana, bytes.length);
    await piece(ana, path, 0, bytes.subarray(0, 30_000));
    expect((await receiptOf(ana, path)).json).toMatchObject({ state: 'receiving', offset: 30_000 });
    await piece(ana, path, 30_000, bytes.subarray(30_000));
    const taken = await ended(ana, path);
    expect(taken).toMatchObject({ state: 'taken', recordings: [id], known: [], error: null });
    const video = readFileSync(join(team.dir, 'recordings', id, 'screen.mkv'));
    expect(taken.files).toContainEqual({
      path: `recordings/${id}/screen.mkv`,
      sha256: createHash('sha256').update(video).digest('hex'),
    });
    // Also after it ended it is whole.
    expect(await offsetAt(ana, path)).toBe(String(bytes.length));
    const other = '20260504-102030-upload02';
    const spoilt = await (await archive(other)).bytes();
    spoilt.fill(7, spoilt.length - 30_000, spoilt.length - 20_000);
    const again = await begin(ana, spoilt.length);
    await piece(ana, again, 0, spoilt);
    expect(await ended(ana, again)).toMatchObject({ state: 'refused', error: { code: 'BAD_FILE' } });
    expect(existsSync(join(team.dir, 'recordings', other))).toBe(false);
    expect(partsLeft()).toEqual([]);
  });

  test('bytes that are no archive are refused for good, and said', async () => {
    const path = await begin(ana, 2000);
    await piece(ana, path, 0, randomBytes(2000));
    expect(await ended(ana, path)).toMatchObject({ state: 'refused', error: { code: 'BAD_FILE' } });
    expect(partsLeft()).toEqual([]);
  });
});

describe("somebody else's", () => {
  test('an upload is there for its owner alone, whatever one asks', async () => {
    const path = await begin(ana, 10);
    for (const who of [ben, manager]) {
      expect((await tus(who, { method: 'HEAD', path })).status).toBe(404);
      expect((await piece(who, path, 0, Buffer.from('x'))).status).toBe(404);
      expect((await tus(who, { method: 'DELETE', path })).status).toBe(404);
      expect((await receiptOf(who, path)).status).toBe(404);
    }
    const manifest = 'a'.repeat(64);
    const named = `manifest ${Buffer.from(manifest).toString('base64')}`;
    const known = await begin(ana, 10, { 'upload-metadata': named });
    const find = async (who: Member) =>
      (
        await team.raw(`/api/workspaces/${team.ws}/uploads/find?manifest=${manifest}`, {
          headers: { authorization: `Bearer ${who.token}` },
        })
      ).body;
    expect(JSON.parse(await find(ana))).toMatchObject({ upload: known.split('/').at(-1) });
    expect(await find(ben)).toBe('null');
    expect(await offsetAt(ana, path)).toBe('0');
    for (const one of [path, known]) await tus(ana, { method: 'DELETE', path: one });
  });

  test('a recorder brings no work of others: annotation, tags, splits, states, answers, files of tasks, versions', async () => {
    const kinds: [what: string, make: () => Promise<Buffer>][] = [
      [
        'annotation.json',
        async () => {
          const id = '20260504-102030-upload11';
          const text = JSON.stringify({
            schema: 'trajectory-studio/annotation',
            version: 1,
            recording: id,
            records: [],
          });
          return (await archive(id)).bytes({ bare: true, carried: async () => [{ name: 'annotation.json', text }] });
        },
      ],
      [
        'attachments/',
        async () =>
          (
            await archive('20260504-102030-upload12', async (workspace) => {
              await attach(workspace, {
                task: 'GIMP_1',
                role: 'material',
                name: 'x.txt',
                body: new Blob(['x']).stream(),
              });
            })
          ).bytes({}),
      ],
      [
        'an answer',
        async () =>
          (
            await archive('20260504-102030-upload13', async (workspace) => {
              await sqlOf(workspace.store).updateTable('tasks').set({ answer: '42' }).execute();
            })
          ).bytes({}),
      ],
    ];
    for (const [what, make] of kinds) {
      const bytes = await make();
      const path = await begin(ana, bytes.length);
      await piece(ana, path, 0, bytes);
      const { state, error } = await ended(ana, path);
      expect([what, state, error?.code, error?.message]).toEqual([
        what,
        'refused',
        'FORBIDDEN',
        expect.stringContaining(what),
      ]);
    }
    expect(readdirSync(join(team.dir, 'recordings')).filter((name) => name.includes('upload1'))).toEqual([]);
  });
});

describe('hostile', () => {
  test.each([
    '-1',
    '1e3',
    '0x10',
    ' 5',
    '5.5',
    '99999999999999999999',
    'NaN',
    '',
    '0',
    String(Number.MAX_SAFE_INTEGER),
  ])('an upload of the length "%s" is refused', async (length) => {
    const before = existsSync(join(team.dir, 'uploads')) ? readdirSync(join(team.dir, 'uploads')).length : 0;
    const { status } = await tus(ana, { method: 'POST', headers: { 'upload-length': length } });
    // Some are trimmed by HTTP itself, and then are a number.
    if (length === ' 5') return;
    expect([400, 413]).toContain(status);
    expect(readdirSync(join(team.dir, 'uploads')).length).toBe(before);
  });

  test.each(['-1', '1e3', '', '99999999999999999999', '3'])('a piece at the offset "%s" is refused', async (offset) => {
    const path = await begin(ben, 10);
    expect([400, 409, 413]).toContain((await piece(ben, path, offset, Buffer.from('x'))).status);
    expect(await offsetAt(ben, path)).toBe('0');
    await tus(ben, { method: 'DELETE', path });
  });

  test('names and ids that lead elsewhere are nothing', async () => {
    const named = `filename ${Buffer.from('../../../evil.tar').toString('base64')},filetype eA==`;
    const path = await begin(ben, 10, { 'upload-metadata': named });
    expect(path).toMatch(/\/uploads\/[0-9a-f-]{36}$/);
    for (const id of ['..', '../secret.txt', '%2e%2e%2fsecret.txt', '.', 'x', `${path.split('/').at(-1)}.json`, '%00'])
      expect([
        id,
        [400, 403, 404].includes(
          (await tus(ben, { method: 'HEAD', path: `${FILE_ROUTES.uploads(team.ws)}/${id}` })).status,
        ),
      ]).toEqual([id, true]);
    expect(
      (
        await tus(ben, {
          method: 'POST',
          headers: { 'upload-length': '5', 'upload-metadata': `a ${'x'.repeat(5000)}` },
        })
      ).status,
    ).toBe(400);
    expect((await tus(ben, { method: 'POST', headers: { 'upload-defer-length': '1' } })).status).toBe(400);
    expect(
      (await tus(ben, { method: 'PATCH', path, headers: { 'upload-offset': '0' }, body: Buffer.from('x') })).status,
    ).toBe(415);
    await tus(ben, { method: 'DELETE', path });
  });

  test('more than was said, also without an end, is cut off', async () => {
    const path = await begin(ben, 1000);
    expect((await piece(ben, path, 0, Buffer.alloc(1001))).status).toBe(413);
    expect(await offsetAt(ben, path)).toBe('0');
    // In chunks, without a length, for ever.
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(team.port, '127.0.0.1');
      let text = '';
      const send = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`), 5);
      socket.on('data', (data: Buffer) => {
        text += data.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(send);
        resolve(text);
      });
      socket.write(
        `PATCH ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${ben.token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const id = path.split('/').at(-1)!;
    expect(statSync(join(team.dir, 'uploads', `${id}.part`)).size).toBeLessThanOrEqual(1000);
    await tus(ben, { method: 'DELETE', path });
  });

  test('two that send the same upload at once: the later goes on, the bytes are in order', async () => {
    const path = await begin(ben, 1_000_000);
    const slow = connect(team.port, '127.0.0.1');
    slow.on('error', () => undefined);
    slow.write(
      `PATCH ${path} HTTP/1.1\r\nHost: ${HOST}\r\nAuthorization: Bearer ${ben.token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 1000000\r\n\r\nabc`,
    );
    while ((await receiptOf(ben, path)).json.offset < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await offsetAt(ben, path)).toBe('3');
    slow.write('never');
    expect((await piece(ben, path, 3, Buffer.from('def'))).headers['upload-offset']).toBe('6');
    const id = path.split('/').at(-1)!;
    expect(readFileSync(join(team.dir, 'uploads', `${id}.part`), 'utf8')).toBe('abcdef');
    slow.destroy();
    await tus(ben, { method: 'DELETE', path });
  });
});

describe('bounds', () => {
  const limits = {
    ...UPLOAD_LIMITS,
    mostBytes: 1000,
    quotaBytes: 2500,
    mostEach: 2,
    idleMs: 60_000,
    rememberMs: 120_000,
  };
  const sent = async function* (...parts: string[]) {
    for (const part of parts) yield Buffer.from(part);
  };

  test('of one, of one person, of all together; what nobody goes on with is forgotten', async () => {
    const dir = folders.make();
    let now = Date.now();
    const uploads = openUploads(dir, limits, () => now);
    const wishes = { owner: 'a', bytes: 900, manifest: '', whole: false };
    await expect(uploads.begin({ ...wishes, bytes: 1001 })).rejects.toThrow('--upload-limit');
    // Those that come at once count each other.
    const three = await Promise.allSettled([1, 2, 3].map(() => uploads.begin(wishes)));
    expect(three.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const first = three.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))[0]!;
    await expect(uploads.begin(wishes)).rejects.toThrow('under way');
    await expect(uploads.begin({ ...wishes, owner: 'b' })).rejects.toThrow('on their way');
    await uploads.append(first, 0, sent('abc'));
    const other = openUploads(dir, limits);
    expect(other.size(other.get('a', first.id))).toBe(3);
    expect(() => uploads.get('b', first.id)).toThrow('no such upload');
    now += 61_000;
    uploads.sweep();
    expect(readdirSync(join(dir, 'uploads'))).toEqual([]);
    const ended = await uploads.begin(wishes);
    uploads.end(ended, { state: 'refused', code: 'BAD_FILE', message: 'x' });
    expect(readdirSync(join(dir, 'uploads'))).toEqual([`${ended.id}.json`]);
    expect((await uploads.begin({ ...wishes, owner: 'b' })).bytes).toBe(900);
    utimesSync(join(dir, 'uploads', `${ended.id}.json`), 1, 1);
    uploads.sweep();
    expect(existsSync(join(dir, 'uploads', `${ended.id}.json`))).toBe(false);
  });

  test('a sender that falls silent is cut off, and what came is kept', async () => {
    const uploads = openUploads(folders.make(), { ...limits, silenceMs: 50 });
    const note = await uploads.begin({ owner: 'a', bytes: 900, manifest: '', whole: false });
    async function* silent() {
      yield Buffer.from('abc');
      await new Promise(() => undefined);
    }
    await expect(uploads.append(note, 0, silent())).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(uploads.size(note)).toBe(3);
    expect(await uploads.append(note, 3, sent('def'))).toBe(6);
  });

  test('a note that was spoilt is no upload', () => {
    const dir = folders.make();
    mkdirSync(join(dir, 'uploads'));
    const id = '00000000-0000-4000-8000-000000000001';
    for (const text of ['', '{', '{"version":1}', 'x'.repeat(100)]) {
      writeFileSync(join(dir, 'uploads', `${id}.json`), text);
      expect(() => openUploads(dir).get('a', id)).toThrow('no such upload');
    }
  });
});
