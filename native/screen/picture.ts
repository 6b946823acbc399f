import type { RgbImage } from '../../schemas/picture.ts';
import { memory, type Pointer } from '../memory/memory.ts';

/** One screen picture in memory: 4 bytes a pixel, blue green red unused (depth 24 or 32). */
export type Picture = { width: number; height: number; bytes: number; pointer: Pointer };

/** True when the two pictures are the same in every byte. */
export function samePicture(a: Picture, b: Picture): boolean {
  return memory().memcmp(a.pointer, b.pointer, a.bytes) === 0;
}

/** True when every pixel is black. */
export function isBlack(target: Picture, scratch: Uint8Array): boolean {
  memory().memcpyOut(scratch, target.pointer, 4);
  if (scratch[0] !== 0 || scratch[1] !== 0 || scratch[2] !== 0) return false;
  return memory().memcmp(target.pointer, target.pointer + 4n, target.bytes - 4) === 0;
}

/** Rows are sampled in areas larger than this, px. */
const SAMPLE_ABOVE = 262_144;
const COARSE = 16;
const FINE = 4;
/** A coarse sample that says more than this share is far from any threshold, and good enough. */
const CLEARLY = 0.02;

/**
 * Pixels that differ inside `rows` of the two pictures. In large areas every 16th row is looked at first, and every
 * fourth when that finds little: counting all of a full HD screen would cost 4 ms a frame.
 */
export function countChanged(a: Picture, b: Picture, rows: { from: number; to: number }, scratch: DiffScratch): number {
  const from = Math.max(0, rows.from);
  const to = Math.min(a.height, rows.to);
  const area = (to - from) * a.width;
  if (area <= SAMPLE_ABOVE) return countRows(a, b, from, to, 1, scratch);
  const coarse = countRows(a, b, from, to, COARSE, scratch) * COARSE;
  return coarse > area * CLEARLY ? coarse : countRows(a, b, from, to, FINE, scratch) * FINE;
}

function countRows(a: Picture, b: Picture, from: number, to: number, step: number, scratch: DiffScratch): number {
  const { width } = a;
  const { bytesA, bytesB, pixelsA, pixelsB } = scratch;
  const c = memory();
  const rowBytes = width * 4;
  let changed = 0;
  for (let row = from; row < to; row += step) {
    const offset = BigInt(row * rowBytes);
    if (c.memcmp(a.pointer + offset, b.pointer + offset, rowBytes) === 0) continue;
    c.memcpyOut(bytesA, a.pointer + offset, rowBytes);
    c.memcpyOut(bytesB, b.pointer + offset, rowBytes);
    for (let i = 0; i < width; i++) if (pixelsA[i] !== pixelsB[i]) changed++;
  }
  return changed;
}

type DiffScratch = { bytesA: Uint8Array; bytesB: Uint8Array; pixelsA: Uint32Array; pixelsB: Uint32Array };
export function diffScratch(width: number): DiffScratch {
  const bytesA = new Uint8Array(width * 4);
  const bytesB = new Uint8Array(width * 4);
  return { bytesA, bytesB, pixelsA: new Uint32Array(bytesA.buffer), pixelsB: new Uint32Array(bytesB.buffer) };
}

/** Copies a picture of the screen into JavaScript's memory. */
export function toRgb({ pointer, width, height, bytes }: Picture): RgbImage {
  const bgrx = new Uint8Array(bytes);
  memory().memcpyOut(bgrx, pointer, bytes);
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < bytes; from += 4, to += 3) {
    rgb[to] = bgrx[from + 2] ?? 0;
    rgb[to + 1] = bgrx[from + 1] ?? 0;
    rgb[to + 2] = bgrx[from] ?? 0;
  }
  return { width, height, rgb };
}
