import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findFfmpeg } from '../../ffmpeg/find.ts';
import { fpsModeArgs } from '../../ffmpeg/master.ts';
import { type Grabber, type GrabOptions, grabArgs, grabberFor } from './args.ts';

const OPTIONS: GrabOptions = {
  rect: { x: 1930, y: -20, width: 641, height: 479 },
  displayOrigin: { x: 1920, y: -30 },
  source: ':0',
  fps: 30,
  output: '/rec/screen.mkv',
  ffmpeg: { major: 6, minor: 1 },
};
const FILTERS =
  'settb=1/1000000,showinfo@tick=checksum=0,format=gbrp,pad=652:480:8:0,mpdecimate=hi=0:lo=0:frac=0:max=30,' +
  'crop=641:479:8:0:exact=1,showinfo@kept=checksum=0,setpts=PTS-STARTPTS';
const HEAD = ['-hide_banner', '-nostats', '-loglevel', 'info', '-y', '-copyts'];
const TAIL = [
  ...['-fps_mode', 'passthrough', '-enc_time_base', '1:1000000', '-c:v', 'libx264rgb', '-preset', 'ultrafast'],
  ...['-qp', '0', '-tune', 'zerolatency', '-g', '30', '-f', 'matroska', '-cluster_time_limit', '100'],
  ...['-flush_packets', '1', '/rec/screen.mkv'],
];

test('Linux: x11grab of the rectangle without the cursor, lossless, every frame at its own time', () => {
  expect(grabArgs('x11grab', OPTIONS)).toEqual([
    ...HEAD,
    ...['-probesize', '32', '-analyzeduration', '0'],
    ...['-f', 'x11grab', '-draw_mouse', '0', '-framerate', '30', '-video_size', '641x479'],
    ...['-grab_x', '1930', '-grab_y', '-20', '-i', ':0', '-an', '-vf', FILTERS],
    ...TAIL,
  ]);
});

test('Windows before ffmpeg 6: gdigrab, offsets on the virtual desktop', () => {
  expect(grabArgs('gdigrab', OPTIONS)).toEqual([
    ...HEAD,
    ...['-f', 'gdigrab', '-draw_mouse', '0', '-framerate', '30', '-video_size', '641x479'],
    ...['-offset_x', '1930', '-offset_y', '-20', '-i', 'desktop', '-an', '-vf', FILTERS],
    ...TAIL,
  ]);
});

test('Windows: ddagrab of one output, offsets on the display, changed frames only', () => {
  expect(grabArgs('ddagrab', { ...OPTIONS, source: '1' })).toEqual([
    ...HEAD,
    ...['-f', 'lavfi', '-i'],
    'ddagrab=output_idx=1:framerate=30:draw_mouse=0:offset_x=10:offset_y=10:video_size=641x479:dup_frames=0,hwdownload,format=bgra',
    ...['-an', '-vf', FILTERS],
    ...TAIL,
  ]);
});

test('macOS: avfoundation of a whole screen, cropped', () => {
  const args = grabArgs('avfoundation', { ...OPTIONS, source: 'Capture screen 0' });
  expect(args.slice(HEAD.length, -TAIL.length)).toEqual([
    ...['-f', 'avfoundation', '-capture_cursor', '0', '-capture_mouse_clicks', '0', '-framerate', '30'],
    ...['-pixel_format', 'bgr0', '-i', 'Capture screen 0:none', '-an', '-vf'],
    FILTERS.replace('format=gbrp', 'crop=641:479:10:10:exact=1,format=gbrp'),
  ]);
});

test('no grabber draws the cursor (V1)', () => {
  const grabbers: Grabber[] = ['x11grab', 'gdigrab', 'ddagrab', 'avfoundation'];
  for (const grabber of grabbers) {
    expect(grabArgs(grabber, OPTIONS).join(' ')).toMatch(/draw_mouse[= ]0|capture_cursor 0/);
  }
});

test('-fps_mode from 5.1 on, -vsync before', () => {
  expect(fpsModeArgs({ major: 5, minor: 0 })).toEqual(['-vsync', 'passthrough']);
  expect(fpsModeArgs({ major: 4, minor: 4 })).toEqual(['-vsync', 'passthrough']);
  expect(fpsModeArgs({ major: 5, minor: 1 })).toEqual(['-fps_mode', 'passthrough']);
  expect(fpsModeArgs({ major: 8, minor: 0 })).toEqual(['-fps_mode', 'passthrough']);
});

test('ddagrab needs ffmpeg 6 that was built with it', () => {
  const dda = new Set(['ddagrab']);
  expect(grabberFor('win32', { major: 6, filters: dda })).toBe('ddagrab');
  expect(grabberFor('win32', { major: 7, filters: new Set<string>() })).toBe('gdigrab');
  expect(grabberFor('win32', { major: 5, filters: dda })).toBe('gdigrab');
  expect(grabberFor('darwin', { major: 7, filters: dda })).toBe('avfoundation');
  expect(grabberFor('linux', { major: 7, filters: dda })).toBe('x11grab');
  expect(grabberFor('aix', { major: 7, filters: dda })).toBeNull();
});

/** Frames that the recorder's own decimating filters keep of raw RGB pictures. */
async function kept(width: number, height: number, pictures: Buffer[]): Promise<number> {
  const { path } = await findFfmpeg();
  const args = grabArgs('x11grab', { ...OPTIONS, rect: { x: 0, y: 0, width, height }, fps: 1_000_000 });
  const filters = args[args.indexOf('-vf') + 1]!;
  const out = execFileSync(
    path,
    [
      ...[
        '-loglevel',
        'error',
        '-f',
        'rawvideo',
        '-pix_fmt',
        'rgb24',
        '-s',
        `${width}x${height}`,
        '-r',
        '30',
        '-i',
        '-',
      ],
      ...['-vf', filters, '-fps_mode', 'passthrough', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'],
    ],
    { input: Buffer.concat(pictures), maxBuffer: 1 << 28 },
  );
  return out.length / (width * height * 3);
}

test.each([
  [23, 14],
  [8, 8],
  [9, 5],
])('a change of 1 in one colour of any pixel of a %ix%i picture keeps the frame', async (width, height) => {
  const blank = Buffer.alloc(width * height * 3);
  const pictures = [blank];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const touched = Buffer.from(blank);
    touched[pixel * 3 + (pixel % 3)] = 1;
    pictures.push(touched, blank);
  }
  expect(await kept(width, height, pictures)).toBe(pictures.length);
});

test('identical frames are dropped', async () => {
  const grey = Buffer.alloc(23 * 14 * 3, 0x80);
  const white = Buffer.alloc(23 * 14 * 3, 0xff);
  expect(await kept(23, 14, [grey, grey, grey, white, white, grey, grey])).toBe(3);
});
