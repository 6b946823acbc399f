/**
 * ffmpeg's arguments for the lossless master (V1, V2, V4), fed with raw pictures on its standard input.
 *
 * libx264rgb takes the screen's pixels as they are (no conversion to 4:2:0). On a scrolling full HD screen the plain
 * ultrafast preset costs a third more time and twice the bytes than the same without motion search beyond the diamond,
 * without sub-pixel search and without partitions: text that scrolls by whole pixels needs none of them.
 * `zerolatency` keeps no picture back, so that a picture is in the file before the next one arrives.
 */
export function masterArgs(
  file: string,
  fpsMode: readonly string[],
  size: { width: number; height: number },
): string[] {
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
    // The stream's head says all there is to know: no probing, which would hold pictures back. Times stay as they are.
    ...['-copyts', '-probesize', '32', '-analyzeduration', '0', '-f', 'matroska', '-i', 'pipe:0'],
    ...['-map', '0:v:0', '-an', ...fpsMode],
    ...['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-tune', 'zerolatency', '-qp', '0', '-g', String(MASTER_GOP)],
    ...['-x264-params', `me=dia:subme=0:partitions=none:scenecut=0:no-deblock=1:threads=${encoderThreads(size)}`],
    ...['-f', 'matroska', '-cluster_time_limit', '100', '-flush_packets', '1', file],
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
export function encoderThreads({ width, height }: { width: number; height: number }): number {
  return Math.min(8, Math.max(2, Math.round((width * height) / 2 ** 20)));
}
