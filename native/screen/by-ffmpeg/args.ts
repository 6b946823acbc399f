import type { Rect } from '../../../schemas/events.ts';
import { screenInput } from '../../ffmpeg/input.ts';
import { fpsModeArgs } from '../../ffmpeg/master.ts';

/** ffmpeg's screen grabbers: Linux, Windows (two), macOS. */
export type Grabber = 'x11grab' | 'gdigrab' | 'ddagrab' | 'avfoundation';

export type GrabOptions = {
  /** The captured rectangle, physical px of the virtual desktop. */
  rect: Rect;
  /** Top left of the display that the rectangle is on, physical px of the virtual desktop. */
  displayOrigin: { x: number; y: number };
  /** X display (`:0`), DXGI output index (`0`), or avfoundation screen (`Capture screen 0`); gdigrab needs none. */
  source: string;
  fps: number;
  /** Master segment to write; null: to the standard output, a cluster a picture. */
  output: string | null;
  ffmpeg: { major: number; minor: number };
};

/**
 * The grabber for an OS: ddagrab (changed frames only, V2) where ffmpeg 6 has it, else gdigrab.
 * `source` rejects what ffmpeg cannot grab with null.
 */
export function grabberFor(
  platform: NodeJS.Platform,
  ffmpeg: { major: number; filters: ReadonlySet<string> },
): Grabber | null {
  if (platform === 'linux') return 'x11grab';
  if (platform === 'darwin') return 'avfoundation';
  if (platform !== 'win32') return null;
  return ffmpeg.major >= 6 && ffmpeg.filters.has('ddagrab') ? 'ddagrab' : 'gdigrab';
}

/** The grabber's own arguments: what is read, without the cursor (V1). */
function inputArgs(grabber: Grabber, { rect, displayOrigin, source, fps }: GrabOptions): string[] {
  const size = `${rect.width}x${rect.height}`;
  const onDisplay = { x: rect.x - displayOrigin.x, y: rect.y - displayOrigin.y };
  switch (grabber) {
    case 'x11grab':
      return [
        // Its format is known: looking at frames first would hold the start back by 160 ms (measured).
        ...['-probesize', '32', '-analyzeduration', '0'],
        ...screenInput(
          grabber,
          [
            ...['-draw_mouse', '0', '-framerate', `${fps}`, '-video_size', size],
            ...['-grab_x', `${rect.x}`, '-grab_y', `${rect.y}`],
          ],
          source,
        ),
      ];
    case 'gdigrab':
      return screenInput(
        grabber,
        [
          ...['-draw_mouse', '0', '-framerate', `${fps}`, '-video_size', size],
          ...['-offset_x', `${rect.x}`, '-offset_y', `${rect.y}`],
        ],
        'desktop',
      );
    case 'ddagrab': {
      // dup_frames=0: Desktop Duplication gives a frame only when something changed.
      const options = [
        `output_idx=${source}`,
        `framerate=${fps}`,
        'draw_mouse=0',
        `offset_x=${onDisplay.x}`,
        `offset_y=${onDisplay.y}`,
        `video_size=${size}`,
        'dup_frames=0',
      ];
      return screenInput('lavfi', [], `ddagrab=${options.join(':')},hwdownload,format=bgra`);
    }
    case 'avfoundation':
      return screenInput(
        grabber,
        [
          ...['-capture_cursor', '0', '-capture_mouse_clicks', '0', '-framerate', `${fps}`],
          ...['-pixel_format', 'bgr0'],
        ],
        `${source}:none`,
      );
  }
}

/**
 * Frames that equal the one before are dropped, exactly: with hi = lo = frac = 0 a block that differs by 1 keeps a frame.
 * mpdecimate compares 8x8 blocks every 4 px, but from column 8 on and only whole blocks (vf_mpdecimate.c, diff_planes):
 * without the padding it misses 178 of 322 single-pixel changes of a 23x14 picture, with it none (args.test.ts).
 * It takes planar formats only; RGB to planar RGB and back loses nothing.
 * `max`: one frame about every second is kept all the same, so that a crash loses no more than that (V4).
 */
function decimate({ rect, fps }: GrabOptions): string[] {
  const { width, height } = rect;
  const up = (value: number): number => Math.max(8, Math.ceil(value / 4) * 4);
  return [
    'format=gbrp',
    `pad=${up(width) + 8}:${up(height)}:8:0`,
    `mpdecimate=hi=0:lo=0:frac=0:max=${Math.max(1, Math.round(fps))}`,
    `crop=${width}:${height}:8:0:exact=1`,
  ];
}

/** Names of the two showinfo filters, whose lines tell every grab and every kept frame with its time (C3). */
export const TICK = 'showinfo@tick';
export const KEPT = 'showinfo@kept';

/**
 * The whole command line of a recording without the program's name: a rectangle of the screen into one lossless segment
 * (V1, V2, V4). `-copyts` leaves the grabber's own stamps on the frames up to the showinfo lines; the file starts at 0.
 */
export function grabArgs(grabber: Grabber, options: GrabOptions): string[] {
  const { rect, displayOrigin, ffmpeg, fps, output } = options;
  // avfoundation gives the whole display.
  const cut =
    grabber === 'avfoundation'
      ? [`crop=${rect.width}:${rect.height}:${rect.x - displayOrigin.x}:${rect.y - displayOrigin.y}:exact=1`]
      : [];
  const filters = [
    'settb=1/1000000',
    `${TICK}=checksum=0`,
    ...cut,
    ...decimate(options),
    `${KEPT}=checksum=0`,
    'setpts=PTS-STARTPTS',
  ];
  return [
    ...['-hide_banner', '-nostats', '-loglevel', 'info', '-y', '-copyts'],
    ...inputArgs(grabber, options),
    ...['-an', '-vf', filters.join(',')],
    ...fpsModeArgs(ffmpeg),
    ...[
      '-enc_time_base',
      '1:1000000',
      '-c:v',
      'libx264rgb',
      '-preset',
      'ultrafast',
      '-qp',
      '0',
      '-tune',
      'zerolatency',
    ],
    // A key frame at least every second of full-rate motion: keyframes are cut from here (V3).
    ...['-g', `${Math.max(1, Math.round(fps))}`],
    // Short clusters, written out at once (V4).
    ...['-f', 'matroska', '-cluster_time_limit', output === null ? '0' : '100', '-flush_packets', '1'],
    output ?? 'pipe:1',
  ];
}
