import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorBody } from '../../../schemas/errors.ts';
import { startS3, type TestS3 } from '../../../test/support/s3.ts';
import { type Blobs, byUtf8 } from './blobs.ts';
import { folderBlobs } from './folder.ts';
import { openBlobs } from './open.ts';

/** What both places of files promise, and then what is particular to a folder. */

const folder = mkdtempSync(join(tmpdir(), 'studio-blobs-'));
let s3: TestS3;
let places = 0;

beforeAll(async () => {
  s3 = await startS3(join(folder, 's3'));
});
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const KINDS = ['a folder', 'S3'] as const;
type Kind = (typeof KINDS)[number];

/** The address of an empty place. */
function address(kind: Kind): string {
  places += 1;
  if (kind === 'S3') return `s3://${s3.bucket}/place ${places}`;
  const made = join(folder, `place ${places}`);
  mkdirSync(made);
  return made;
}

const fresh = (kind: Kind): Promise<Blobs> => openBlobs(address(kind), s3.env);

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of stream) all.push(piece);
  return Buffer.concat(all);
}

async function refusal(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  return errorBody(
    await work.then(
      () => new Error('It was not refused.'),
      (error: unknown) => error,
    ),
  );
}

async function allKeys(blobs: Blobs, most: number, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for (let after = ''; ; ) {
    const page = await blobs.list({ prefix, after, most });
    expect(page.keys.length).toBeLessThanOrEqual(most);
    keys.push(...page.keys);
    if (page.next === null) return keys;
    after = page.next;
  }
}

/** What is thrown at once counts as what a promise says. */
const begun = async (work: () => Promise<unknown>): Promise<unknown> => work();

async function* inPieces(data: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

const ODD = [
  'a b/+&=%2F.png',
  "it's (1)!*.txt",
  'é/日本語/😀.json',
  '<x>&amp;"y".txt',
  ' space before',
  'space after ',
  '#hash?question',
  'C#/~tilde;semi,comma@at$',
  '.hidden/..twodots',
];

describe.each(KINDS)('in %s', (kind) => {
  test('what is put is got back, whole and by ranges, and what was there before is replaced', async () => {
    const blobs = await fresh(kind);
    await blobs.put('a/b.bin', 'old and longer');
    await blobs.put('a/b.bin', Buffer.from('0123456789'));
    expect((await blobs.get('a/b.bin')).toString()).toBe('0123456789');
    expect(await blobs.stat('a/b.bin')).toMatchObject({ size: 10, tag: expect.stringMatching(/^[^"]+$/) });
    const range = async (start?: number, end?: number): Promise<string> =>
      (
        await bytesOf(
          blobs.range('a/b.bin', { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }),
        )
      ).toString();
    expect(await range()).toBe('0123456789');
    expect(await range(0, 0)).toBe('0');
    expect(await range(3, 5)).toBe('345');
    expect(await range(7)).toBe('789');
    expect(await range(8, 1000)).toBe('89');
    expect(await range(10)).toBe('');
    expect(await range(400, 500)).toBe('');
  });

  test('of several that begin a new file at once one writes it, and nothing that is there is replaced', async () => {
    const blobs = await fresh(kind);
    const ids = Array.from({ length: 12 }, (_, n) => `${n}`);
    const wrote = await Promise.all(ids.map((id) => blobs.putNew('a/place.json', id)));
    expect(wrote.filter(Boolean)).toHaveLength(1);
    expect((await blobs.get('a/place.json')).toString()).toBe(ids[wrote.indexOf(true)]);
    expect(await blobs.putNew('a/place.json', 'late')).toBe(false);
    expect((await blobs.get('a/place.json')).toString()).toBe(ids[wrote.indexOf(true)]);
    await blobs.put('a/place.json', 'anew');
    expect((await blobs.get('a/place.json')).toString()).toBe('anew');
    expect((await blobs.list()).keys).toEqual(['a/place.json']);
    expect(await blobs.putNew('other', Buffer.from('bytes'))).toBe(true);
    expect((await refusal(begun(() => blobs.putNew('../out', 'x')))).code).toBe('BAD_FILE');
  });

  test('an empty file is one', async () => {
    const blobs = await fresh(kind);
    await blobs.put('empty', '');
    await blobs.put('also empty', inPieces(new Uint8Array(), 1));
    for (const key of ['empty', 'also empty']) {
      expect(await blobs.stat(key)).toMatchObject({ size: 0 });
      expect(await blobs.get(key)).toHaveLength(0);
      expect(await bytesOf(blobs.range(key))).toHaveLength(0);
      expect(await bytesOf(blobs.range(key, { start: 0, end: 0 }))).toHaveLength(0);
    }
    expect((await blobs.list()).keys).toEqual(['also empty', 'empty']);
  });

  test('a large stream comes back equal, and a tag changes with the content', async () => {
    const blobs = await fresh(kind);
    const data = randomBytes(36 << 20);
    await blobs.put('film.mkv', inPieces(data, 777_777));
    const first = await blobs.stat('film.mkv');
    expect(first?.size).toBe(data.length);
    expect((await bytesOf(blobs.range('film.mkv'))).equals(data)).toBe(true);
    const [start, end] = [17 << 20, (33 << 20) + 5];
    expect((await bytesOf(blobs.range('film.mkv', { start, end }))).equals(data.subarray(start, end + 1))).toBe(true);
    await blobs.put('film.mkv', data.subarray(1));
    expect((await blobs.stat('film.mkv'))?.tag).not.toBe(first?.tag);
  });

  test('names with odd letters are kept as they are', async () => {
    const blobs = await fresh(kind);
    for (const key of ODD) await blobs.put(key, key);
    for (const key of ODD) expect((await blobs.get(key)).toString()).toBe(key);
    expect((await blobs.list()).keys).toEqual(ODD.toSorted(byUtf8));
    for (const key of ODD) await blobs.remove(key);
    expect((await blobs.list()).keys).toEqual([]);
  });

  test('a list is in the order of UTF-8, by pages of any size, of any prefix', async () => {
    const blobs = await fresh(kind);
    const keys = ['a', 'a.txt', 'a/x', 'a0', 'b/1', 'b/10', 'b/2', 'b/c/d', 'b.c/d', 'Z', 'ä', '\uff5e', '😀'];
    // A folder cannot hold a file and a folder of one name.
    const made = keys.filter((key) => key !== 'a');
    for (const key of made) await blobs.put(key, '.');
    const inOrder = made.toSorted(byUtf8);
    for (const most of [1, 2, 3, 5, 1000]) expect(await allKeys(blobs, most)).toEqual(inOrder);
    for (const prefix of ['a', 'a/', 'b', 'b/', 'b/1', 'b/c/', 'nothing', 'nothing/here/', 'Z/'])
      expect(await allKeys(blobs, 2, prefix)).toEqual(inOrder.filter((key) => key.startsWith(prefix)));
    expect((await blobs.list({ after: 'b/10' })).keys).toEqual(inOrder.filter((key) => byUtf8(key, 'b/10') > 0));
  });

  test('any set of keys is listed as put, page by page', async () => {
    const part = fc.stringMatching(/^[a-c.\-_]{1,3}[0-9]$/);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.array(part, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (wanted, most) => {
          const blobs = await fresh(kind);
          // No key is a folder of another.
          const keys = [
            ...new Set(
              wanted.map(
                (parts) =>
                  `${parts
                    .slice(0, -1)
                    .map((one) => `${one}d`)
                    .concat(parts.at(-1)!)
                    .join('/')}`,
              ),
            ),
          ];
          for (const key of keys) await blobs.put(key, key);
          expect(await allKeys(blobs, most)).toEqual(keys.sort(byUtf8));
        },
      ),
      { numRuns: 10 },
    );
  });

  test('what is missing is said, and removing it is nothing', async () => {
    const blobs = await fresh(kind);
    expect(await blobs.stat('not/there.png')).toBeNull();
    await blobs.remove('not/there.png');
    const range = async (): Promise<Buffer> => bytesOf(blobs.range('not/there.png'));
    for (const work of [() => blobs.get('not/there.png'), range, () => blobs.local('not/there.png')]) {
      const error = await refusal(work());
      expect(error).toMatchObject({ code: 'BAD_FILE', details: { missing: true } });
      expect(error.message).toContain('/not/there.png is missing. Put the file back');
    }
    await blobs.put('there', '1');
    await blobs.remove('there');
    expect(await blobs.stat('there')).toBeNull();
  });

  test.each(['', '/', '/etc/passwd', '../up', 'a/../b', 'a//b', './a', 'a/.', 'a\\b', 'C:/x', 'a\0b', 'a/'])(
    'a key that leads elsewhere is refused: %j',
    async (key) => {
      const blobs = await fresh(kind);
      const range = async (): Promise<Buffer> => bytesOf(blobs.range(key));
      const works = [
        () => blobs.put(key, 'x'),
        () => blobs.get(key),
        () => blobs.stat(key),
        () => blobs.remove(key),
        () => blobs.local(key),
        range,
      ];
      for (const work of works) expect((await refusal(begun(work))).code).toBe('BAD_FILE');
      expect((await blobs.list()).keys).toEqual([]);
    },
  );

  test.each([
    'x'.repeat(256),
    `${'long/'.repeat(180)}x`,
    'new\nline',
    'lone\ud800',
    'a/.b.12.0a1b2c3d.tmp',
    'film.part',
  ])('a key that not every place can keep is not made: %j', async (key) => {
    const blobs = await fresh(kind);
    const error = await refusal(blobs.put(key, 'x'));
    expect(error).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('Choose another name.') });
    expect((await blobs.list()).keys).toEqual([]);
  });

  test('a file that is larger than it may be is not read', async () => {
    const blobs = await fresh(kind);
    await blobs.put('big', Buffer.alloc(3 << 20));
    const error = await refusal(blobs.get('big', { most: 1 << 20 }));
    expect(error).toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining('it has 3 MB, and at most 1 MB'),
    });
    expect(await blobs.get('big', { most: 3 << 20 })).toHaveLength(3 << 20);
  });

  test('many are put at once; of several under one key one is left, whole', async () => {
    const blobs = await fresh(kind);
    const numbers = Array.from({ length: 24 }, (_, n) => n);
    const content = (n: number): Buffer => Buffer.alloc(20_000, n + 1);
    await Promise.all(numbers.map((n) => blobs.put(`many/${n}`, content(n))));
    for (const n of numbers) expect((await blobs.get(`many/${n}`)).equals(content(n))).toBe(true);
    await Promise.all(numbers.map((n) => blobs.put('one', inPieces(content(n), 5000))));
    const left = await blobs.get('one');
    expect(numbers.some((n) => left.equals(content(n)))).toBe(true);
  });

  test('a source that fails, and a signal, leave what was there', async () => {
    const blobs = await fresh(kind);
    await blobs.put('kept', 'as it was');
    async function* failing(size: number): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 3; n++) yield new Uint8Array(size);
      throw new Error('the source broke');
    }
    for (const size of [1000, 17 << 20])
      expect((await refusal(blobs.put('kept', failing(size)))).message).toBe('the source broke');
    const stop = new AbortController();
    async function* stopping(): AsyncGenerator<Uint8Array> {
      for (let n = 0; ; n++) {
        if (n === 2) stop.abort();
        yield new Uint8Array(9 << 20);
      }
    }
    expect((await refusal(blobs.put('kept', stopping(), stop.signal))).code).toBe('CANCELLED');
    expect((await refusal(blobs.put('new', failing(10)))).message).toBe('the source broke');
    expect((await blobs.list()).keys).toEqual(['kept']);
    expect((await blobs.get('kept')).toString()).toBe('as it was');
  });

  test('killed in the middle of a put, it leaves nothing half', async () => {
    const where = address(kind);
    const blobs = await openBlobs(where, s3.env);
    await blobs.put('big', 'as it was');
    const child = spawn(process.execPath, [join(import.meta.dirname, 'write-forever-for-tests.ts'), where], {
      env: { ...process.env, ...s3.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((begun) => child.stdout.once('data', begun));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect((await blobs.list()).keys).toEqual(['big']);
    expect((await blobs.get('big')).toString()).toBe('as it was');
  });

  test('a local file has the bytes and the ending, and goes when nobody needs it', async () => {
    const blobs = await fresh(kind);
    await blobs.put('pictures/1.png', 'pixels');
    const { path, release } = await blobs.local('pictures/1.png');
    expect(readFileSync(path, 'utf8')).toBe('pixels');
    expect(path).toMatch(/\.png$/);
    await release();
    expect(existsSync(path)).toBe(kind === 'a folder');
    expect((await blobs.get('pictures/1.png')).toString()).toBe('pixels');
  });

  test('who stops reading in the middle holds nothing up', async () => {
    const blobs = await fresh(kind);
    await blobs.put('film', Buffer.alloc(20 << 20, 1));
    for (let n = 0; n < 12; n++) {
      const reader = blobs.range('film').getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
    }
    expect(await bytesOf(blobs.range('film', { start: 5, end: 9 }))).toHaveLength(5);
  });
});

describe('in a folder', () => {
  test.runIf(process.platform !== 'win32')(
    'files are as private as their folder, and folders that are made too',
    async () => {
      const place = address('a folder');
      for (const [mode, file, made] of [
        [0o700, 0o600, 0o700],
        [0o750, 0o640, 0o750],
      ] as const) {
        chmodSync(place, mode);
        const before = process.umask(0o022);
        await folderBlobs(place).put(`${mode}/deep/a`, 'x');
        process.umask(before);
        expect(statSync(join(place, `${mode}/deep/a`)).mode & 0o777).toBe(file);
        expect(statSync(join(place, `${mode}/deep`)).mode & 0o777).toBe(made);
      }
    },
  );

  test('a link in the place of a file or on the way is refused, whatever it leads to', async () => {
    const place = address('a folder');
    const blobs = folderBlobs(place);
    const outside = join(dirname(place), 'outside.txt');
    writeFileSync(outside, 'secret');
    symlinkSync(outside, join(place, 'link.txt'));
    symlinkSync(dirname(place), join(place, 'way'));
    for (const key of ['link.txt', 'way/outside.txt']) {
      const works = [
        () => blobs.get(key),
        () => blobs.stat(key),
        () => blobs.put(key, 'x'),
        () => blobs.local(key),
        () => bytesOf(blobs.range(key)),
      ];
      for (const work of works) expect((await refusal(begun(work))).code).toBe('BAD_FILE');
    }
    // Listed, so that reading it says what is wrong; nothing behind it is.
    expect((await blobs.list()).keys).toEqual(['link.txt', 'way']);
    expect(readFileSync(outside, 'utf8')).toBe('secret');
    await blobs.remove('link.txt');
    expect(readFileSync(outside, 'utf8')).toBe('secret');
  });

  test('what a killed writer left is removed once nothing came for an hour', async () => {
    const place = address('a folder');
    const [old, young] = [join(place, '.blob.4194304.0a1b2c3d.tmp'), join(place, '.blob.4194304.0a1b2c3e.tmp')];
    for (const file of [old, young]) writeFileSync(file, 'half');
    const past = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(old, past, past);
    await folderBlobs(place).put('a', 'x');
    expect(readdirSync(place).sort()).toEqual(['.blob.4194304.0a1b2c3e.tmp', 'a']);
  });

  test('a file in the place of a folder is said', async () => {
    const blobs = await fresh('a folder');
    await blobs.put('a', 'x');
    expect((await refusal(blobs.put('a/b', 'x'))).code).toBe('BAD_FILE');
    expect((await refusal(blobs.put('c/d', 'x').then(() => blobs.put('c', 'x')))).code).toBe('BAD_FILE');
  });
});
