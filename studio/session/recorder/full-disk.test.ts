import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { writeKilled } from '../../capture/killed-for-tests.ts';
import type { CaptureOrder } from '../../capture/protocol.ts';
import { recoverRecording } from '../../capture/recover.ts';
import { startRecording } from '../../capture/start.ts';
import { openFolder } from '../../recordings/closed.ts';
import { cutFrames, cutKeyframes } from '../../recordings/cut.ts';
import { makePlaybackCopy, wantPlaybackCopy, wantsPlaybackCopy } from '../../recordings/playback.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { type SmallDisk, smallDisk } from '../../store/small-disk-for-tests.ts';
import { type OpenWorkspace, openSession } from '../open-workspace.ts';
import { prepare } from './prepare.ts';

/** Recording, and the work that follows, while the disk is full. A disk of its own can be mounted by root alone. */

const folders = temporaryFolders();
let disk: SmallDisk | null = null;
let open: OpenWorkspace;
let folder = '';

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('on a full disk', () => {
  beforeAll(async () => {
    const place = join(folders.make(), 'small');
    disk = smallDisk(place, 200 * 2 ** 20);
    if (!disk) throw new Error('root could not mount a disk of its own');
    open = await openSession(place, { create: true });
    folder = join(open.workspace.recordingsDir, 'r1');
    await writeKilled(folder, { id: 'r1' });
    await recoverRecording(folder);
  });
  afterAll(async () => {
    await open?.close();
    disk?.remove();
    folders.clean();
  });

  test('a capture process whose folder takes no file is ended, and the folder is gone', () => {
    const order = { id: 'never-begun-2f6c', folder: join(open.workspace.recordingsDir, 'never-begun-2f6c') };
    disk?.fill();
    expect(() => startRecording(order as CaptureOrder, () => undefined)).toThrow(
      expect.objectContaining({ code: 'ENOSPC' }),
    ); // No more of the order is looked at before.
    disk?.free();
    expect(existsSync(order.folder)).toBe(false);
    const running = globSync('/proc/[0-9]*/cmdline').filter((file) => readsOf(file).includes(order.id));
    expect(running.filter((file) => !/\) [ZX] /.test(readsOf(file.replace('cmdline', 'stat'))))).toEqual([]);
  });

  test('stills that cannot be written are one error, with nothing left, and are cut when there is room', async () => {
    const ffmpeg = await findFfmpeg();
    const closed = openFolder(folder);
    // One that fails while nobody waits for it would end the process: vitest reports it.
    const nowhere = ({ t }: { t: number }) => join(folder, 'gone', `${t}.png`);
    // A decoder that takes its time, as between two steps that are far apart in the master.
    const slow = join(open.workspace.dir, 'slow-ffmpeg');
    writeFileSync(slow, `#!/bin/sh\n'${ffmpeg.path}' "$@"\nsleep 0.3\n`, { mode: 0o755 });
    const cut = cutFrames(folder, closed.meta.segments, [closed.frameAt(0)!], nowhere, { ...ffmpeg, path: slow });
    await expect(cut).rejects.toThrow();
    disk?.fill();
    await expect(cutKeyframes(folder, ffmpeg)).rejects.toThrow();
    disk?.free();
    const { keyframes } = await cutKeyframes(folder, ffmpeg);
    const left = readdirSync(join(folder, 'keyframes')).filter((name) => !/^(\d+\.png|index\.json)$/.test(name));
    expect([keyframes.keyframes.length > 1, left]).toEqual([true, []]);
  });

  test('a playback copy that finds no room stays wanted', async () => {
    const ffmpeg = await findFfmpeg();
    wantPlaybackCopy(folder);
    disk?.fill();
    expect(await makePlaybackCopy(folder, ffmpeg, () => undefined)).toMatchObject({ code: 'DISK_FULL' });
    disk?.free();
    expect(wantsPlaybackCopy(folder)).toBe(true);
  });

  test('what could not be prepared is a failed job, and is done by itself when there is room', async () => {
    const prepared = async () => (await open.jobs.list()).filter(({ kind }) => kind === 'prepare');
    // The job is noted first; then nothing more fits.
    const hold = Promise.withResolvers<null>();
    await open.jobs.add('hold', 'test', () => hold.promise);
    const { id } = await prepare(open, 'r1', folder);
    disk?.fill();
    hold.resolve(null);
    expect(await open.jobs.finished(id)).toMatchObject({ state: 'failed', error: { code: 'DISK_FULL' } });
    disk?.free();
    await expect
      .poll(async () => (await prepared()).map(({ state }) => state), { timeout: 60_000 })
      .toEqual(['done', 'failed']);
    expect(existsSync(join(folder, 'screen.mp4'))).toBe(true);
    expect(wantsPlaybackCopy(folder)).toBe(false);
  });
});

/** A process may be gone by now. */
function readsOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
