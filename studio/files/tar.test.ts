import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { padding, readTarHeader, TAR_BLOCK, tarHeader } from './tar.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const part = fc.stringMatching(/^[a-z0-9äé_.-]{1,30}$/);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const size = fc.oneof(fc.nat(), fc.integer({ min: 8 ** 11 - 2, max: 2 ** 45 }));

describe('tar headers', () => {
  test('what was written is read back, for every name that fits and every size, also over 8 GiB', () => {
    fc.assert(
      fc.property(path, size, (name, bytes) => {
        fc.pre(Buffer.byteLength(name) <= 100);
        const entry = { path: name, size: bytes, kind: 'file' as const };
        expect(readTarHeader(tarHeader(entry), 0)).toEqual(entry);
      }),
    );
  });

  test('a longer name is cut at a slash; one that cannot be cut is refused', () => {
    const long = `${'a'.repeat(120)}/${'b'.repeat(90)}`;
    expect(readTarHeader(tarHeader({ path: long, size: 1, kind: 'file' }), 0)?.path).toBe(long);
    expect(() => tarHeader({ path: 'a'.repeat(120), size: 1, kind: 'file' })).toThrow('too long');
  });

  test('one changed byte anywhere is noticed', () => {
    const header = tarHeader({ path: 'take/recording.json', size: 1234, kind: 'file' });
    fc.assert(
      fc.property(fc.nat(TAR_BLOCK - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(header);
        changed[at] = (changed[at]! + by) % 256;
        let read: unknown;
        try {
          read = readTarHeader(changed, 0);
        } catch {
          return;
        }
        // The checksum's own field may be written in more than one way, to the same number.
        expect(read).toEqual(readTarHeader(header, 0));
        expect(at).toBeGreaterThanOrEqual(148);
        expect(at).toBeLessThan(156);
      }),
    );
  });

  test.each([
    ['1', 'a link'],
    ['2', 'a link'],
    ['3', 'type "3"'],
    ['x', 'type "x"'],
    ['L', 'type "L"'],
  ])('an entry of type %s is refused', (type, what) => {
    const header = tarHeader({ path: 'take/screen.mkv', size: 0, kind: 'file' });
    header.write(type, 156, 'latin1');
    const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    expect(() => readTarHeader(header, 512)).toThrow(what);
  });

  test.skipIf(process.platform === 'win32')("the system's own tar reads what we write", () => {
    const file = join(folders.make(), 'a.tar');
    const text = Buffer.from('hello');
    const entry = tarHeader({ path: 'take/notes.txt', size: text.length, kind: 'file' });
    const folder = tarHeader({ path: 'take/', size: 0, kind: 'folder' });
    writeFileSync(file, Buffer.concat([folder, entry, text, Buffer.alloc(padding(text.length) + 2 * TAR_BLOCK)]));
    expect(execFileSync('tar', ['-tf', file]).toString()).toBe('take/\ntake/notes.txt\n');
    expect(execFileSync('tar', ['-xOf', file, 'take/notes.txt']).toString()).toBe('hello');
  });
});
