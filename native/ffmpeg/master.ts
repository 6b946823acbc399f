import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pipeInput } from './input.ts';

/**
 * Encoders that keep every pixel, the best first. Many builds of ffmpeg have no x264 (Fedora's own, LGPL builds): with the
 * others a recording is as exact, but larger, since each picture stands by itself.
 */
const LOSSLESS = ['libx264rgb', 'utvideo', 'ffv1', 'png'] as const;
type Lossless = (typeof LOSSLESS)[number];

/** The encoder for calm screens that this ffmpeg has; null where it has none that keeps every pixel. */
export function calmEncoder(encoders: ReadonlySet<string>): Lossless | null {
  return LOSSLESS.find((name) => encoders.has(name)) ?? null;
}

type MasterWish = {
  codec?: MasterCodec;
  /** `calmEncoder` of the ffmpeg that is used. */
  encoder?: Lossless | undefined;
  /** The pipe to read from, where it is not the standard input. */
  pipe?: string | undefined;
};

/**
 * ffmpeg's arguments for the lossless master (V1, V2, V4), fed with raw pictures on its standard input.
 *
 * `calm`: libx264rgb takes the screen's pixels as they are and writes a small change in a few bytes. No sub-pixel search and
 * no partitions: text that scrolls by whole pixels needs none of them. `zerolatency` keeps no
 * picture back, so that a picture is in the file before the next one arrives.
 *
 * `busy`: where pictures are new each time (a terminal that prints, a video), prediction from the picture before finds
 * nothing, and x264 then spends more time and up to four times the bytes of a codec that does not try: Huffyuv, each
 * picture by itself. native/screen/motion.ts decides.
 */
export type MasterCodec = 'calm' | 'busy';

export function masterArgs(
  file: string,
  fpsMode: readonly string[],
  size: { width: number; height: number },
  { codec = 'calm', encoder = 'libx264rgb', pipe }: MasterWish = {},
): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
    // The stream's head says all there is to know: no probing, which would hold pictures back. Times stay as they are.
    ...pipeInput(['-copyts', '-probesize', '32', '-analyzeduration', '0'], pipe),
    ...['-map', '0:v:0', '-an', ...fpsMode],
    ...(codec === 'busy' ? HUFFYUV : calmArgs(encoder, size)),
    // Checksums of some megabytes a picture cost time, and no reader of ours looks at them.
    ...['-f', 'matroska', '-write_crc32', '0', '-cluster_time_limit', '100', '-flush_packets', '1', file],
  ];
}

/**
 * Environment of the encoder of raw pictures: memory in large pages where the C library can (glibc 2.35).
 * Each picture is a new piece of up to 33 MB, and the system clears it page by page.
 */
export function largePages(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  if (process.platform !== 'linux') return {};
  const set = env.GLIBC_TUNABLES ? `${env.GLIBC_TUNABLES}:` : '';
  return { GLIBC_TUNABLES: `${set}glibc.malloc.hugetlb=1` };
}

/** ffmpeg's name of the codec for busy screens; a build without it goes on with the other. */
export const BUSY_ENCODER = 'huffyuv';

const UTVIDEO = ['-c:v', 'utvideo', '-pix_fmt', 'gbrp', '-pred', 'left'];

/**
 * How often a pixel differs by so much from the one to its left, for each of the four planes that ffmpeg knows: codes are chosen by
 * it once, not anew for each picture. On screens most do not differ, which ffmpeg's own table gives two bits and this one gives one.
 * The file's name ends as `-passlogfile` wants it.
 */
const SCREENS = fileURLToPath(new URL('../../assets/encoder/screens-0.log', import.meta.url)).replace(/-0\.log$/, '');
const HUFFYUV = [
  ...['-c:v', BUSY_ENCODER, '-pix_fmt', 'rgb24', '-pred', 'left'],
  ...['-pass', '2', '-passlogfile', SCREENS],
];

function calmArgs(encoder: Lossless, size: { width: number; height: number }): string[] {
  if (encoder === 'utvideo') return UTVIDEO;
  if (encoder === 'ffv1') return ['-c:v', 'ffv1', '-level', '3', '-g', '1', '-slices', '4', '-pix_fmt', 'bgr0'];
  // Its fastest: what it saves by trying harder costs more time than a picture has.
  if (encoder === 'png') return ['-c:v', 'png', '-pix_fmt', 'rgb24', '-compression_level', '1', '-pred', 'sub'];
  const tuning = `${searchOf(size)}:subme=0:partitions=none:scenecut=0:no-deblock=1`;
  return [
    ...['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-tune', 'zerolatency', '-qp', '0', '-g', String(MASTER_GOP)],
    ...['-x264-params', `${tuning}:threads=${encoderThreads(size)}`],
  ];
}

/**
 * How x264 looks for what moved. A page scrolls by some dozens of pixels from one picture to the next, which the quickest
 * search only finds by luck; the uneven cross finds it, and then writes a tenth and takes half the time. It costs nothing
 * where nothing moves, and more where all is new, which is why the largest screens, with no time left, go without it.
 */
function searchOf({ width, height }: { width: number; height: number }): string {
  return width * height > LARGE ? 'me=dia' : 'me=umh:merange=48';
}
const LARGE = 4 * 2 ** 20;

/** Pictures from one key frame to the next at most: what must be decoded to reach a frame. */
export const MASTER_GOP = 120;

/** How this ffmpeg is told to keep each picture's own time (the old name is gone in version 7, the new one came in 5.1). */
export function fpsModeArgs(version: { major: number; minor: number }): string[] {
  const modern = version.major > 5 || (version.major === 5 && version.minor >= 1);
  return modern ? ['-fps_mode', 'passthrough'] : ['-vsync', 'passthrough'];
}

/**
 * A slice for each megapixel, at least two, since fewer do not keep up with a scrolling screen; at most one a
 * core, since more only cost more.
 */
function encoderThreads({ width, height }: { width: number; height: number }): number {
  const megapixels = Math.round((width * height) / 2 ** 20);
  return Math.max(2, Math.min(8, availableParallelism(), megapixels));
}
