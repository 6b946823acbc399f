import { reduce } from '../../../core/actions/reduce.ts';
import { scaledPlace } from '../../../core/evaluate/reading/scale.ts';
import type { PlaceNumbers } from '../../../core/evaluate/reading/tool-acts.ts';
import { type ActPoint, inputOfActs } from '../../../core/import/act-input.ts';
import type { RunStep } from '../../../core/import/atif.ts';
import type { RawEvent } from '../../../schemas/events.ts';
import type { GaiaPicture, GaiaSlot } from '../naturalgaia/pictures.ts';

/** From a step's screen to its input; from its input to the screen after it: longer than one run of typing goes on (A8). µs. */
const [BEFORE, AFTER] = [0.4e6, 3.6e6];
/** The last screen is shown so long. */
export const LAST_US = 1e6;

type Timed = {
  t: number;
  until: number;
  input: RawEvent[] | null;
  why: string | null;
  missing: ('before' | 'after')[];
};
type Events = {
  events: RawEvent[];
  /** Raw indices of each step. */
  spans: { from: number; to: number }[];
  /** Each step's first action; null where a step became none. */
  actions: (string | null)[];
  /** Why steps have no input, with how many each. */
  unread: Map<string, number>;
};
export type TimedRun = {
  slots: GaiaSlot[];
  steps: Timed[];
  /** `head`: the lines before them. */
  eventsAfter(recording: string, head: readonly RawEvent[]): Events;
};

/** The steps on a time line of our own: a run's own times say when a model answered, not when it acted. */
export function timedRun(steps: readonly RunStep[], pictures: readonly (GaiaPicture | null)[]): TimedRun {
  const slots: GaiaSlot[] = [];
  let now = 0;
  let pointer: ActPoint | null = null;
  const show = (index: number | null, at: number): boolean => {
    const picture = index === null ? null : (pictures[index] ?? null);
    if (picture === null) return false;
    if (slots.at(-1)?.picture.path !== picture.path) slots.push({ t: slots.length === 0 ? 0 : at, picture });
    return true;
  };
  const timed = steps.map((step): Timed => {
    const missing: Timed['missing'] = [];
    // A screen that came up between two steps.
    if (slots.length > 0 && isOther(step.before, pictures, slots)) now += 0.1e6;
    if (!show(step.before, now)) missing.push('before');
    const t = now;
    const shown = step.before === null ? null : (pictures[step.before] ?? null);
    const made = shown === null ? { why: 'there is no picture before it' } : inputOf(step, shown, t + BEFORE, pointer);
    const end = made && 'events' in made ? made.end : t + BEFORE;
    // What is not known may have moved it.
    if (made !== null) pointer = 'events' in made ? made.pointer : null;
    now = end + AFTER;
    if (!show(step.after, now)) missing.push('after');
    const input = made && 'events' in made ? made.events : null;
    return { t, until: now, input, why: made === null ? whyNone(step) : 'why' in made ? made.why : null, missing };
  });
  return { slots, steps: timed, eventsAfter: (recording, head) => eventsOf(timed, recording, head) };
}

const isOther = (
  index: number | null,
  pictures: readonly (GaiaPicture | null)[],
  slots: readonly GaiaSlot[],
): boolean => {
  const picture = index === null ? null : (pictures[index] ?? null);
  return picture !== null && slots.at(-1)?.picture.path !== picture.path;
};

/** A step that waits gives no input, and nothing of it is lost. */
const whyNone = ({ acts }: RunStep): string | null =>
  acts?.acts.length && acts.acts.every((act) => act.do === 'wait') ? null : 'it gave no input';

function inputOf(
  { acts }: RunStep,
  picture: GaiaPicture,
  from: number,
  pointer: ActPoint | null,
): ReturnType<typeof inputOfActs> {
  if (acts === null) return { why: 'its calls are none that are known' };
  if (acts.others.length > 0) return { why: `its call "${acts.others[0]!.slice(0, 60)}" is none that is known` };
  const spot = (numbers: PlaceNumbers): ActPoint | null => {
    const scale = acts.scale ?? 'pixels';
    const [a, b, c = a, d = b] = scaledPlace({ numbers, scale }, scale, picture);
    const [x, y] = [Math.round((a + c) / 2), Math.round((b + d) / 2)];
    return x >= 0 && y >= 0 && x < picture.width && y < picture.height ? { x, y } : null;
  };
  return inputOfActs(acts.acts, spot, from, pointer);
}

function eventsOf(timed: readonly Timed[], recording: string, head: readonly RawEvent[]): Events {
  const withInput = timed.map(({ input }) => input !== null);
  let made = laidOut(timed, withInput, head.length);
  let actions = firstActionsOf(recording, head, made);
  // Input that is no action by itself (A11): the step is kept as one without input.
  const silent = actions.map((action) => action === null);
  if (silent.some(Boolean)) {
    made = laidOut(
      timed,
      withInput.map((has, at) => has && !silent[at]),
      head.length,
    );
    actions = firstActionsOf(recording, head, made);
  }
  const unread = new Map<string, number>();
  for (const [at, { input, why }] of timed.entries()) {
    const reason = why ?? (input !== null && silent[at] ? 'it gave no input' : null);
    if (reason !== null) unread.set(reason, (unread.get(reason) ?? 0) + 1);
  }
  return { ...made, actions, unread };
}

function laidOut(
  timed: readonly Timed[],
  withInput: readonly boolean[],
  offset: number,
): Pick<Events, 'events' | 'spans'> {
  const events: RawEvent[] = [];
  const spans = timed.map(({ t, until, input }, at) => {
    const from = offset + events.length;
    if (input === null || !withInput[at]) events.push({ type: 'step', t, until });
    else for (const event of input) events.push(event);
    return { from, to: offset + events.length - 1 };
  });
  return { events, spans };
}

/** The first action that the events of each span become; null where they are none by themselves. */
export function firstActionsOf(
  recording: string,
  head: readonly RawEvent[],
  { events, spans }: Pick<Events, 'events' | 'spans'>,
): (string | null)[] {
  const first = reduce([...head, ...events], { recording }).actions.map(({ id }) => ({
    id,
    event: Number.parseInt(id.slice(id.lastIndexOf(':') + 1), 10),
  }));
  first.sort((a, b) => a.event - b.event);
  let next = 0;
  return spans.map(({ from, to }) => {
    while ((first[next]?.event ?? from) < from) next++;
    const found = first[next];
    return found && found.event <= to ? found.id : null;
  });
}
