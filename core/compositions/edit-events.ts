import type { Composition, Happening, ScenarioEvent } from '../../schemas/composition.ts';
import { SLOT_NAME, VERSION_WITH_EVENTS, VERSION_WITHOUT_EVENTS } from '../../schemas/composition-terms.ts';
import { slotNameOf } from './edit.ts';
import { movedPlace, withPlaces } from './places.ts';

/** Changes of what happens by itself on a scenario's day, as an editor makes them. They keep to the same rules as those of edit.ts. */

/** With these events; without any the file has none and can be read by older programs. */
function withEvents(composition: Composition, events: readonly ScenarioEvent[]): Composition {
  const { events: _before, ...others } = composition;
  const { version } = others;
  if (events.length === 0)
    return { ...others, version: version === VERSION_WITH_EVENTS ? VERSION_WITHOUT_EVENTS : version };
  return {
    ...composition,
    version: version === VERSION_WITHOUT_EVENTS ? VERSION_WITH_EVENTS : version,
    events: [...events],
  };
}

/** Puts a new event in at a place, from 0. It comes after a task, or (null) at a time that is still to be written. */
export function addEvent(composition: Composition, at: number, after: string | null): Composition {
  const events = composition.events ?? [];
  const id = slotNameOf(
    'event',
    events.map((event) => event.id),
  );
  const when: ScenarioEvent['at'] =
    after === null ? { day: events[at - 1] ? dayOf(events[at - 1]) : 1, from: '' } : { after };
  return withEvents(composition, events.toSpliced(at, 0, { id, at: when, happens: [newHappening('notification')] }));
}

const dayOf = (event: ScenarioEvent | undefined): number => (event && 'day' in event.at ? event.at.day : 1);

export const changeEvent = (composition: Composition, id: string, change: Partial<ScenarioEvent>): Composition =>
  withEvents(
    composition,
    (composition.events ?? []).map((event) => (event.id === id ? { ...event, ...change } : event)),
  );

export const removeEvent = (composition: Composition, id: string): Composition =>
  withEvents(
    composition,
    (composition.events ?? []).filter((event) => event.id !== id),
  );

/** `by`: so many places down; less than 0: up. */
export function moveEvent(composition: Composition, id: string, by: number): Composition {
  const events = composition.events ?? [];
  const at = events.findIndex((event) => event.id === id);
  const to = Math.max(0, Math.min(at + by, events.length - 1));
  const event = events[at];
  if (!event || to === at) return composition;
  return withEvents(composition, events.toSpliced(at, 1).toSpliced(to, 0, event));
}

/** Nothing for a name that is taken or can be none. */
export function nameEvent(composition: Composition, id: string, name: string): Composition {
  const isTaken = (composition.events ?? []).some((event) => event.id === name);
  return isTaken || !SLOT_NAME.test(name)
    ? composition
    : withPlaces(changeEvent(composition, id, { id: name }), (place) =>
        movedPlace(place, `events/${id}`, `events/${name}`),
      );
}

/**
 * Something of this kind that is still to be written. What stood there gives it its text; other mails of the day say into which
 * mailbox and to whom they come.
 */
export function newHappening(
  kind: Happening['kind'],
  { events = [] }: Pick<Composition, 'events'> = {},
  before?: Happening,
): Happening {
  const text = before && 'text' in before ? before.text : '';
  switch (kind) {
    case 'file':
      return { kind, to: '', text };
    case 'mail': {
      const mail = events.flatMap(({ happens }) => happens).findLast((one) => one.kind === 'mail');
      return { kind, folder: mail?.folder ?? '', from: '', to: mail?.to ?? '', subject: '', text };
    }
    case 'notification':
      return { kind, title: '', text };
    case 'service':
      return { kind, service: '', change: '' };
    case 'window':
      return { kind, title: '' };
  }
}
