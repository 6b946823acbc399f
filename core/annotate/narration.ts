import type { Action, Modifier } from '../../schemas/actions.ts';
import type { Step } from '../../schemas/api/models.ts';
import { isUnseen } from '../actions/unseen.ts';
import { KEY_NAMES, type Language, type NarrationTemplates, TEMPLATES } from './narration-templates.ts';

export type { Language } from './narration-templates.ts';

type Place = { x: number | null; y: number | null; t: number };

/** The parts of an action that a narration is made from: an `Action` has them, a step becomes one by `stepAction`. */
type NarratedAction = Pick<
  Action,
  'kind' | 'button' | 'modifiers' | 'text' | 'keys' | 'count' | 'holdMs' | 'withheld'
> & {
  /** Tells a step without input (A16) from a wait. */
  id?: string;
  start: Place;
  end: Place;
  scroll: { dx: number; dy: number } | null;
};

/** A step of the API (places as [x, y, t]) as `narrate` takes it. */
export function stepAction(step: Step): NarratedAction {
  const { id, kind, button, modifiers, text, keys, count, holdMs, scroll, withheld } = step;
  const place = ([x, y, t]: Step['start']): Place => ({ x, y, t });
  const said = { id, kind, button, modifiers, text, keys, count, holdMs, scroll, ...(withheld && { withheld }) };
  return { ...said, start: place(step.start), end: place(step.end) };
}

/** The texts that an annotator gives. Names stand as they are put into the sentence, without an article. */
export type NarrationFields = {
  /** The element acted on; for a scroll, the one to be seen after it. */
  element?: string | null;
  /** Drag (videogui.txt A.1, the quadruple): where the element is taken from; absent, 'original position'. */
  start?: string | null;
  /** Drag: where it ends. */
  end?: string | null;
  /** Drag: what for: `move it to the panel`, `resize the circle`. */
  purpose?: string | null;
};

type NarrationOptions = {
  /** Default `en`. */
  language?: Language;
  /** Top left of the picture that positions refer to, px of the virtual desktop. Default (0, 0). */
  origin?: { x: number; y: number };
};

/**
 * An action in the benchmark's wording (annotation.md, pattern 5), without a full stop. A name that is not known yet is
 * replaced by its position, in px of the picture at `origin`. Text stands as typed, nothing is escaped (A8).
 */
export function narrate(action: NarratedAction, fields: NarrationFields = {}, options: NarrationOptions = {}): string {
  const words = TEMPLATES[options.language ?? 'en'];
  const origin = options.origin ?? { x: 0, y: 0 };
  const at = ({ x, y }: Pick<Place, 'x' | 'y'>) =>
    fill(words.position, { x: (x ?? 0) - origin.x, y: (y ?? 0) - origin.y });
  const element = named(fields.element, words);
  switch (action.kind) {
    case 'click':
      return narrateClick(action, element, at(action.start), words);
    case 'drag':
      return narrateDrag(action, element, fields, { start: at(action.start), end: at(action.end) }, words);
    case 'scroll': {
      const verb = withModifiers(words.scroll[scrollDirection(action)], action.modifiers, words);
      return element
        ? fill(words.scrollToSee, { verb, element: fields.element!.trim() })
        : fill(words.verbAt, { verb, position: at(action.start) });
    }
    case 'type':
      if (action.withheld && action.text === null) return words.withheld;
      return fill(words.type, { text: action.text ?? '' });
    case 'press':
      return fill(action.count > 1 ? words.pressTimes : words.press, {
        keys: keyChord(action.keys ?? []),
        count: action.count,
      });
    case 'hover':
      return element ? fill(words.hover, { element }) : fill(words.hoverAt, { position: at(action.end) });
    case 'wait':
      if (isUnseen({ kind: 'wait', id: action.id ?? '' })) return words.unseen;
      return fill(words.wait, { seconds: seconds((action.end.t - action.start.t) / 1000) });
  }
}

/** Where a scroll goes, by its larger axis: `down` when the content moves up (A10). A scroll of 0 goes nowhere. */
export function scrollDirection({
  scroll,
}: Pick<NarratedAction, 'scroll'>): 'up' | 'down' | 'left' | 'right' | 'nowhere' {
  const dx = scroll?.dx ?? 0;
  const dy = scroll?.dy ?? 0;
  if (dx === 0 && dy === 0) return 'nowhere';
  if (Math.abs(dy) >= Math.abs(dx)) return dy > 0 ? 'down' : 'up';
  return dx > 0 ? 'right' : 'left';
}

/** A chord as people write it: `Ctrl+C`, `Shift+Tab`, `Enter`. */
export function keyChord(keys: readonly string[]): string {
  return keys.map(keyName).join('+');
}

function keyName(key: string): string {
  const name = KEY_NAMES[key.toLowerCase()];
  if (name) return name;
  // A letter is printed on its key as a capital; ß and the like have none of one character.
  const capital = key.toUpperCase();
  return [...key].length === 1 && [...capital].length === 1 ? capital : key;
}

function narrateClick(
  action: NarratedAction,
  element: string | null,
  position: string,
  words: NarrationTemplates,
): string {
  const button = action.button ?? 'left';
  const times = words.times[action.count] ?? fill(words.manyTimes, { count: action.count });
  const pressed = button === 'left' ? words.click : (words.buttonClick[button] ?? fill(words.otherClick, { button }));
  const held = action.holdMs !== null && action.count === 1;
  const verb = withModifiers(`${times}${pressed}${held ? words.andHold : ''}`, action.modifiers, words);
  const sentence = element ? fill(words.verbOn, { verb, element }) : fill(words.verbAt, { verb, position });
  return held ? fill(words.heldFor, { sentence, seconds: seconds(action.holdMs!) }) : sentence;
}

function narrateDrag(
  action: NarratedAction,
  element: string | null,
  fields: NarrationFields,
  positions: { start: string; end: string },
  words: NarrationTemplates,
): string {
  const button = action.button ?? 'left';
  const pulled = button === 'left' ? words.drag : (words.buttonDrag[button] ?? fill(words.otherDrag, { button }));
  const verb = withModifiers(pulled, action.modifiers, words);
  const start = fields.start?.trim() || (element ? words.originalPosition : positions.start);
  const end = fields.end?.trim() || positions.end;
  // The template has the word itself: a purpose of "to make it wider" is said as "make it wider".
  const purpose = fields.purpose?.trim().replace(words.ofPurpose, '').trim();
  const sentence = fill(element ? words.dragFromTo : words.dragAtTo, { verb, element: element ?? '', start, end });
  return purpose ? fill(words.dragPurpose, { sentence, purpose }) : sentence;
}

/** `Ctrl+click`, or the verb with a capital when nothing is held. */
function withModifiers(verb: string, modifiers: readonly Modifier[], words: NarrationTemplates): string {
  if (modifiers.length > 0) return `${keyChord(modifiers)}+${verb}`;
  return verb.slice(0, 1).toLocaleUpperCase(words.locale) + verb.slice(1);
}

/** The name without an article of its own, so that the sentence does not say it twice. */
function named(element: string | null | undefined, words: NarrationTemplates): string | null {
  const name = element?.trim().replace(words.article, '').trim();
  return name || null;
}

/** 3000 ms as `3`, 2500 as `2.5`. */
function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

/** Puts values into `{name}` marks; a value may hold `$`, braces and quotes. */
function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (mark, name: string) => String(values[name] ?? mark));
}
