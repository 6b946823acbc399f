/**
 * ffmpeg's arguments for the lossless master (V1, V2, V4), fed with raw pictures on its standard input.
 *
 * `calm`: libx264rgb takes the screen's pixels as they are and writes a small change in a few bytes. Diamond search, no
 * sub-pixel search and no partitions: text that scrolls by whole pixels needs none of them. `zerolatency` keeps no
 * picture back, so that a picture is in the file before the next one arrives.
 *
 * `busy`: while everything keeps moving (a video, a long scroll) prediction from the picture before finds nothing, and
 * x264 then spends more time and four times the bytes of a codec that does not try: Ut Video, each picture by itself.
 */
export type MasterCodec = 'calm' | 'busy';

export function masterArgs(
  file: string,
  fpsMode: readonly string[],
  size: { width: number; height: number },
  codec: MasterCodec = 'calm',
): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
    // The stream's head says all there is to know: no probing, which would hold pictures back. Times stay as they are.
    ...['-copyts', '-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'],
    ...['-map', '0:v:0', '-an', ...fpsMode],
    ...(codec === 'calm' ? calmArgs(size) : ['-c:v', BUSY_ENCODER, '-pix_fmt', 'gbrp', '-pred', 'left']),
    ...['-f', 'matroska', '-cluster_time_limit', '100', '-flush_packets', '1', file],
  ];
}

/** ffmpeg's name of the codec for busy screens; a build without it goes on with the other. */
export const BUSY_ENCODER = 'utvideo';

function calmArgs(size: { width: number; height: number }): string[] {
  const tuning = 'me=dia:subme=0:partitions=none:scenecut=0:no-deblock=1';
  return [
    ...['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-tune', 'zerolatency', '-qp', '0', '-g', String(MASTER_GOP)],
    ...['-x264-params', `${tuning}:threads=${encoderThreads(size)}`],
  ];
}

/** Pictures from one key frame to the next at most: what must be decoded to reach a frame. */
export const MASTER_GOP = 120;

/** How this ffmpeg is told to keep each picture's own time (the old name is gone in version 7, the new one came in 5.1). */
export function fpsModeArgs(version: { major: number; minor: number }): string[] {
  const modern = version.major > 5 || (version.major === 5 && version.minor >= 1);
  return modern ? ['-fps_mode', 'passthrough'] : ['-vsync', 'passthrough'];
}

/** A slice for each megapixel, at least two: more only cost more, and fewer do not keep up with a scrolling screen. */
function encoderThreads({ width, height }: { width: number; height: number }): number {
  return Math.min(8, Math.max(2, Math.round((width * height) / 2 ** 20)));
}
