import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { folderBlobs } from '../files/blobs/folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { serveBlob } from './serve-file.ts';

const folders = temporaryFolders();
afterEach(() => folders.clean());

/** Whether this process has a file open. Linux. */
const isOpen = (file: string): boolean =>
  readdirSync('/proc/self/fd').some((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === file;
    } catch {
      return false; // It was closed meanwhile.
    }
  });

test.runIf(process.platform === 'linux')(
  'a file is closed when its browser goes away before it has read the answer',
  async () => {
    const root = folders.make();
    const file = join(root, 'film');
    writeFileSync(file, Buffer.alloc(8 << 20));
    const gone = new AbortController();
    const request = new Request('http://127.0.0.1/film', { signal: gone.signal });
    const answer = await serveBlob(request, folderBlobs(root), 'film', { type: 'video/mp4', cache: 'no-store' });
    expect([answer.status, isOpen(file)]).toEqual([200, true]);
    gone.abort();
    await expect.poll(() => isOpen(file)).toBe(false);
    // Half of it never looks like the whole.
    await expect(answer.arrayBuffer()).rejects.toThrow(/abort/i);
  },
);
