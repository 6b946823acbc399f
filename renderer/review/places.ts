import { tr } from '../language/tr.ts';
import type { Actions } from '../workbench/actions.ts';
import type { Aspect, WorkStore } from '../workbench/store.ts';
import { decidedIn } from './in-hand.ts';
import { aspectsOf, type ItemPlace, nextUndecided, placeNow, placesOf } from './items.ts';

/** Going from item to item, and to one aspect of a step. */
export function makePlaces({ store, actions }: { store: WorkStore; actions: Pick<Actions, 'go' | 'say'> }) {
  const { getState: get, setState: set } = store;
  const { say } = actions;
  const places = (): ItemPlace[] => placesOf(get().doc);

  function goTo(place: ItemPlace | undefined): void {
    if (!place) return;
    actions.go(place.at);
    set({ stop: place.stop, aspect: null });
  }

  function goBy(by: number): void {
    const all = places();
    const { at, stop } = get();
    const to = Math.min(Math.max(placeNow(all, at, stop) + by, 0), all.length - 1);
    goTo(all[to]);
  }

  function goToUndecided(): void {
    const all = places();
    const { at, stop } = get();
    const to = nextUndecided(all, decidedIn(get()), placeNow(all, at, stop));
    if (to >= 0) goTo(all[to]);
    else say(tr('Everything is decided. Approve it, or send it back (Ctrl+Enter).'), 'info');
  }

  function lookAt(aspect: Aspect): void {
    const { doc, at, stop, aspect: now } = get();
    const step = doc.steps[at];
    if (!step || !aspectsOf(step).includes(aspect)) {
      say(
        tr(
          'This step has no {aspect, select, element {element} box {box} narration {narration} text {text} other {removal}} to look at.',
          { aspect },
        ),
        'info',
      );
      return;
    }
    set({ aspect: stop === null && now === aspect ? null : aspect, stop: null });
  }

  function lookAtSubtask(kind: 'edge' | 'title'): void {
    const { doc, at } = get();
    const subtask = doc.steps[at]?.subtask ?? -1;
    const found = places().find(({ stop }) => stop?.kind === kind && stop.subtask === subtask);
    if (found) goTo(found);
    else say(tr('The first subtask begins with the recording: there is no edge to decide on.'), 'info');
  }

  return {
    goTo,
    goBy,
    goToEnd: (end: 'first' | 'last') => goTo(end === 'first' ? places()[0] : places().at(-1)),
    goToUndecided,
    lookAt,
    lookAtSubtask,
  };
}
