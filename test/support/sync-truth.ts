import path from 'node:path';
import { colourOf, type Paint, syncError } from './paints.ts';
import { decode, readFrames, readRecording, sessionUs } from './recordings.ts';

/** Judges a recording's times by what the truth painter logged, through the files alone (capture.md, “sync error”). */

export type Judged = {
  paint: Paint;
  frame: number | null /** µs, signed; null: the colour is in no frame. */;
  error: number | null;
};

/** `at`: a place inside the painter's window, px of the picture. The recording has one segment. */
export async function judge(folder: string, paints: readonly Paint[], at: { x: number; y: number }): Promise<Judged[]> {
  const recording = readRecording(folder);
  const frames = readFrames(folder);
  const colours: number[] = [];
  const file = path.join(folder, recording.segments[0]?.file ?? 'screen.mkv');
  await decode(file, { x: at.x, y: at.y, width: 2, height: 2 }, (rgb) => colours.push(rgb.readUIntBE(0, 3)));
  if (colours.length !== frames.length)
    throw new Error(`${colours.length} frames decode, frames.jsonl has ${frames.length}`);
  // Colours repeat after 256 paints, so each is looked for after the one before it.
  let from = 0;
  return paints.map((paint) => {
    const index = colours.indexOf(colourOf(paint.n), from);
    const frame = frames[index];
    if (index < 0 || !frame) return { paint, frame: null, error: null };
    from = index;
    const before = sessionUs(recording, paint.before);
    const after = sessionUs(recording, paint.after);
    return { paint, frame: index, error: syncError({ before, after }, frame.seen ?? null, frame.t) };
  });
}

export type SyncSummary = {
  paints: number;
  found: number;
  exact: number;
  maxErrorUs: number;
  medianUs: number;
  worst: number[];
};

export function summarize(judged: readonly Judged[]): SyncSummary {
  const errors = judged.map(({ error }) => error).filter((error) => error !== null);
  const sorted = errors.toSorted((a, b) => a - b);
  return {
    paints: judged.length,
    found: errors.length,
    exact: errors.filter((error) => error === 0).length,
    maxErrorUs: Math.max(0, ...errors.map(Math.abs)),
    medianUs: sorted[sorted.length >> 1] ?? 0,
    worst: sorted.filter((error) => error !== 0).slice(0, 10),
  };
}
