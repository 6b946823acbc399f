import { clockAt, type DrawnEvent, drawnEvents, eventsDue, timeText } from '../../../core/compositions/day.ts';
import { mailText } from '../../../core/compositions/mail.ts';
import { oneLine } from '../../../core/words.ts';
import type { Composition, Happening, ScenarioEvent } from '../../../schemas/composition.ts';
import type { CompositionRun, RanEvent } from '../../../schemas/composition-run.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import type { Recipe } from '../../../schemas/play.ts';
import type { StageClock } from '../../play/stage/clock.ts';
import type { SetStage } from '../../play/stage/set-stage.ts';

/**
 * A run's day: its clock is moved before each task, and what happens by itself happens. All of an event is done by programs of the
 * stage, in its cage: a recipe's program may have put a link where a file is to arrive.
 */

type EventStage = { stage: Pick<SetStage, 'run' | 'raise'>; services: Recipe['services'] };
type DayWishes = {
  composition: Composition;
  seed: number;
  /** For all stages. */
  clock: StageClock | null;
  /** The stage that an event happens on, with its services. Throws where it is gone. */
  on(event: string): EventStage;
  progress(text: string): void;
  signal: AbortSignal;
};

export type Day = {
  /** The clock now, as `2026-03-02T08:50:00`; null: it is the machine's. */
  time(): string | null;
  /** Moves the clock to when a task begins; what comes up to then happens on the way. Gives all events of the run, with those. */
  until(member: string, run: Pick<CompositionRun, 'results' | 'events'>): Promise<RanEvent[]>;
  /** Has the events after a task happen. */
  after(member: string, run: Pick<CompositionRun, 'events'>): Promise<RanEvent[]>;
};

export function openDay({ composition, seed, clock, on, progress, signal }: DayWishes): Day {
  const drawn = drawnEvents(composition, seed);
  const time = (): string | null => (clock === null ? null : timeText(clock.now()));
  async function happen(
    due: readonly DrawnEvent[],
    { events = [] }: Pick<CompositionRun, 'events'>,
    place: Pick<RanEvent, 'before' | 'after'>,
  ): Promise<RanEvent[]> {
    const ran = [...events];
    for (const { id, at, happens } of due) {
      signal.throwIfAborted();
      if (clock && at !== null && at > clock.now()) clock.set(at);
      const failed = await tryIt(happens, { on, id, at: at ?? clock?.now() ?? Date.now() });
      const words = `${time()?.slice(11, 16) ?? ''} event ${id} (${happens.kind})`.trim();
      progress(failed === null ? words : `warning: ${words} did not happen: ${oneLine(failed).slice(0, 300)}`);
      ran.push({ id, kind: happens.kind, at: time(), ...place, failed });
    }
    return ran;
  }
  const done = (events: readonly RanEvent[] = []): string[] => events.map(({ id }) => id);
  return {
    time,
    async until(member, run) {
      if (!clock) return run.events ?? [];
      const target = clockAt(composition, member, run.results, clock.now());
      const events = await happen(eventsDue(drawn, done(run.events), { until: target }), run, {
        before: member,
        after: null,
      });
      if (target > clock.now()) clock.set(target);
      return events;
    },
    after: (member, run) =>
      happen(eventsDue(drawn, done(run.events), { after: member }), run, { before: null, after: member }),
  };
}

type Place = Pick<DayWishes, 'on'> & { id: string; at: number };

/** Why it could not happen, in words; null: it did. A stage that is gone is said by the task that comes. */
async function tryIt(happens: Happening, place: Place): Promise<string | null> {
  try {
    await doIt(happens, place);
    return null;
  } catch (error) {
    return errorBody(error).message;
  }
}

const LIMIT_MS = 30_000;
/** $1: the file, $2: what is in it. It is whole when it is there. */
const ARRIVE = 'mkdir -p "$(dirname "$1")" && printf %s "$2" >"$1.arriving" && mv "$1.arriving" "$1"';
/** $1: the Maildir, $2: the mail's name, $3: the mail. */
const DELIVER = 'mkdir -p "$1/tmp" "$1/new" "$1/cur" && printf %s "$3" >"$1/tmp/$2" && mv "$1/tmp/$2" "$1/new/$2"';

async function doIt(happens: Happening, { on, id, at }: Place): Promise<void> {
  const { stage, services } = on(id);
  const shell = (script: string, ...words: string[]): Promise<void> =>
    stage.run({ command: 'sh', args: ['-c', script, 'sh', ...words] }, LIMIT_MS);
  switch (happens.kind) {
    case 'file':
      return shell(ARRIVE, `~/${happens.to}`, happens.text);
    case 'mail':
      return shell(DELIVER, `~/${happens.folder}`, `${Math.floor(at / 1000)}.${id}.stage`, mailText(happens, id, at));
    case 'notification':
      return stage.run({ command: 'notify-send', args: [happens.title, happens.text] }, LIMIT_MS);
    case 'service':
      return stage.run(changeOf(services, happens), LIMIT_MS);
    case 'window':
      return stage.raise(happens.title);
  }
}

/** The program by which a service's data is changed. Throws USAGE where no recipe names it. */
function changeOf(
  services: Recipe['services'],
  { service, change }: Happening & { kind: 'service' },
): Recipe['services'][number]['changes'][number] {
  const found = services.find(({ name }) => name === service);
  const named = found?.changes.find(({ name }) => name === change);
  if (named) return named;
  const why = found ? `names no change “${change}”` : 'is in none of its recipes';
  throw new StudioError('USAGE', `An event changes the service “${service}”, which ${why}.`, { service });
}

/** Throws USAGE for an event that changes what no recipe names. */
export function needChanges(
  { events = [] }: Pick<Composition, 'events'>,
  servicesOn: (event: ScenarioEvent) => Recipe['services'],
): void {
  for (const event of events) {
    const services = servicesOn(event);
    for (const one of event.happens) if (one.kind === 'service') changeOf(services, one);
  }
}
