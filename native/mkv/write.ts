/**
 * Just enough Matroska to hand raw pictures with their own times to ffmpeg through a pipe (V2): rawvideo alone has no
 * timestamps, and the time at which ffmpeg happens to read is not the time at which the screen was read.
 * Element ids from RFC 9559.
 */

function size(n: number): number[] {
  // Eight-byte form of an EBML size: simple, and large enough for any picture.
  const high = Math.floor(n / 2 ** 32);
  return [
    0x01,
    (high >> 16) & 0xff,
    (high >> 8) & 0xff,
    high & 0xff,
    (n >>> 24) & 0xff,
    (n >>> 16) & 0xff,
    (n >>> 8) & 0xff,
    n & 0xff,
  ];
}
const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

function element(id: number[], payload: number[]): number[] {
  return [...id, ...size(payload.length), ...payload];
}
function uint(id: number[], value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.unshift(rest & 0xff);
    rest = Math.floor(rest / 256);
  } while (rest > 0);
  return element(id, bytes);
}
function text(id: number[], value: string): number[] {
  return element(id, [...Buffer.from(value, 'latin1')]);
}

/** The head of a stream of raw BGR0 pictures of `width` x `height`, times in milliseconds. */
export function rawHead(width: number, height: number): Buffer {
  const ebml = element(
    [0x1a, 0x45, 0xdf, 0xa3],
    [
      ...uint([0x42, 0x86], 1),
      ...uint([0x42, 0xf7], 1),
      ...uint([0x42, 0xf2], 4),
      ...uint([0x42, 0xf3], 8),
      ...text([0x42, 0x82], 'matroska'),
      ...uint([0x42, 0x87], 4),
      ...uint([0x42, 0x85], 2),
    ],
  );
  const info = element(
    [0x15, 0x49, 0xa9, 0x66],
    [
      ...uint([0x2a, 0xd7, 0xb1], 1_000_000),
      ...text([0x4d, 0x80], 'trajectory-studio'),
      ...text([0x57, 0x41], 'trajectory-studio'),
    ],
  );
  const video = element(
    [0xe0],
    [
      ...uint([0xb0], width),
      ...uint([0xba], height),
      ...element([0x2e, 0xb5, 0x24], [...Buffer.from('BGR\0', 'latin1')]),
    ],
  );
  const track = element(
    [0xae],
    [
      ...uint([0xd7], 1),
      ...uint([0x73, 0xc5], 1),
      ...uint([0x83], 1),
      ...uint([0x9c], 0),
      ...text([0x86], 'V_UNCOMPRESSED'),
      ...video,
    ],
  );
  const tracks = element([0x16, 0x54, 0xae, 0x6b], track);
  return Buffer.from([...ebml, 0x18, 0x53, 0x80, 0x67, ...UNKNOWN_SIZE, ...info, ...tracks]);
}

/** The bytes before one picture's pixels: a cluster of its own with one block, at `pts` milliseconds. */
export function rawFrameHead(pts: number, bytes: number): Buffer {
  const timestamp = uint([0xe7], pts);
  const block = [0xa3, ...size(bytes + 4), 0x81, 0, 0, 0x80];
  return Buffer.from([
    0x1f,
    0x43,
    0xb6,
    0x75,
    ...size(timestamp.length + block.length + bytes),
    ...timestamp,
    ...block,
  ]);
}
