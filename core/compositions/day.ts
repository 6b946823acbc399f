import type { Composition, Happening, ScenarioEvent } from '../../schemas/composition.ts';
import type { MemberResult, RanEvent } from '../../schemas/composition-run.ts';
import { randomFrom, seedOf } from '../evaluate/random.ts';
import { largestOf } from '../lists.ts';
import { minutesOf } from './time-of-day.ts';

/**
 * A scenario's clock and its events (CP23, CP24). Times of the scenario are ms since 1970, told without a zone: stages with a clock
 * have none. They are pure, so that a run that goes on has the same ones.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** `2026-03-02T08:50:00` */
export const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19);
/** Reads a text with or without seconds. */
export const timeOfText = (text: string): number => Date.parse(`${text.length === 16 ? `${text}:00` : text}Z`);

/** The time of a day of the scenario; null where it does not say on which day it begins. */
function timeOn({ context }: Pick<Composition, 'context'>, day: number, time: string): number | null {
  if (context.begins === undefined) return null;
  return Date.parse(`${context.begins}T00:00:00Z`) + (day - 1) * DAY + minutesOf(time) * MINUTE;
}

/** When the clock is when the stage is set: the first window of the tasks to be done, else the first day's morning; null: it is the machine's. */
export function clockBegins(composition: Composition, order: readonly string[]): number | null {
  const windows = order.flatMap((id) => composition.members.find((member) => member.id === id)?.window ?? []);
  const [first] = windows;
  return timeOn(composition, first?.day ?? 1, first?.from ?? MORNING);
}
const MORNING = '08:00';

/** The clock when a member begins, which never goes back: its window's beginning, and as late as its edges want it. */
export function clockAt(
  composition: Composition,
  id: string,
  results: readonly Pick<MemberResult, 'member' | 'clock'>[],
  now: number,
): number {
  const window = composition.members.find((member) => member.id === id)?.window;
  const at = window ? timeOn(composition, window.day, window.from) : null;
  const later = composition.edges.flatMap((edge) => {
    if (edge.kind !== 'time' || edge.to !== id) return [];
    const began = results.find(({ member }) => member === edge.from)?.clock?.from;
    return began === undefined ? [] : [timeOfText(began) + edge.atLeast * MINUTE];
  });
  return largestOf([now, at ?? now, ...later]);
}

/** An event as a seed draws it. `at`: null for one that comes after a task. */
export type DrawnEvent = { id: string; at: number | null; after: string | null; happens: Happening };

/** Every event of the composition, drawn by the seed; those at a time by their times. One at a time of a scenario without a day is left out. */
export function drawnEvents(composition: Composition, seed: number): DrawnEvent[] {
  const drawn = (composition.events ?? []).flatMap((event): DrawnEvent[] => {
    const random = randomFrom(seedOf(event.id, seed));
    const happens = event.happens[Math.floor(random() * event.happens.length)] ?? event.happens[0];
    if (happens === undefined) return [];
    if ('after' in event.at) return [{ id: event.id, at: null, after: event.at.after, happens }];
    const at = drawnTime(composition, event.at, random());
    return at === null ? [] : [{ id: event.id, at, after: null, happens }];
  });
  return drawn.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

function drawnTime(
  composition: Composition,
  { day, from, to = from }: Exclude<ScenarioEvent['at'], { after: string }>,
  share: number,
): number | null {
  const first = timeOn(composition, day, from);
  const minutes = Math.max(0, minutesOf(to) - minutesOf(from));
  return first === null ? null : first + Math.floor(share * (minutes + 1)) * MINUTE;
}

/** Those that are to happen now: after this task, or up to this time. `done`: ids of those that did. */
export const eventsDue = (
  drawn: readonly DrawnEvent[],
  done: readonly string[],
  now: { until: number } | { after: string },
): DrawnEvent[] =>
  drawn.filter(
    ({ id, at, after }) =>
      !done.includes(id) && ('until' in now ? at !== null && at <= now.until : after === now.after),
  );

/** The events of a run that are in the home from which it is gone on with after these results (CP20). */
export const eventsBefore = <E extends Pick<RanEvent, 'before' | 'after'>>(
  events: readonly E[],
  results: readonly Pick<MemberResult, 'member'>[],
): E[] => events.filter(({ before, after }) => results.some(({ member }) => member === (before ?? after)));
