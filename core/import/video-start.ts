/**
 * When a video began, found in its own pictures: what a person does changes the screen, so each input names the moments at
 * which the video may have begun, and most inputs agree on one (C3: a recorder's word for it may be 283 ms off).
 */

/** An input that should show. `t` µs on the recorder's clock. `place`: px of the picture; null for a key. */
export type Impulse = { t: number; kind: 'pointer' | 'input'; place: { x: number; y: number } | null };

/**
 * How the pictures change: `times` of the frames in the video, µs, ascending; `cells`, frame after frame, how much of each
 * cell of a grid changed against the frame before (0 to 255).
 */
export type ChangeGrid = {
  times: readonly number[];
  cells: Uint8Array;
  columns: number;
  rows: number;
  /** Picture, px. */
  width: number;
  height: number;
};

export type VideoStart =
  | {
      known: true;
      /** The recorder's clock when the video's time was 0, µs. */
      startUs: number;
      /** ± µs: how far the inputs disagree, at least half a frame. */
      errorUs: number;
      /** Inputs that agree with it, of all that were looked at. */
      agree: number;
      of: number;
      /** `pointer`: by the pointer's own movement in the picture; `input`: by what clicks and keys did. */
      by: Impulse['kind'];
      /** How much later than the pointer what clicks and keys do is seen, µs; null when only one of the two is known. */
      answerUs: number | null;
    }
  | { known: false; why: string };

/** µs. One bin of the votes; a frame that stands so long before a change makes it an onset; the width of a peak. */
const BIN = 1000;
const QUIET = 90_000;
const PEAK = 150_000;
/** A peak stands out of the rest by so many standard deviations, is so much higher than the next, and so many inputs made it. */
const SIGNIFICANT = 5;
const APART = 1.25;
const LEAST = 4;
/** More are not needed, and cost time. Spread over the whole recording. */
const MOST_IMPULSES = 2000;

/**
 * Looks for the start between `range.from` and `range.to` (µs on the recorder's clock). The pointer's movement is trusted
 * more than what clicks and keys do: an application takes its time to answer, the pointer does not.
 */
export function findVideoStart(
  impulses: readonly Impulse[],
  grid: ChangeGrid,
  range: { from: number; to: number },
): VideoStart {
  if (grid.times.length < 2) return { known: false, why: 'the video has fewer than two pictures' };
  if (impulses.length === 0) return { known: false, why: 'nothing was clicked or typed, and the pointer did not rest' };
  const onsets = onsetsOf(grid);
  const families = (['pointer', 'input'] as const).map((kind) => {
    const own = thinned(impulses.filter((impulse) => impulse.kind === kind));
    return { kind, own, peak: own.length < LEAST ? null : peakOf(own, onsets, grid, range) };
  });
  const [pointer, input] = families.map(({ peak }) => peak);
  const best = pointer ?? input;
  if (!best) {
    const counts = families.map(
      ({ kind, own }) => `${own.length} ${kind === 'pointer' ? 'pointer movements' : 'inputs'}`,
    );
    return { known: false, why: `the pictures change at no common distance from the ${counts.join(' and ')}` };
  }
  const answerUs = pointer && input ? Math.round(pointer.startUs - input.startUs) : null;
  return { known: true, ...best, by: pointer ? 'pointer' : 'input', answerUs };
}

type Onsets = { all: number[]; cells: (cell: number) => number[] };

/** Frames at which something changed after quiet: anywhere, and in each cell with its neighbours. */
function onsetsOf(grid: ChangeGrid): Onsets {
  const { times, cells, columns, rows } = grid;
  const size = columns * rows;
  const known = new Map<number, number[]>();
  const onsets = (changed: (frame: number) => boolean): number[] => {
    const found: number[] = [];
    let last = Number.NEGATIVE_INFINITY;
    for (let frame = 1; frame < times.length; frame++) {
      if (!changed(frame)) continue;
      if (times[frame]! - last >= QUIET) found.push(frame);
      last = times[frame]!;
    }
    return found;
  };
  const anywhere = (frame: number): boolean => {
    for (let at = frame * size; at < (frame + 1) * size; at++) if (cells[at]! > 0) return true;
    return false;
  };
  const around = (cell: number) => (frame: number) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
        if (cells[frame * size + y * columns + x]! > 0) return true;
      }
    }
    return false;
  };
  return {
    all: onsets(anywhere),
    cells(cell) {
      const list = known.get(cell) ?? onsets(around(cell));
      known.set(cell, list);
      return list;
    },
  };
}

function thinned(impulses: readonly Impulse[]): Impulse[] {
  if (impulses.length <= MOST_IMPULSES) return [...impulses];
  const step = impulses.length / MOST_IMPULSES;
  return Array.from({ length: MOST_IMPULSES }, (_, index) => impulses[Math.floor(index * step)]!);
}

/** The frames at which an impulse may have shown: where it happened; for a key, or a place outside, anywhere. */
function candidates({ place }: Impulse, onsets: Onsets, { width, height, columns, rows }: ChangeGrid): number[] {
  if (place === null || place.x < 0 || place.y < 0 || place.x >= width || place.y >= height) return onsets.all;
  const column = Math.floor((place.x / width) * columns);
  const row = Math.floor((place.y / height) * rows);
  return onsets.cells(row * columns + column);
}

type Peak = { startUs: number; errorUs: number; agree: number; of: number };

/**
 * A change that frame k shows first was made in (time of k - 1, time of k]. If the input at `t` made it, the video began in
 * [t - time of k, t - time of k - 1): each pair of an input and an onset votes for that stretch.
 */
function peakOf(
  impulses: readonly Impulse[],
  onsets: Onsets,
  grid: ChangeGrid,
  { from, to }: { from: number; to: number },
): Peak | null {
  const bins = Math.max(1, Math.ceil((to - from) / BIN)) + 1;
  const steps = new Float64Array(bins + 1);
  const spans: { low: number; high: number; impulse: number }[] = [];
  for (const [index, impulse] of impulses.entries()) {
    for (const frame of candidates(impulse, onsets, grid)) {
      const low = impulse.t - grid.times[frame]!;
      const high = impulse.t - grid.times[frame - 1]!;
      if (high <= from || low >= to || high - low > PEAK) continue;
      spans.push({ low, high, impulse: index });
      const first = Math.max(0, Math.floor((low - from) / BIN));
      const last = Math.min(bins, Math.ceil((high - from) / BIN));
      steps[first]! += 1;
      steps[last]! -= 1;
    }
  }
  const votes = new Float64Array(bins);
  let sum = 0;
  for (let bin = 0; bin < bins; bin++) {
    sum += steps[bin]!;
    votes[bin] = sum;
  }
  const top = highest(votes);
  if (!standsOut(votes, top)) return null;
  return measured(votes, top, spans, impulses.length, grid, from);
}

function highest(votes: Float64Array): number {
  let best = 0;
  for (let bin = 1; bin < votes.length; bin++) if (votes[bin]! > votes[best]!) best = bin;
  return best;
}

function standsOut(votes: Float64Array, top: number): boolean {
  const near = PEAK / BIN;
  let [count, sum, squares, next] = [0, 0, 0, 0];
  for (let bin = 0; bin < votes.length; bin++) {
    if (Math.abs(bin - top) <= near) continue;
    const vote = votes[bin]!;
    count++;
    sum += vote;
    squares += vote * vote;
    next = Math.max(next, vote);
  }
  const peak = votes[top]!;
  const mean = count === 0 ? 0 : sum / count;
  const deviation = count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean));
  return peak >= LEAST && peak >= APART * next && peak - mean >= SIGNIFICANT * Math.max(deviation, 0.2);
}

function measured(
  votes: Float64Array,
  top: number,
  spans: readonly { low: number; high: number; impulse: number }[],
  of: number,
  { times }: ChangeGrid,
  from: number,
): Peak {
  let [low, high] = [top, top];
  while (low > 0 && votes[low - 1]! >= votes[top]! - 0.5) low--;
  while (high + 1 < votes.length && votes[high + 1]! >= votes[top]! - 0.5) high++;
  const startUs = Math.round(from + ((low + high + 1) / 2) * BIN);
  const halfPlateau = ((high - low + 1) / 2) * BIN;
  // How far each input's nearest stretch lies from it.
  const distances = new Map<number, number>();
  for (const { low: a, high: b, impulse } of spans) {
    const distance = startUs < a ? a - startUs : Math.max(0, startUs - b);
    if (distance <= PEAK)
      distances.set(impulse, Math.min(distance, distances.get(impulse) ?? Number.POSITIVE_INFINITY));
  }
  const sorted = [...distances.values()].sort((a, b) => a - b);
  const spread = sorted[Math.floor(sorted.length * 0.8)] ?? 0;
  const halfFrame = (times.at(-1)! - times[0]!) / (times.length - 1) / 2;
  return { startUs, errorUs: Math.round(Math.max(halfPlateau, spread, halfFrame)), agree: sorted.length, of };
}

/** Where the pointer starts to move after a rest, and what is pressed, turned or typed: what findVideoStart looks at. */
export function impulsesOf(
  events: Iterable<{ type: string; t: number; x?: number; y?: number }>,
  toPlace: (x: number, y: number) => { x: number; y: number } = (x, y) => ({ x, y }),
): Impulse[] {
  const impulses: Impulse[] = [];
  let moved = Number.NEGATIVE_INFINITY;
  let acted = Number.NEGATIVE_INFINITY;
  for (const { type, t, x, y } of events) {
    const place = x === undefined || y === undefined ? null : toPlace(x, y);
    if (type === 'move') {
      // The effect of a click on the screen must not be taken for the pointer.
      if (t - moved >= REST && t - acted >= REST) impulses.push({ t, kind: 'pointer', place });
      moved = t;
    } else if (type === 'down' || type === 'keydown' || type === 'wheel') {
      // The same the other way round: a movement that a click follows at once would be seen by what the click does.
      const last = impulses.at(-1);
      if (last?.kind === 'pointer' && t - last.t < REST) impulses.pop();
      // A run of keys or wheel turns shows by its first: later ones fall into the changes of earlier ones.
      if (t - acted >= QUIET) impulses.push({ t, kind: 'input', place: type === 'keydown' ? null : place });
      acted = t;
    }
  }
  return impulses;
}

const REST = 300_000;
