import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_ROUTES } from '../../../schemas/api/routes.ts';
import {
  type HostileEntry,
  plainLibrary,
  recordingEntries,
  writeHostileArchive,
} from '../../../test/support/hostile-archives.ts';
import { openArchive } from '../../import/archive/read-archive.ts';
import { LIMITS } from '../../import/limits.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { TEAM_HOST, TEAM_ORIGIN, type TestTeam, testTeam } from './team-for-tests.ts';

/** Uploads of a member whose program lies: each is refused for good, and neither its bytes nor what was unpacked of it stays. */

let team: TestTeam;
let cookie: string;
let manager: string;
testTeam((made) => {
  team = made;
});
const folders = temporaryFolders();
afterAll(folders.clean);
beforeAll(async () => {
  cookie = (await team.member('recorder', 'Sends lies')).cookie;
  manager = (await team.member('manager', 'Lies too')).cookie;
});

type Sent = { method: string; path: string; headers: Record<string, string>; body?: Buffer };
function tus(who: string, { method, path, headers, body }: Sent) {
  const all = {
    host: TEAM_HOST,
    origin: TEAM_ORIGIN,
    cookie: who,
    'sec-fetch-site': 'same-origin',
    'tus-resumable': '1.0.0',
  };
  return new Promise<{ status: number; location: string }>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: team.port, path, method, headers: { ...all, ...headers } },
      (answer) =>
        answer
          .resume()
          .on('end', () => resolve({ status: answer.statusCode ?? 0, location: String(answer.headers.location) })),
    );
    request.on('error', reject);
    request.end(body);
  });
}

type Receipt = { state: string; error: { code: string; message: string } | null };
async function begin(who: string, file: string): Promise<string> {
  const body = readFileSync(file);
  const length = { 'upload-length': String(body.length) };
  const { location } = await tus(who, { method: 'POST', path: FILE_ROUTES.uploads(team.ws), headers: length });
  const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect(await tus(who, { method: 'PATCH', path: location, headers, body })).toMatchObject({ status: 204 });
  return location.split('/').at(-1)!;
}
async function ended(who: string, upload: string): Promise<Receipt> {
  for (;;) {
    const { json } = await team.call(who, 'uploads.receipt', { ws: team.ws, upload });
    const receipt = json as Receipt; // The contract says so.
    if (receipt.state !== 'checking') return receipt;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const files = (): string[] =>
  readdirSync(team.dir, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        !entry.name.startsWith('studio.sqlite') && !entry.parentPath.endsWith('uploads') && entry.name !== 'uploads',
    )
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
const partsLeft = () => readdirSync(join(team.dir, 'uploads')).filter((name) => name.endsWith('.part'));

type Lie = { entries: HostileEntry[]; manifest?: (said: { files: object[] }) => object; cut?: number };
const NOISE: HostileEntry = { path: 'screen.mkv', bytes: Buffer.alloc(1 << 16, 1) };
const whole = (more: HostileEntry[] = []) => [plainLibrary(), ...recordingEntries('lie', { more })];
const many = (count: number, make: (n: number) => object) => Array.from({ length: count }, (_, n) => make(n));
const task = (n: number) => ({
  id: `HS_${n}`,
  software: 'hs',
  goal: 'G',
  state: 'open',
  platform: '',
  sourceUrl: '',
  notes: '',
});
const program = (n: number) => ({
  id: `hs${n}`,
  name: 'H',
  prefix: `H${n}`,
  platforms: '',
  aliases: [],
  executables: [],
});

const file = (name: string, bytes: number) => ({ path: `recordings/lie/${name}`, bytes, sha256: '0'.repeat(64) });
const LIES: [what: string, lie: Lie, code: string, message: string][] = [
  ['is cut short', { entries: whole([NOISE]), cut: 60_000 }, 'BAD_FILE', ''],
  [
    'names a file that is not in it',
    { entries: whole(), manifest: ({ files }) => ({ files: [...files, file('a.txt', 0)] }) },
    'BAD_FILE',
    'is named but not in it',
  ],
  [
    'says that it holds 190 GB',
    { entries: whole(), manifest: ({ files }) => ({ files: [...files, file('screen.mkv', 190e9)] }) },
    'BAD_FILE',
    '',
  ],
  [
    'has another content than it says',
    {
      entries: whole([NOISE]),
      manifest: ({ files }) => ({ files: files.map((one) => ({ ...one, sha256: '0'.repeat(64) })) }),
    },
    'BAD_FILE',
    'its hash differs',
  ],
];

async function refused(who: string, { entries, manifest, cut }: Lie): Promise<Receipt> {
  const path = join(folders.make(), 'a.tar');
  writeHostileArchive(path, { recordings: ['lie'], entries, ...(manifest && { manifest }) });
  if (cut !== undefined) truncateSync(path, statSync(path).size - cut);
  const before = files();
  const receipt = await ended(who, await begin(who, path));
  expect(files()).toEqual(before);
  expect(partsLeft()).toEqual([]);
  expect(existsSync(join(team.dir, 'recordings', 'lie'))).toBe(false);
  return receipt;
}

describe.each(['recorder', 'manager'])('of a %s', (role) => {
  test.each(LIES)('an archive that %s is refused, and nothing of it stays', async (_what, lie, code, message) => {
    const receipt = await refused(role === 'manager' ? manager : cookie, lie);
    expect(receipt).toMatchObject({ state: 'refused', error: { code, message: expect.stringContaining(message) } });
  });
});

/** A file of the recording whose header in the .tar has other bytes at this place: of its type (156), size (124), prefix (345). */
const withHead = (at: number, bytes: string | Buffer, path = 'a.txt'): Lie => ({
  entries: whole([{ path, bytes: 'x', head: [{ at, bytes }] }]),
});
const named = (...paths: string[]): Lie => ({ entries: [...whole(), ...paths.map((path) => ({ path, bytes: 'x' }))] });
const TYPES = {
  '1': 'a hard link',
  '2': 'a link',
  '3': 'a device',
  '4': 'a disk',
  '5': 'a folder',
  '6': 'a pipe',
  '7': 'a contiguous file',
};
const MORE_TYPES = {
  x: 'more of a header',
  g: 'more of all headers',
  L: 'a long name',
  K: 'a long link',
  S: 'holes',
  D: 'a list',
  M: 'a further volume',
  V: 'a volume',
};
const TRICKS: [what: string, lie: Lie][] = [
  ...Object.entries({ ...TYPES, ...MORE_TYPES }).map(([type, what]): [string, Lie] => [
    `${what} (${type})`,
    withHead(156, type),
  ]),
  ['a prefix that leads out', withHead(345, '../../etc')],
  ['a prefix that is a root', withHead(345, '/')],
  ['a size of 2^60', withHead(124, Buffer.from([0x80, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0]))],
  ['a size below nothing', withHead(124, Buffer.alloc(12, 0xff))],
  ['a size that is no number', withHead(124, '-0000000001\0')],
  ['a root', named('/etc/cron.d/evil')],
  ['a way out', named('recordings/lie/../../../evil')],
  ['a way out by back slashes', named('recordings/lie/..\\..\\evil')],
  ['a drive', named('recordings/lie/C:evil')],
  ['a device of Windows', named('recordings/lie/NUL')],
  ['a stream of Windows', named('recordings/lie/a.txt:evil')],
  ['a name that ends in a dot', named('recordings/lie/evil.')],
  ['an empty name', named('recordings/lie//evil')],
  ['the database', named('studio.sqlite')],
  ['a recording that is not named', named('recordings/other/events.jsonl')],
  ['two spellings by composition', named('recordings/lie/\u00e9.txt', 'recordings/lie/e\u0301.txt')],
  ['two spellings by case', named('recordings/lie/Straße.txt', 'recordings/lie/STRAßE.txt')],
  ['a file twice', named('recordings/lie/a.txt', 'recordings/lie/a.txt')],
  ['a file below a file', named('recordings/lie/a', 'recordings/lie/a/b')],
];
test.each(TRICKS)('an archive with %s is refused, and nothing of it stays', async (_what, lie) => {
  expect(await refused(cookie, lie)).toMatchObject({ state: 'refused', error: { code: 'BAD_FILE' } });
  expect(existsSync(join(team.folder, 'evil')) || existsSync(join(team.dir, 'evil'))).toBe(false);
});

test.each([
  ['a database', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192, 0xff)])],
  ['a packed .tar', gzipSync(Buffer.alloc(1 << 20))],
  ['a .zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(4096)])],
  ['zeros', Buffer.alloc(1 << 20)],
  ['one byte', Buffer.from('x')],
])('%s that is sent as an archive is refused, and nothing of it stays', async (_what, bytes) => {
  const path = join(folders.make(), 'a.tar');
  writeFileSync(path, bytes);
  const before = files();
  expect(await ended(cookie, await begin(cookie, path))).toMatchObject({
    state: 'refused',
    error: { code: 'BAD_FILE' },
  });
  expect(files()).toEqual(before);
  expect(partsLeft()).toEqual([]);
});

test.each([
  ['tasks', { tasks: many(2, task) }],
  ['software', { software: many(3, program) }],
])('a recorder brings no %s that nothing was recorded for', async (what, library) => {
  const entries = [plainLibrary(library), ...recordingEntries('lie')];
  const message = expect.stringContaining(`more ${what} than recordings`);
  expect(await refused(cookie, { entries })).toMatchObject({ state: 'refused', error: { code: 'FORBIDDEN', message } });
});

test('a list of files of 8 MB is read beside the requests of others', async () => {
  const path = join(folders.make(), 'long.tar');
  const list = many(60_000, (n) => file(String(n), 0));
  writeHostileArchive(path, { recordings: ['lie'], entries: whole(), manifest: () => ({ files: list }) });
  const other = await team.member('annotator', 'Works on');
  const from = performance.now();
  await expect(openArchive(path, LIMITS, new AbortController().signal)).rejects.toThrow('no library.json');
  const readHereMs = performance.now() - from;
  const upload = await begin(cookie, path);
  let isOver = false;
  const over = ended(cookie, upload).finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    const asked = performance.now();
    await team.call(other.cookie, 'team.me');
    most = Math.max(most, performance.now() - asked);
  }
  expect(await over).toMatchObject({ state: 'refused', error: { code: 'BAD_FILE' } });
  expect(most).toBeLessThan(readHereMs / 2);
});
