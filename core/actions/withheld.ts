import { type StateEvent, type WithheldWhy, withheldWhySchema } from '../../schemas/events.ts';
import { beginAction, type DraftAction, endAt, isWithin, join, type State } from './state.ts';

type Withheld = Extract<StateEvent, { type: 'withheld' }>;

/** Keys that went into a field for passwords: one `type` of which only the time is known (A17). */
export function withheldKeys(state: State, { from, keys, why }: Withheld, index: number, t: number): void {
  // Modifiers may be among them: from here on it is the events' own bits that tell which are held.
  state.seenModifiers = 0;
  if (keys === 0) return;
  const start = Math.min(from, t);
  const { last } = state;
  if (last && last.withheldAt !== null && isWithin(last.end.t, start, state.limits.typeGapUs)) {
    join(state, last);
    endAt(state, last, t);
    count(last, keys, why);
    return;
  }
  const draft = beginAction(state, 'type', start);
  draft.withheldAt = index;
  endAt(state, draft, t);
  count(draft, keys, why);
  state.run = null;
}

/** A later program may know more reasons. */
const isWhy = (why: unknown): why is WithheldWhy => withheldWhySchema.safeParse(why).success;

function count(draft: DraftAction, keys: number, why: WithheldWhy | undefined): void {
  draft.withheldKeys += keys;
  if (isWhy(why) && !draft.withheldWhy.includes(why)) draft.withheldWhy.push(why);
}
