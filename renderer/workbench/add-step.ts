import { addStep, byHandId, type StepByHand } from '../../core/annotate/by-hand.ts';
import { stepRecordId } from '../../core/annotate/ids.ts';
import { stepIndex } from '../../core/annotate/subtasks.ts';
import { english, tr } from '../language/tr.ts';
import type { Actions } from './actions.ts';
import { type Point, pictureRect } from './geometry.ts';
import { pictureMiddle } from './stage/target.ts';
import { shownFrame, type WorkState, type WorkStore } from './store.ts';

/** Steps that a person adds at the picture of a video, which has no input of its own (N12). */

export type StepChoice = 'click' | 'double' | 'right' | 'drag' | 'scroll' | 'type' | 'press';
export const STEP_KINDS: readonly { kind: StepChoice; label: string }[] = [
  { kind: 'click', label: tr('Click') },
  { kind: 'double', label: tr('Double click') },
  { kind: 'right', label: tr('Right click') },
  { kind: 'drag', label: tr('Drag') },
  { kind: 'scroll', label: tr('Scroll') },
  { kind: 'type', label: tr('Type text') },
  { kind: 'press', label: tr('Press keys') },
];

export type NewStep = {
  kind: StepChoice;
  /** The text that was typed, or the keys: `Ctrl+S`. */
  text: string;
  direction: 'up' | 'down' | 'left' | 'right';
  notches: number;
};

/** Whether steps can be added here: to a video itself, not to one of several annotations of it. */
export const addsSteps = ({ opened, document, page }: Pick<WorkState, 'opened' | 'document' | 'page'>): boolean =>
  page === 'annotate' && opened.capture.grabber === 'video' && document === opened.row.id;

/** Adds it, once its places are chosen in the picture: by a click, or with the arrows and Space. */
export function chooseStep(store: WorkStore, actions: Actions, step: NewStep): void {
  const state = store.getState();
  const place = shownFrame(state);
  const rect = pictureRect(state.opened, place);
  const frame = state.opened.frames[place];
  if (!rect || !frame) {
    actions.say(tr('There is no picture here to add a step at.'), 'info');
    return;
  }
  const add = (start: Point | null, end: Point | null = null): void => {
    store.setState({ mode: { kind: 'idle' } });
    const desktop = (point: Point | null) => ({ x: point && point.x + rect.x, y: point && point.y + rect.y });
    const record = recordOf(state.opened.row.id, frame[1], step, desktop(start), desktop(end));
    const added = actions.gesture(english('Add step'), () =>
      addStep(store.getState().sync.pending.view, store.getState().opened, record),
    );
    const at = stepIndex(store.getState().opened.steps).get(record.action);
    if (added && at !== undefined) actions.go(at);
  };
  const pick = (hint: string, at: Point, choose: (at: Point) => void): void =>
    store.setState({ looking: place, playing: null, playhead: null, mode: { kind: 'pin', at, hint, choose } });
  const keys = tr('click it, or arrows and Space; Esc ends');
  const middle = pictureMiddle(rect);
  if (step.kind === 'type' || step.kind === 'press') add(null);
  else if (step.kind !== 'drag') pick(tr('Where? {keys}', { keys }), middle, (at) => add(at));
  else {
    pick(tr('Where did it begin? {keys}', { keys }), middle, (from) =>
      pick(tr('Where did it end? {keys}', { keys }), from, (to) => add(from, to)),
    );
  }
}

type Place = { x: number | null; y: number | null };

function recordOf(recording: string, t: number, step: NewStep, start: Place, end: Place): StepByHand {
  const { kind, text, direction, notches } = step;
  const action = byHandId(recording, crypto.randomUUID().replaceAll('-', '').slice(0, 16));
  const isClick = kind === 'click' || kind === 'double' || kind === 'right';
  const far = direction === 'down' || direction === 'right' ? notches : -notches;
  const sideways = direction === 'left' || direction === 'right';
  return {
    kind: 'step',
    id: stepRecordId(action),
    action,
    does: isClick ? 'click' : kind,
    t,
    ...start,
    endX: end.x,
    endY: end.y,
    button: kind === 'right' ? 'right' : isClick || kind === 'drag' ? 'left' : null,
    count: kind === 'double' ? 2 : 1,
    text: kind === 'type' ? text : null,
    keys: kind === 'press' ? pressedKeys(text) : null,
    scroll: kind === 'scroll' ? { dx: sideways ? far : 0, dy: sideways ? 0 : far } : null,
  };
}

const MODIFIERS: ReadonlySet<string> = new Set(['ctrl', 'alt', 'shift', 'meta']);

/** `Ctrl+Shift+S` as an action has it: modifiers and letters small, other keys by their names. */
export function pressedKeys(text: string): string[] {
  return text
    .split(/\+(?!$)/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const small = part.toLowerCase();
      if (MODIFIERS.has(small) || part.length === 1) return small;
      return part.charAt(0).toUpperCase() + part.slice(1);
    });
}
