import { isInput, type PauseReason, type RawEvent } from '../../schemas/events.ts';

/**
 * From when on everything is forgotten, and when the person asked for it, µs on the session clock. Nothing is recorded
 * between the asking and the end of the forgetting, so whatever has a later time belongs to it too.
 */
export type Forgetting = { from: number; to: number };

type Forgotten = {
  events: RawEvent[];
  /** The new number of an old line; null where there is none any more. */
  renumber(line: number): number | null;
};

/**
 * events.jsonl without what is forgotten. Lines from before stay as they are, in their order. Of what came later only the
 * wall clock stays (it says nothing of the person and is read to the end of the recording), and what the machine's mouse
 * settings are, which recording.json says as well. In its place is a pause that is open: whoever goes on ends it.
 */
export function forgetEvents(events: readonly RawEvent[], { from }: Forgetting): Forgotten {
  const numbers = new Map<number, number>();
  const kept: RawEvent[] = [];
  const late: RawEvent[] = [];
  const clock: RawEvent[] = [];
  const open = new Set<PauseReason>();
  for (const [line, event] of events.entries()) {
    const before = event.t < from;
    if (before && event.type === 'pause') open.add(event.reason);
    if (before && event.type === 'resume') open.delete(event.reason);
    if (before || event.type === 'settings') {
      numbers.set(line, kept.length);
      kept.push(event);
    } else if (event.type === 'own') late.push(event);
    else if (event.type === 'anchor') clock.push(event);
  }
  const renumber = (line: number): number | null => numbers.get(line) ?? null;
  const out = kept.map((event) => (event.type === 'own' ? ownOf(event, renumber) : event));
  // A line from before may have been marked as the recorder's own only afterwards.
  for (const event of late) {
    if (event.type !== 'own') continue;
    const own = ownOf({ ...event, t: from }, renumber);
    if (own.events.length > 0) out.push(own);
  }
  // Two that follow each other are one: that there was an earlier one is nobody's business.
  const goesOn = open.delete('forgotten');
  for (const reason of open) out.push({ t: from, type: 'resume', reason });
  if (!goesOn) out.push({ t: from, type: 'pause', reason: 'forgotten' });
  for (const event of clock) out.push(event);
  return { events: out, renumber };
}

type Own = Extract<RawEvent, { type: 'own' }>;

function ownOf(event: Own, renumber: (line: number) => number | null): Own {
  const events = event.events.flatMap((line) => renumber(line) ?? []);
  // The very same line where nothing changed.
  return events.every((line, at) => line === event.events[at]) && events.length === event.events.length
    ? event
    : { ...event, events };
}

/** The counters of a line, for those who watch. */
export function countsOf(events: readonly RawEvent[]): { inputs: number; marks: number } {
  let [inputs, marks] = [0, 0];
  for (const event of events) {
    if (isInput(event)) inputs++;
    if (event.type === 'mark') marks++;
  }
  return { inputs, marks };
}
