import type { RawEvent } from '../../schemas/events.ts';
import type { VideocuaSource } from '../../schemas/import.ts';
import type { AnswerAct, PlaceNumbers } from '../evaluate/reading/tool-acts.ts';
import { append } from '../lists.ts';
import { type ActPoint, inputOfActs } from './act-input.ts';
import { namedActs } from './named-acts.ts';
import { settledActs, staysDown } from './settled-acts.ts';

/**
 * A log of VideoCUA as input. Entries that belong together (a key held around a click, the way to a drag, all of one action of an
 * export of ours) are one step; a step begins a little before its time, since the screen of that time is what came of it.
 */

/** µs before the log's time: its own converter takes the picture 0.1 s before. */
export const LEAD_US = 50_000;
/** Between the last event of a step and the next step, µs. */
const ROOM_US = 100_000;

export type VideocuaStep = {
  /** Raw indices of its events. */
  from: number;
  to: number;
  words: { narration: string | null; element: string | null; thought: string | null; subtask: string | null };
};

export type VideocuaInput = {
  events: RawEvent[];
  steps: VideocuaStep[];
  /** Why entries have no input, with how many each. */
  lost: Map<string, number>;
  /** Our time of a time of the video, µs. */
  timeOf(seconds: number): number;
  /** Times are those of the recording that an export of ours was made of. */
  recorded: boolean;
};

type Entry = VideocuaSource['action_log'][number];
const END = 'AFTER_LAST_ACTION';
/** Entries that one press holds together. */
const MOST_TOGETHER = 200;

/** `offset`: lines before the first event; `size`: the video's, px. */
export function videocuaInput(
  entries: readonly Entry[],
  { offset, size }: { offset: number; size: { width: number; height: number } },
): VideocuaInput {
  const groups = groupsOf(entries.filter(({ action_type: type }) => type !== END));
  const [timeOf, recorded] = clockOf(groups);
  const lost = new Map<string, number>();
  const made: VideocuaInput = { events: [], steps: [], lost, timeOf, recorded };
  const spot = ([x, y]: PlaceNumbers): ActPoint | null =>
    x !== undefined && y !== undefined && x >= 0 && y >= 0 && x < size.width && y < size.height
      ? { x: Math.round(x), y: Math.round(y) }
      : null;
  let pointer: ActPoint | null = null;
  let free = 0;
  for (const [at, group] of groups.entries()) {
    const [first] = group;
    const t = Math.max(free, timeOf(first!.timestamp) - LEAD_US); // A group has an entry.
    const input = inputOf(group, spot, t, pointer);
    if ('why' in input) {
      lost.set(input.why, (lost.get(input.why) ?? 0) + 1);
      pointer = null;
      continue;
    }
    pointer = input.pointer;
    const next = groups[at + 1]?.[0];
    const until = next === undefined ? Number.POSITIVE_INFINITY : timeOf(next.timestamp) - LEAD_US - ROOM_US;
    const events = within(input.events, t, until);
    free = (events.at(-1)?.t ?? t) + 1000;
    const from = offset + made.events.length;
    append(made.events, events);
    made.steps.push({ from, to: offset + made.events.length - 1, words: wordsOf(group) });
  }
  return made;
}

function inputOf(
  group: readonly Entry[],
  spot: (at: PlaceNumbers) => ActPoint | null,
  t: number,
  pointer: ActPoint | null,
): { events: RawEvent[]; pointer: ActPoint | null } | { why: string } {
  const acts: AnswerAct[] = [];
  for (const { action_type: type, action_params: fields } of group) {
    const made = namedActs(type, fields);
    if (typeof made === 'string') return { why: made };
    append(acts, made);
  }
  return inputOfActs(acts, spot, t, pointer) ?? { why: 'it gave no input' };
}

/** Made quicker where they would reach into the next step; in their order. */
function within(events: readonly RawEvent[], from: number, until: number): RawEvent[] {
  const last = events.at(-1)?.t ?? from;
  if (last <= until || last === from) return [...events];
  const share = Math.max(0, until - from) / (last - from);
  return events.map((event) => ({ ...event, t: Math.round(from + (event.t - from) * share) }));
}

function groupsOf(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && last.length < MOST_TOGETHER && goesOn(last, entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function goesOn(group: readonly Entry[], next: Entry): boolean {
  const last = group.at(-1)!; // A group has an entry.
  const own = last.trajectory_studio?.action_id;
  if (own !== undefined || next.trajectory_studio?.action_id !== undefined)
    return own === next.trajectory_studio?.action_id;
  const acts = group.flatMap(({ action_type: type, action_params: fields }) => {
    const made = namedActs(type, fields);
    return typeof made === 'string' ? [] : made;
  });
  if (staysDown(acts)) return true;
  // The way to what is done there.
  return last.action_type === 'MOVE_TO' && next.action_type === 'DRAG_TO' && settledActs(acts) !== null;
}

/** Of an export of ours, whose video has a picture a second, the times of its recording; else the video's own. */
function clockOf(groups: readonly (readonly Entry[])[]): [timeOf: (seconds: number) => number, recorded: boolean] {
  const known = groups.map(([entry]): [number, number] => [
    entry!.timestamp,
    entry!.trajectory_studio?.recorded_at ?? Number.NaN,
  ]);
  const rises = known.every(
    ([video, at], n) => at >= 0 && (n === 0 || (video > known[n - 1]![0] && at >= known[n - 1]![1] + 0.002)),
  );
  if (known.length === 0 || !rises) return [(seconds) => Math.round(seconds * 1e6), false];
  return [(seconds) => Math.round(between(known, seconds) * 1e6), true];
}

/** Straight between what is known; before and behind it the video's own pace. */
function between(known: readonly [number, number][], seconds: number): number {
  const [first, last] = [known[0]!, known.at(-1)!];
  if (seconds <= first[0]) return Math.max(0, first[1] * (first[0] === 0 ? 1 : seconds / first[0]));
  if (seconds >= last[0]) return last[1] + (seconds - last[0]);
  let [low, high] = [0, known.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (known[middle]![0] <= seconds) low = middle;
    else high = middle;
  }
  const [[from, at], [to, end]] = [known[low]!, known[high]!];
  return at + ((seconds - from) / (to - from)) * (end - at);
}

function wordsOf(group: readonly Entry[]): VideocuaStep['words'] {
  const said = group[0]?.trajectory_studio;
  const { narration, element, thought, subtask } = said ?? {};
  return {
    narration: narration || null,
    element: element || null,
    thought: thought || null,
    subtask: subtask || null,
  };
}
