import { StudioError } from '../../schemas/errors.ts';
import { libc } from '../memory/libc.ts';
import { memory } from '../memory/memory.ts';
import type { Picture } from './picture.ts';

const IPC_CREAT_PRIVATE = 0o1600;
const IPC_RMID = 0;

/** Memory that processes can share, by its number. Throws NO_LIBRARY where the kernel gives none. */
export function newSegment(bytes: number): number {
  const id = libc().shmget(0, bytes, IPC_CREAT_PRIVATE);
  if (id >= 0) return id;
  throw new StudioError(
    'NO_LIBRARY',
    `The kernel gave no shared memory of ${bytes} bytes (kernel.shmmax, kernel.shmall). Free some with ipcrm or raise the limits.`,
    { bytes },
  );
}

/** Marked for removal: the segment goes with the last process that has it attached, also after kill -9. */
export function removeSegment(id: number): void {
  libc().shmctl(id, IPC_RMID, null);
}

/** A picture in this process's own memory, whose address stays where it is. Throws NO_LIBRARY as `newSegment`. */
export function createOwnPicture(width: number, height: number): Picture {
  const bytes = width * height * 4;
  const id = newSegment(bytes);
  const pointer = libc().shmat(id, null, 0);
  removeSegment(id);
  return { width, height, bytes, pointer };
}
export function freeOwnPicture({ pointer }: Picture): void {
  libc().shmdt(pointer);
}
export const OWN_PICTURES = { make: createOwnPicture, free: freeOwnPicture };

/** Copies a rectangle of `from`, rows of `stride` pixels, into the whole of `target`. It must lie inside `from`. */
export function copyInto(target: Picture, from: Uint8Array, stride: number, at: { x: number; y: number }): void {
  const rowBytes = target.width * 4;
  const start = (at.y * stride + at.x) * 4;
  if (target.width === stride) {
    memory().memcpyIn(target.pointer, from.subarray(start, start + target.bytes), target.bytes);
    return;
  }
  for (let row = 0; row < target.height; row++) {
    const offset = start + row * stride * 4;
    memory().memcpyIn(target.pointer + BigInt(row * rowBytes), from.subarray(offset, offset + rowBytes), rowBytes);
  }
}
