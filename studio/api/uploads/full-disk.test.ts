import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { type SmallDisk, smallDisk } from '../../store/small-disk-for-tests.ts';
import { openUploads, UPLOAD_LIMITS } from './uploads.ts';

const folders = temporaryFolders();
let disk: SmallDisk | null = null;
afterEach(() => {
  disk?.remove();
  folders.clean();
});

const MB = 2 ** 20;

test('a disk that has no room refuses before a byte; one that fills up keeps what came, and goes on', async (context) => {
  const dir = join(folders.make(), 'disk');
  disk = smallDisk(dir, 16 * MB);
  if (!disk) return context.skip('needs root to mount a small disk');
  const limits = { ...UPLOAD_LIMITS, keepFree: MB };
  const uploads = openUploads(dir, limits);
  const wishes = { owner: 'a', manifest: '', whole: false };
  await expect(uploads.begin({ ...wishes, bytes: 9 * MB })).rejects.toThrow('no room for 9.4 MB');
  const note = await uploads.begin({ ...wishes, bytes: 6 * MB });
  // Room that is promised to one is not promised to another.
  await expect(uploads.begin({ ...wishes, bytes: 4 * MB })).rejects.toThrow('no room');
  async function* bytes(count: number) {
    for (let at = 0; at < count; at += MB) yield Buffer.alloc(MB, at / MB);
  }
  disk.fill(2.5 * MB);
  await expect(uploads.append(note, 0, bytes(6 * MB))).rejects.toMatchObject({ code: 'DISK_FULL' });
  const here = uploads.size(note);
  expect(here).toBeGreaterThanOrEqual(2 * MB);
  disk.free();
  expect(await uploads.append(note, here, bytes(MB))).toBe(here + MB);
});
