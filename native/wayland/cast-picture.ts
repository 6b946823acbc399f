import { memory, type Pointer } from '../memory/memory.ts';
import { createOwnPicture, freeOwnPicture } from '../screen/own-picture.ts';
import type { Picture } from '../screen/picture.ts';
import type { CastFormat } from './cast-params.ts';
import type { CastPicture } from './pipewire.ts';

/** The screen's last picture, in the memory that it came in: copied only where it is recorded. */
export type StandingPicture = CastFormat & {
  data: Pointer;
  stride: number;
  /** Gives the memory back. */
  release(): void;
  /** The same in memory of our own, where its own is about to go. */
  keep(): StandingPicture;
};

/** Null where the memory cannot hold what was agreed on; it is given back then. */
export function standingPicture(
  { data, stride, size }: Pick<CastPicture, 'data' | 'stride' | 'size'>,
  format: CastFormat,
  release: () => void,
): StandingPicture | null {
  const { width, height } = format;
  if (stride < width * 4 || stride * (height - 1) + width * 4 > size) {
    release();
    return null;
  }
  return {
    ...format,
    data,
    stride,
    release,
    keep() {
      const own = createOwnPicture(width, height);
      copyRows(own, data, stride, width * 4);
      const done = () => freeOwnPicture(own);
      const kept: StandingPicture = {
        ...format,
        data: own.pointer,
        stride: width * 4,
        release: done,
        keep: () => kept,
      };
      return kept;
    },
  };
}

/** Copies the part at (x, y) that is as large as `target`, as BGRx. It must lie inside of the picture. */
export function copyPart(target: Picture, from: StandingPicture, { x, y }: { x: number; y: number }): void {
  copyRows(target, from.data + BigInt(y * from.stride + x * 4), from.stride, target.width * 4);
  if (from.redFirst) swapRedAndBlue(target);
}

function copyRows(target: Picture, from: Pointer, stride: number, rowBytes: number): void {
  const { memcpy } = memory();
  if (stride === rowBytes) {
    memcpy(target.pointer, from, target.bytes);
    return;
  }
  for (let row = 0; row < target.height; row++)
    memcpy(target.pointer + BigInt(row * rowBytes), from + BigInt(row * stride), rowBytes);
}

/** Few compositors give red first: that costs a pass over the pixels. */
function swapRedAndBlue(target: Picture): void {
  const bytes = new Uint8Array(target.bytes);
  const { memcpyIn, memcpyOut } = memory();
  memcpyOut(bytes, target.pointer, target.bytes);
  for (let at = 0; at + 3 < bytes.length; at += 4) {
    const red = bytes[at] ?? 0;
    bytes[at] = bytes[at + 2] ?? 0;
    bytes[at + 2] = red;
  }
  memcpyIn(target.pointer, bytes, target.bytes);
}
