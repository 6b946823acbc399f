import { flags, fraction, id, int, object, oneOf, range, readObject, rectangle } from './pod.ts';

/** The request for a screen cast and its answer, as PipeWire's parameters (spa/param/video, spa/param/buffers.h). */
const OBJECT = { format: 0x40003, buffers: 0x40004, meta: 0x40005 } as const;
export const PARAM = { enumFormat: 3, format: 4, buffers: 5, meta: 6 } as const;
const FORMAT = {
  mediaType: 1,
  mediaSubtype: 2,
  videoFormat: 0x20001,
  size: 0x20003,
  framerate: 0x20004,
  maxFramerate: 0x20005,
} as const;
const VIDEO = 2;
const RAW = 1;
/** Eight bits a channel, in the order of the bytes; the fourth byte says nothing. */
const PIXELS = { RGBx: 7, BGRx: 8, RGBA: 11, BGRA: 12 } as const;
/** Memory that can be mapped; pictures in a graphics card's own memory could not be read without it. */
const MEM_PTR = 1 << 1;
const MEM_FD = 1 << 2;
export const META = { header: 1, crop: 2, damage: 3, cursor: 5 } as const;
/** spa_meta_header, spa_meta_region, and spa_meta_cursor without its picture, which nobody wants. */
export const META_BYTES = { header: 32, crop: 16, region: 16, cursor: 28 } as const;
const MOST_REGIONS = 16;
/** The cursor's picture comes in the same piece, and a producer that finds no room for it leaves the cursor out. */
const CURSOR_PICTURE = 20 + 1024 * 1024 * 4;

/** The formats that can be taken, at most `fps` pictures a second. */
export function wantedFormat(fps: number): Buffer {
  const { RGBx, BGRx, RGBA, BGRA } = PIXELS;
  return object(OBJECT.format, PARAM.enumFormat, [
    [FORMAT.mediaType, id(VIDEO)],
    [FORMAT.mediaSubtype, id(RAW)],
    [FORMAT.videoFormat, oneOf(id(BGRx), id(BGRA), id(RGBx), id(RGBA))],
    [FORMAT.size, range(rectangle(1280, 720), rectangle(1, 1), rectangle(16_384, 16_384))],
    // 0/1: a picture whenever something changed.
    [FORMAT.framerate, range(fraction(0, 1), fraction(0, 1), fraction(1000, 1))],
    [FORMAT.maxFramerate, range(fraction(fps, 1), fraction(1, 1), fraction(fps, 1))],
  ]);
}

/** The metadata of each picture, and the kinds of memory. */
export function wantedBuffers(): Buffer[] {
  const meta = (type: number, size: ReturnType<typeof int>) =>
    object(OBJECT.meta, PARAM.meta, [
      [1, id(type)],
      [2, size],
    ]);
  const { header, crop, region, cursor } = META_BYTES;
  return [
    object(OBJECT.buffers, PARAM.buffers, [
      [1, range(int(8), int(3), int(16))],
      [6, flags(MEM_PTR | MEM_FD)],
    ]),
    meta(META.header, int(header)),
    meta(META.crop, int(crop)),
    meta(META.damage, range(int(region * MOST_REGIONS), int(region), int(region * MOST_REGIONS))),
    meta(META.cursor, range(int(cursor + 20 + 64 * 64 * 4), int(cursor + 20 + 4), int(cursor + CURSOR_PICTURE))),
  ];
}

export type CastFormat = { width: number; height: number; redFirst: boolean };

/** The format that was agreed on; null where it is none of ours. */
export function agreedFormat(bytes: Buffer): CastFormat | null {
  const { properties } = readObject(bytes);
  const [width = 0, height = 0] = properties.get(FORMAT.size) ?? [];
  const [pixels] = properties.get(FORMAT.videoFormat) ?? [];
  if (width < 1 || height < 1 || width > 16_384 || height > 16_384) return null;
  if (pixels === PIXELS.BGRx || pixels === PIXELS.BGRA) return { width, height, redFirst: false };
  if (pixels === PIXELS.RGBx || pixels === PIXELS.RGBA) return { width, height, redFirst: true };
  return null;
}
