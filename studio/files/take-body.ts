import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../../schemas/errors.ts';
import { diskRoom } from './folder.ts';

/** Left free on the disk, so that recordings and the database can still be written. */
const KEEP_FREE = 256 * 1024 ** 2;
/** The room is looked at after so many bytes again: several may be on their way. */
const LOOK_BYTES = 32 * 1024 ** 2;

type Taking = {
  /** The largest that is taken, bytes, and what is said of a larger one. */
  most: number;
  tooLarge: StudioError;
  signal?: AbortSignal | undefined;
  /** Bytes that are free where it is written. */
  free?(folder: string): Promise<number>;
};

/**
 * Writes what comes into a new file and on the disk; gives how many bytes that were. Throws `tooLarge`, DISK_FULL, what `signal`
 * says; nothing of it is left then.
 */
export async function takeBody(body: AsyncIterable<Uint8Array>, to: string, taking: Taking): Promise<number> {
  const { most, tooLarge, signal, free = async (folder) => (await diskRoom(folder)).free } = taking;
  let bytes = 0;
  let looked = Number.NEGATIVE_INFINITY;
  async function* bounded(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > most) throw tooLarge;
      if (bytes - looked > LOOK_BYTES) {
        looked = bytes;
        if ((await free(dirname(to))) - chunk.length < KEEP_FREE)
          throw new StudioError('DISK_FULL', 'The disk has no room for this file. Free some space and try again.');
      }
      yield chunk;
    }
  }
  try {
    await pipeline(bounded, createWriteStream(to, { flags: 'wx', flush: true }), signal ? { signal } : {});
    return bytes;
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}
