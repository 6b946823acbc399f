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
/** The small size is run so often at once that a tick makes it no dearer than it is: a square would look like less. */
const TOGETHER = 4;
/** Eight times the input may cost 16 times the work: n log n passes, n * n would cost 64 times. */
const STEP = 8;
const MOST_GROWTH = 16;
/** A disturbed measurement is repeated, unless it is twice far beyond what a disturbance can do. */
const TRIES = 4;
const HOPELESS = 100;
/** So often all sizes take their turn where the growth of each doubling is looked at. */
const ROUNDS = 4;
const LEAST_ROUNDS = 3;
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
    [base, cost] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let attempt = 0; attempt < TRIES && grows; attempt++) {
      cost = Math.min(cost, await workOf(() => readWell(reader, large)));
      // After the large one: code that has just been compiled is fast for both.
      base = Math.min(base, await leastWorkOf(reader, small, TOGETHER));
      grows = cost > MOST_GROWTH * Math.max(base, FLOOR_MS);
      // The first large one may load code that was never needed before.
      if (attempt > 0 && cost > HOPELESS * Math.max(base, FLOOR_MS)) break;
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
  let between = '';
  if (grows && cost <= HOPELESS * Math.max(base, FLOOR_MS)) {
    const inputs = doublings(parts, STEP).map((size) => (size === parts * STEP ? large : inputOf(size)));
    const measured = async (input: unknown, times: number): Promise<number> => {
      const used = await workOf(async () => {
        for (let n = 0; n < times; n++) await readWell(reader, input);
      });
      return Math.max(FLOOR_MS, used);
    };
    const found = await steepness(measured, inputs, [STEP, MOST_GROWTH]);
    grows = found.isSteep;
    between = `; at each doubling ${inWords(found)} ms`;
  }
  if (grows) {
    return judged(
      `${STEP} times as much (${parts * STEP} parts) takes ${(cost / Math.max(base, FLOOR_MS)).toFixed(0)} times the work: ${cost.toFixed(0)} ms after ${base.toFixed(1)} ms${between}`,
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

/** The sizes at which growth that looks too steep is looked at again: from `parts` up to the large one, doubled each time. */
function doublings(parts: number, step: number): number[] {
  const times = Math.floor(Math.log2(step));
  return Array.from({ length: times + 1 }, (_, n) => Math.ceil((parts * step) / 2 ** (times - n)));
}

/**
 * How many times as much each doubling may cost, where `step` times may cost `most` times: what a sum of n and n * n that
 * just passes costs there. The larger the sizes, the more.
 */
function mostAtDoublings(step: number, most: number): number[] {
  const squared = (most - step) / (step * step - step);
  const costAt = (parts: number): number => (1 - squared) * parts + squared * parts * parts;
  const sizes = doublings(1000, step).map((size) => size / 1000);
  return sizes.slice(1).map((size, n) => costAt(size) / costAt(sizes[n]!)); // One fewer than sizes.
}

type Steepness = { isSteep: boolean; costs: number[] };

/**
 * Whether work that grew too much between two sizes does so at every doubling between them. Work that outgrows the processor's
 * caches, needs fresh memory or begins to collect garbage somewhere on the way is dearer from there on, and many times dearer on a
 * machine whose memory is shared; but that is one doubling, or two, and at the others twice as much costs twice as much. n * n costs
 * four times as much at each.
 *
 * The sizes take turns, and the least of each counts: a busy stretch of the machine must not fall on one of them. Each size is done
 * so often that all together have as many parts as the largest: of a short stretch the least is one without any disturbance, of a
 * long one never.
 *
 * `measure`: the cost of doing an input so many times, ms, at least what can be told from nothing.
 */
async function steepness<T>(
  measure: (input: T, times: number) => Promise<number>,
  inputs: readonly T[],
  [step, most]: readonly [step: number, most: number],
): Promise<Steepness> {
  const times = inputs.map((_, at) => 2 ** (inputs.length - 1 - at));
  const totals = inputs.map(() => Number.POSITIVE_INFINITY);
  const bounds = mostAtDoublings(step, most);
  let isSteep = true;
  for (let round = 0; round < ROUNDS && (isSteep || round < LEAST_ROUNDS); round++) {
    for (const [at, input] of inputs.entries()) totals[at] = Math.min(totals[at]!, await measure(input, times[at]!)); // All three have one entry for each input.
    isSteep = bounds.every((bound, at) => 2 * totals[at + 1]! > bound * totals[at]!); // One bound fewer than totals.
  }
  return { isSteep, costs: totals.map((total, at) => total / times[at]!) };
}

const inWords = ({ costs }: Steepness): string => costs.map((ms) => ms.toPrecision(3)).join(', ');

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

/**
 * The better of two stretches: a collection of garbage or a compiler at work is in one of them. `times`: so many runs in each, among
 * which a tick is shared.
 */
async function leastWorkOf(reader: HostileReader, input: unknown, times = 1): Promise<number> {
  const work = async (): Promise<void> => {
    for (let n = 0; n < times; n++) await readWell(reader, input);
  };
  return Math.min(await workOf(work), await workOf(work)) / times;
}

/** Work that is too short for the clock is repeated for this long, ms. */
const ENOUGH_MS = 20;

/** The work of one call of something that is no reader and needs no growing input, ms. The best of three stretches. */
export async function cost(work: () => unknown, enoughMs = ENOUGH_MS): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    let [runs, used] = [0, 0];
    while (used < enoughMs) {
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
  const [small, large] = [workOf(parts), workOf(parts * step)];
  // Code that has just been compiled is fast for both.
  await small();
  await large();
  let least = Number.POSITIVE_INFINITY;
  let longest = ENOUGH_MS;
  for (let attempt = 0; attempt < TRIES && least > most; attempt++) {
    const ofLarge = await cost(large);
    longest = Math.max(ENOUGH_MS, ofLarge);
    least = Math.min(least, ofLarge / (await cost(small)));
    if (attempt > 0 && least > HOPELESS) break;
  }
  if (least <= most) return null;
  const told = `${step} times as much (${parts * step} parts) costs ${least.toFixed(1)} times as much; ${most} times are allowed`;
  if (least > HOPELESS) return told;
  const works = doublings(parts, step).map((size) => (size === parts * step ? large : workOf(size)));
  const measured = async (work: () => unknown, times: number): Promise<number> => times * (await cost(work, longest));
  const found = await steepness(measured, works, [step, most]);
  return found.isSteep ? `${told}; at each doubling ${inWords(found)} ms` : null;
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
