import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StudioError } from '../../schemas/errors.ts';

/**
 * Nothing that comes from outside is read in more than linear time or without a bound on memory. A reader is given the
 * same kind of hostile input in growing sizes; its growth is judged, never a time: a slow or loaded machine is slow for
 * all sizes.
 */
export type HostileReader = {
  /** Whose reading it is and of what: "events.jsonl: one line without an end". */
  name: string;
  /** Makes input of about `n` parts; `place` is a new, empty folder for those who read files. Not measured. */
  make(n: number, place: string): unknown;
  /** Reads it. A StudioError is an answer; any other error is a defect of the reader. */
  read(input: unknown): unknown;
  /** Where the sizes begin and end, in parts: 32 and 200,000. Smaller where a part is large or costs much. */
  from?: number;
  upTo?: number;
};

/** An entry of the table. The type of the input stays between `make` and `read`. */
export function hostile<T>(
  name: string,
  make: (n: number, place: string) => T,
  read: (input: T) => unknown,
  sizes: { from?: number; upTo?: number } = {},
): HostileReader {
  return { name, make, read: (input) => read(input as T), ...sizes }; // The value that `make` of the same entry gave.
}

/** Below this a time says nothing, ms of this thread's work. */
const FLOOR_MS = 4;
const TICK_MS = 4;
/** Eight times the input may cost 16 times the work: n log n passes, n * n would cost 64 times. */
const STEP = 8;
const MOST_GROWTH = 16;
/** A disturbed measurement is repeated, unless it is far beyond what a disturbance can do. */
const TRIES = 4;
const HOPELESS = 100;
/**
 * The memory that reading may hold at its peak: a start, and this many times its input. A decoded bomb is thousands of times
 * as large.
 */
const MEMORY_FLOOR = 160e6;
const MEMORY_PER_BYTE = 64;

export type Growth = {
  problem: string | null;
  parts: number;
  ms: [small: number, large: number];
  peakMb: number | null;
};

/** Reads `n` and `8 n` parts, where `n` is the first size that takes measurable work. `newPlace`: gives new, empty folders. */
export async function judgeGrowth(reader: HostileReader, newPlace: () => string): Promise<Growth> {
  const most = reader.upTo ?? 200_000;
  const inputOf = (parts: number): unknown => reader.make(parts, newPlace());
  let parts = Math.min(reader.from ?? 32, Math.ceil(most / STEP));
  let base = 0;
  let cost = 0;
  let grows = true;
  let large: unknown;
  const measure = async (): Promise<void> => {
    const small = inputOf(parts);
    large = inputOf(parts * STEP);
    grows = true;
    for (let attempt = 0; attempt < TRIES && grows; attempt++) {
      cost = await workOf(() => readWell(reader, large));
      // After the large one: code that has just been compiled is fast for both.
      base = await leastWorkOf(reader, small);
      grows = cost > MOST_GROWTH * Math.max(base, FLOOR_MS);
      if (cost > HOPELESS * Math.max(base, FLOOR_MS)) break;
    }
  };
  const canGrow = (): boolean => parts * STEP * 2 <= most;
  while (canGrow() && (await leastWorkOf(reader, inputOf(parts))) < FLOOR_MS) parts *= 2;
  await measure();
  // Doubling warms the code up, so that a size which took long enough may no longer do so.
  while (!grows && base < FLOOR_MS && canGrow()) {
    parts *= 2;
    await measure();
  }
  const judged = (problem: string | null, peakMb: number | null = null): Growth => ({
    problem,
    parts,
    ms: [base, cost],
    peakMb,
  });
  if (grows && cost <= HOPELESS * Math.max(base, FLOOR_MS)) {
    const half = inputOf((parts * STEP) / 2);
    const measured = async (input: unknown): Promise<number> =>
      Math.max(FLOOR_MS, await workOf(() => readWell(reader, input)));
    grows = await growsAtTheTop(measured, half, large);
  }
  if (grows) {
    return judged(
      `${STEP} times as much (${parts * STEP} parts) takes ${(cost / Math.max(base, FLOOR_MS)).toFixed(0)} times the work: ${cost.toFixed(0)} ms after ${base.toFixed(1)} ms`,
    );
  }
  const peak = await peakOf(reader, large);
  const allowed = MEMORY_FLOOR + MEMORY_PER_BYTE * bytesOf(large);
  if (peak !== null && peak > allowed) {
    return judged(
      `holds ${(peak / 1e6).toFixed(0)} MB for an input of ${(bytesOf(large) / 1e6).toFixed(2)} MB; ${(allowed / 1e6).toFixed(0)} MB are allowed`,
    );
  }
  return judged(null, peak === null ? null : peak / 1e6);
}

/**
 * How many times as much twice the input may cost, where `step` times may cost `most` times: what a sum of n and n * n that
 * just passes costs between the half and the whole of the large input.
 */
function mostAtDouble(step: number, most: number): number {
  const squared = (most - step) / (step * step - step);
  const half = step / 2;
  return most / ((1 - squared) * half + squared * half * half);
}

/**
 * Whether work that grew too much also does so between the half and the whole of the large input. Work that outgrows the
 * processor's caches, needs fresh memory or begins to collect garbage somewhere between the small and the large input is dearer
 * from there on, and many times dearer on a machine whose memory is shared; but from there on twice as much costs twice as
 * much again, and n * n costs four times.
 */
async function growsAtTheTop<T>(
  measure: (input: T) => Promise<number>,
  half: T,
  whole: T,
  [step, most] = [STEP, MOST_GROWTH],
): Promise<boolean> {
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    less = Math.min(less, await measure(half));
    more = Math.min(more, await measure(whole));
  }
  return more > mostAtDouble(step, most) * less;
}

/**
 * The processor time of this thread alone: what else runs on the machine does not count. Kernels count a thread's work in
 * ticks, so a short run is told by the clock on the wall, which is never less.
 */
async function workOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.min(performance.now() - began, (user + system) / 1000 + TICK_MS);
}

/** The better of two runs: a collection of garbage or a compiler at work is in one of them. */
async function leastWorkOf(reader: HostileReader, input: unknown): Promise<number> {
  const work = () => readWell(reader, input);
  return Math.min(await workOf(work), await workOf(work));
}

/** Work that is too short for the clock is repeated for this long, ms. */
const ENOUGH_MS = 20;

/** The work of one call of something that is no reader and needs no growing input, ms. The best of three. */
export async function cost(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    let [runs, used] = [0, 0];
    while (used < ENOUGH_MS) {
      // Whole repetitions are measured together: a tick of the clock is as long as many of them.
      const count = Math.max(1, runs);
      used += await workOf(async () => {
        for (let n = 0; n < count; n++) await work();
      });
      runs += count;
    }
    times.push(used / runs);
  }
  return Math.min(...times);
}

/**
 * Null when `step` times as much costs at most `most` times as much, else what it costs. `workOf` makes the work of so many
 * parts, which is not measured.
 */
export async function growthProblem(
  workOf: (parts: number) => () => unknown,
  { parts, step, most }: { parts: number; step: number; most: number },
): Promise<string | null> {
  const [small, half, large] = [workOf(parts), workOf((parts * step) / 2), workOf(parts * step)];
  // Code that has just been compiled is fast for both.
  await small();
  await large();
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > most; attempt++) {
    least = Math.min(least, (await cost(large)) / (await cost(small)));
    if (least > HOPELESS) break;
  }
  if (least <= most) return null;
  if (least <= HOPELESS && !(await growsAtTheTop(cost, half, large, [step, most]))) return null;
  return `${step} times as much (${parts * step} parts) costs ${least.toFixed(1)} times as much; ${most} times are allowed`;
}

async function readWell(reader: HostileReader, input: unknown): Promise<void> {
  try {
    await reader.read(input);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
  }
}

/** A text or bytes as they are; a file or a folder's file by its path. */
function bytesOf(input: unknown): number {
  if (Buffer.isBuffer(input)) return input.length;
  if (typeof input !== 'string') return lengthOf(input);
  if (input.length < 4000 && input.startsWith('/')) return statSync(input, { throwIfNoEntry: false })?.size ?? 0;
  return input.length;
}

function lengthOf(input: unknown): number {
  try {
    return JSON.stringify(input)?.length ?? 0;
  } catch {
    return 0; // Too deep to be written down: only the start of what is allowed counts.
  }
}

/** How far the process's memory rises above what it holds now; null where the system does not tell (Linux does). */
async function peakOf(reader: HostileReader, input: unknown): Promise<number | null> {
  // Memory that earlier runs left would hide what this one takes.
  collectGarbage();
  if (!resetPeak()) return null;
  const before = memory('VmRSS');
  await readWell(reader, input);
  return memory('VmHWM') - before;
}

const collectGarbage: () => void = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // Node's own, which the flag gives.
})();

function resetPeak(): boolean {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    return false;
  }
}

function memory(field: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(found?.[1] ?? 0) * 1024;
}
