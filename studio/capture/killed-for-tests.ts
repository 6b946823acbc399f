import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { writePictureMaster } from '../../native/ffmpeg/picture-master.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Recording } from '../../schemas/recording.ts';
import { writeRecording } from '../store/recording-folder.ts';
import { sampleRecording } from '../store/recording-for-tests.ts';

/** Small, real, and as a kill leaves it: two segments of real pictures with a pause between them, not closed. */
export type KilledRecording = { folder: string; frames: Frame[]; events: RawEvent[] };

const SIZES = [
  { width: 48, height: 32 },
  { width: 40, height: 24 },
];
/** Times of the pictures in their segment, ms. */
const PTS = [
  [0, 41, 74, 107, 250, 501, 10_501, 10_540],
  [0, 33, 67, 390, 423],
];
/** When each segment began, µs. */
const ZERO = [1_000_000, 13_000_000];

export async function writeKilled(folder: string, changes: Partial<Recording> = {}): Promise<KilledRecording> {
  mkdirSync(join(folder, 'keyframes'), { recursive: true });
  const frames: Frame[] = [];
  const ffmpeg = await findFfmpeg();
  for (const [seg, times] of PTS.entries()) {
    const size = SIZES[seg]!;
    async function* pictures() {
      for (const pts of times) yield { pts, bgr0: Buffer.alloc(size.width * size.height * 4, 20 + (pts % 200)) };
    }
    await writePictureMaster(ffmpeg, join(folder, seg === 0 ? 'screen.mkv' : `screen-${seg}.mkv`), size, pictures());
    for (const pts of times) {
      const frame: Frame = { i: frames.length, pts, t: ZERO[seg]! + pts * 1000 + ((pts * 7) % 400) };
      if (frames.length > 0) frame.seen = frame.t - 9000;
      if (frames.length > 0) frame.changed = 30;
      if (seg > 0) frame.seg = seg;
      frames.push(frame);
    }
  }
  const events = eventsOf();
  writeRecording(
    folder,
    sampleRecording({
      state: 'recording',
      span: null,
      segments: [],
      sync: null,
      verdict: null,
      counts: { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0, events: 0 },
      ...changes,
    }),
  );
  writeLines(join(folder, 'events.jsonl'), events);
  writeLines(join(folder, 'frames.jsonl'), frames);
  writeLines(join(folder, 'windows.jsonl'), [{ t: 0, title: 'A', app: 'a', pid: 1, id: '1', bounds: null }]);
  return { folder, frames, events };
}

export function writeLines(file: string, lines: readonly unknown[]): void {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function eventsOf(): RawEvent[] {
  const display = { id: 1, name: 'display 1', x: 0, y: 0, width: 48, height: 32, scale: 1, primary: true };
  return [
    { t: 900_000, type: 'displays', displays: [display] },
    { t: 950_000, type: 'pause', reason: 'sync' },
    { t: ZERO[0]!, type: 'view', view: { x: 0, y: 0, ...SIZES[0]! }, segment: 0 },
    { t: 1_030_000, type: 'resume', reason: 'sync' },
    { t: 1_050_000, type: 'move', x: 5, y: 6 },
    { t: 1_060_000, type: 'down', x: 5, y: 6, button: 'left' },
    { t: 1_070_000, type: 'up', x: 5, y: 6, button: 'left' },
    { t: 11_800_000, type: 'pause', reason: 'privacy' },
    { t: 12_900_000, type: 'resume', reason: 'privacy' },
    { t: ZERO[1]!, type: 'view', view: { x: 4, y: 4, ...SIZES[1]! }, segment: 1 },
    { t: 13_100_000, type: 'keydown', code: 'KeyA' },
    { t: 13_150_000, type: 'keyup', code: 'KeyA' },
  ] as RawEvent[]; // Read back by the schema's own shape in every test.
}
