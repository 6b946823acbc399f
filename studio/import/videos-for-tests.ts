import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../../core/evaluate/random.ts';
import type { DucktrackEvent } from '../../schemas/import.ts';

/** Videos and foreign recordings for tests, made with the ffmpeg of the PATH. */

export const SCREEN = { width: 320, height: 180 };

/** A square of 24 px at (x, y) from `t` on (seconds of the video). */
type Square = { t: number; x: number; y: number };

/** Grey pictures, 30 a second, coded as other tools do it: H.264, B-frames, 4:2:0. The square is in the first frame at or after its time. */
export function squareVideo(
  file: string,
  seconds: number,
  squares: readonly Square[],
  more: readonly string[] = [],
): void {
  const { width, height } = SCREEN;
  const frames: Buffer[] = [];
  for (let at = 0; at < seconds * 30; at++) {
    const picture = Buffer.alloc(width * height, 40);
    const square = squares.findLast(({ t }) => t <= at / 30 + 1e-9);
    if (square) {
      for (let y = Math.max(0, square.y - 12); y < Math.min(height, square.y + 12); y++) {
        picture.fill(220, y * width + Math.max(0, square.x - 12), y * width + Math.min(width, square.x + 12));
      }
    }
    frames.push(picture);
  }
  const input = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    '-video_size',
    `${width}x${height}`,
    '-framerate',
    '30',
    '-i',
    'pipe:0',
  ];
  const coding = file.endsWith('.webm')
    ? ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '1M']
    : ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-g', '60', '-pix_fmt', 'yuv420p'];
  const args = ['-v', 'error', '-y', ...input, ...coding, ...more, file];
  const { status, stderr } = spawnSync('ffmpeg', args, { input: Buffer.concat(frames), maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr.toString()}`);
}

const TOLD = 150_160.871470625;

type FakeRecording = {
  /** Seconds from the recorder's word for the video's start to the video's real one. */
  offset: number;
  kind: 'ducktrack' | 'agentnet';
  /** The screen in points; the video is SCREEN. */
  points?: { width: number; height: number };
  /** Seconds of recorded time at which it was paused, and for how long. */
  pause?: { at: number; length: number };
  /** False: the clicks do nothing. */
  answers?: boolean;
  clicks?: number;
  /** True: Cmd+Alt+T at the end, as a person stops AgentNet's tool on a Mac. */
  stopped?: boolean;
};

/** A folder as DuckTrack or AgentNet writes it: clicks and a little typing; a square moves at each click. */
export function fakeRecording(folder: string, fake: FakeRecording): { start: number; clicks: number } {
  const { offset, kind, points = SCREEN, pause, answers = true, clicks = 16 } = fake;
  mkdirSync(folder, { recursive: true });
  const random = randomFrom(Math.round(offset * 1000) + 17);
  const start = TOLD + offset;
  const events: DucktrackEvent[] = [];
  const squares: Square[] = [];
  const videoTime = (t: number): number => (pause && t > start + pause.at ? t - start - pause.length : t - start);
  let t = start + 0.7;
  let paused = false;
  for (let at = 0; at < clicks; at++) {
    t += 0.45 + random() * 0.5;
    if (pause && !paused && t > start + pause.at - 0.3) {
      paused = true;
      events.push(
        { time_stamp: start + pause.at, action: 'pause' },
        { time_stamp: start + pause.at + pause.length, action: 'resume' },
      );
      t = start + pause.at + pause.length + 0.4 + random() * 0.3;
    }
    const [x, y] = [20 + random() * (SCREEN.width - 40), 20 + random() * (SCREEN.height - 40)];
    const place = { x: (x * points.width) / SCREEN.width, y: (y * points.height) / SCREEN.height };
    events.push({ time_stamp: t - 0.1 - random() * 0.3, action: 'move', ...place });
    events.push({ time_stamp: t, action: 'click', ...place, button: 'left', pressed: true });
    events.push({ time_stamp: t + 0.06, action: 'click', ...place, button: 'left', pressed: false });
    if (answers) squares.push({ t: videoTime(t), x: Math.round(x), y: Math.round(y) });
  }
  for (const [i, name] of ['shift', 'H', 'i'].entries()) {
    events.push({ time_stamp: t + 1 + i / 10, action: 'press', name, pynput_key: `'${name}'` });
  }
  for (const [i, name] of ['H', 'shift', 'i'].entries())
    events.push({ time_stamp: t + 1.5 + i / 10, action: 'release', name });
  if (fake.stopped) {
    for (const [i, name] of ['cmd', 'alt', '†'].entries())
      events.push({ time_stamp: t + 2 + i / 10, action: 'press', name });
    events.push({ time_stamp: t + 2.4, action: 'release', name: 'alt' });
  }
  const lines = events.map((event, index) => (kind === 'agentnet' ? { ...event, event_idx: index } : event));
  writeFileSync(join(folder, 'events.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const timings = { OBS_WEBSOCKET_OUTPUT_STARTING: [TOLD - 0.0065], OBS_WEBSOCKET_OUTPUT_STARTED: [TOLD] };
  const metadata = {
    system: 'Darwin',
    release: '23.0.0',
    machine: 'arm64',
    screen_width: points.width,
    screen_height: points.height,
    scroll_direction: -1,
    start_time: '2023-10-20 17:19:53',
    obs_record_state_timings: timings,
    ...(kind === 'agentnet' && { video_start_timestamp: TOLD }),
  };
  writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadata, null, 4));
  squareVideo(
    join(folder, kind === 'agentnet' ? 'video.mp4' : '2023-10-20 17-19-53.mp4'),
    Math.ceil(videoTime(t) + 2.5),
    squares,
  );
  if (kind === 'ducktrack') writeFileSync(join(folder, 'README.md'), 'Move the square\naround\n');
  else {
    const line = (value: unknown) => `${JSON.stringify(value)}\n`;
    const top = (at: number, name: string) => line({ time_stamp: start + at, top_window_name: name });
    writeFileSync(join(folder, 'top_window.jsonl'), top(0.5, 'Finder') + top(1, 'Squares'));
    writeFileSync(
      join(folder, 'task_name.json'),
      JSON.stringify({ task_name: 'Move the square', description: 'All around' }),
    );
    const tree = { AXTitle: 'Square', AXRole: 'AXButton', AXFrame: { x: 10, y: 10, w: 48, h: 48 } };
    writeFileSync(join(folder, 'element.jsonl'), line({ time_stamp: t, a11y_tree: tree }));
  }
  return { start, clicks };
}
