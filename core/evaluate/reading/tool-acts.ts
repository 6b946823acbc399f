import { comboKeys } from '../keys/forms.ts';
import { canonicalKey } from '../keys/names.ts';
import { commandCalls } from './commands.ts';
import { numbersOfPlace } from './record-places.ts';
import { field, isRecord, type JsonRecord } from './records.ts';
import type { CoordinateScale } from './scale.ts';
import { callsOfText, callsOfValue, GEMINI, type ToolCall } from './tool-calls.ts';

/**
 * The acts of an answer that calls tools, in their order, for `evaluate` and `perform` alike (M34): the forms of Anthropic,
 * OpenAI, Gemini, Nova, UI-TARS, Qwen and Holo, xdotool and adb. Nothing of it is executed here.
 */

/** Two numbers, or the four of a box, in the form's own scale. */
export type PlaceNumbers = readonly number[];
type Button = 'left' | 'right' | 'middle';

export type AnswerAct =
  /** `at` null: where the pointer is. `held`: keys that are down meanwhile. */
  | { do: 'click'; at: PlaceNumbers | null; button: Button; count: number; held: readonly string[] }
  | { do: 'move'; at: PlaceNumbers }
  | { do: 'button'; at: PlaceNumbers | null; button: Button; down: boolean }
  /** With a first place of null it begins where the pointer is. */
  | { do: 'drag'; path: readonly (PlaceNumbers | null)[]; held: readonly string[] }
  /** Notches of a wheel; dy > 0 scrolls down, dx > 0 to the right. */
  | { do: 'scroll'; at: PlaceNumbers | null; dx: number; dy: number; held: readonly string[] }
  /** Keys of a combination; `ms`: how long they are held down. */
  | { do: 'chord'; keys: readonly string[]; ms: number | null }
  | { do: 'key'; key: string; down: boolean }
  | { do: 'type'; text: string }
  | { do: 'wait'; ms: number };

export type AnswerActs = {
  form: string;
  scale: CoordinateScale | null;
  acts: AnswerAct[];
  /** Calls that hands do not do or that lack what they need, in words. */
  others: string[];
};

/** Null where the answer calls no tool that we know. */
export function readActs(answer: unknown): AnswerActs | null {
  const calls = typeof answer === 'string' ? (commandCalls(answer) ?? callsOfText(answer)) : callsOfValue(answer);
  const acts: AnswerAct[] = [];
  const others: string[] = [];
  let known = 0;
  for (const call of calls) {
    const made = actsOfCall(call);
    if (made === null) others.push(call.name.slice(0, 60));
    else if (typeof made === 'string') others.push(made);
    else {
      known++;
      for (const act of made) acts.push(act);
    }
  }
  const [first] = calls;
  if (!first || known === 0) return null;
  const scales = new Set(calls.map(({ scale }) => scale));
  return { form: first.form, scale: scales.size === 1 ? first.scale : null, acts, others };
}

const CLICKS: Readonly<Record<string, readonly [Button, number]>> = {
  click: ['left', 1],
  leftclick: ['left', 1],
  leftsingle: ['left', 1],
  clickat: ['left', 1],
  clickabsolute: ['left', 1],
  agentclick: ['left', 1],
  tap: ['left', 1],
  rightclick: ['right', 1],
  rightsingle: ['right', 1],
  middleclick: ['middle', 1],
  doubleclick: ['left', 2],
  leftdouble: ['left', 2],
  tripleclick: ['left', 3],
};
const MOVES = new Set('move mousemove moveto hover hoverat agenthover'.split(' '));
const DRAGS = new Set('drag draganddrop leftclickdrag swipe select'.split(' '));
const SCROLLS = new Set('scroll scrollat scrolldocument hscroll agentscroll scrollabsolute'.split(' '));
const TYPES = new Set('type typetext typetextat inputtext input write agenttype writeabsolute'.split(' '));
const CHORDS = new Set('key keypress presskey hotkey keycombination'.split(' '));
/** Looked at or said, and nothing done. */
const SILENT = new Set('screenshot zoom cursorposition answer terminate finished calluser done'.split(' '));

/** Null: a call of another tool; a text: what it lacks. */
function actsOfCall(call: ToolCall): AnswerAct[] | string | null {
  const name = call.name
    .replace(/^computer\./, '')
    .replaceAll('_', '')
    .replaceAll('-', '')
    .toLowerCase();
  const { args } = call;
  const word = (...names: string[]): string | null => {
    for (const one of names) {
      const value = field(args, one);
      if (typeof value === 'string') return value;
    }
    return null;
  };
  const number = (...names: string[]): number | null => {
    for (const one of names) {
      const value = Number(field(args, one) ?? Number.NaN);
      if (Number.isFinite(value)) return value;
    }
    return null;
  };
  const at = placeOf(call);
  const click = CLICKS[name];
  if (click) {
    const [named, count] = click;
    const button = word('button') ?? named;
    if (button === 'back' || button === 'forward') return `${call.name} with the button ${button}`;
    const plain: Button = button === 'right' || button === 'middle' ? button : button === 'wheel' ? 'middle' : named;
    const times = number('clicks', 'num_clicks') ?? count;
    return [{ do: 'click', at, button: plain, count: Math.min(10, Math.max(1, times)), held: heldBy(args, name) }];
  }
  if (MOVES.has(name)) return at ? [{ do: 'move', at }] : `${call.name} without a place`;
  if (/^(?:left)?mouse(?:down|up)$/.test(name)) {
    const button = word('button');
    const plain: Button = button === 'right' || button === 'middle' ? button : 'left';
    return [{ do: 'button', at, button: plain, down: name.endsWith('down') }];
  }
  if (DRAGS.has(name)) return dragOf(call, at);
  if (SCROLLS.has(name)) return scrollOf(call, name, at, word, number);
  if (TYPES.has(name)) return typeOf(call, name, at, word);
  if (CHORDS.has(name) || name === 'holdkey' || name === 'press') return keysOf(call, name, word, number);
  if (name === 'keydown' || name === 'keyup' || name === 'release') {
    const keys = comboKeys(word('key', 'text', 'keys') ?? '');
    if (!keys) return `${call.name} without a key that there is`;
    return keys.map((key) => ({ do: 'key', key, down: name === 'keydown' }));
  }
  if (name === 'wait') {
    const seconds = number('duration', 'time', 'seconds', 'argument0');
    const ms = number('ms') ?? (seconds === null ? 1000 : seconds * 1000);
    return [{ do: 'wait', ms: Math.min(60_000, Math.max(0, Math.round(ms))) }];
  }
  if (/^wait\d{1,2}seconds$/.test(name)) return [{ do: 'wait', ms: Number(/\d+/.exec(name)![0]) * 1000 }];
  return SILENT.has(name) ? [] : null;
}

const POINTS = [
  'coordinate',
  'point',
  'start_box',
  'position',
  'coords',
  'box',
  'start_point',
  'argument0',
  'start_coordinate',
];

function placeOf({ args, form }: ToolCall): PlaceNumbers | null {
  const xy = numbersOfPlace([field(args, 'x'), field(args, 'y')]);
  if (xy) return xy;
  for (const name of POINTS) {
    const found = pointOf(field(args, name), form);
    if (found) return found;
  }
  if (form !== 'Nova') return null;
  return pointOf(field(args, 'argument1'), form);
}

/** A place of one value. Nova's boxes begin with their rows: top, left, bottom, right. */
function pointOf(value: unknown, form: string): PlaceNumbers | null {
  const numbers = isRecord(value) ? numbersOfPlace([field(value, 'x'), field(value, 'y')]) : numbersOfPlace(value);
  if (!numbers || form !== 'Nova') return numbers;
  const [top, left, bottom, right] = numbers;
  return bottom === undefined || right === undefined ? [left!, top!] : [left!, top!, right, bottom];
}

/** Keys that are down during a click, a drag or a scroll. */
function heldBy(args: JsonRecord, name: string): readonly string[] {
  const value = field(args, 'keys') ?? field(args, 'modifiers') ?? (TYPES.has(name) ? null : field(args, 'text'));
  return combo(value) ?? [];
}

function combo(value: unknown): string[] | null {
  if (typeof value === 'string') return value.trim() === '' ? null : comboKeys(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  const parts = value.map((one) => (typeof one === 'string' ? one : ''));
  return parts.length === 1 ? comboKeys(parts[0]!) : comboKeys(parts.join('+'));
}

const ENDS: readonly (readonly [string, string, string, string])[] = [
  ['start_x', 'start_y', 'end_x', 'end_y'],
  ['x', 'y', 'destination_x', 'destination_y'],
  ['x1', 'y1', 'x2', 'y2'],
];
const END_PLACES = [
  ['start_coordinate', 'coordinate'],
  ['start_coordinate', 'end_coordinate'],
  ['start_point', 'end_point'],
  ['start_box', 'end_box'],
  ['start', 'end'],
  ['coordinate', 'coordinate2'],
] as const;

function dragOf(call: ToolCall, at: PlaceNumbers | null): AnswerAct[] | string {
  const { args, form } = call;
  const held = heldBy(args, 'drag');
  const path = field(args, 'path');
  if (Array.isArray(path) && path.length >= 2) {
    const places = path.slice(0, 10_000).map((one) => pointOf(one, form));
    return places.every((one) => one !== null)
      ? [{ do: 'drag', path: places, held }]
      : `${call.name} with a path that is none`;
  }
  for (const [x1, y1, x2, y2] of ENDS) {
    const from = numbersOfPlace([field(args, x1), field(args, y1)]);
    const to = numbersOfPlace([field(args, x2), field(args, y2)]);
    if (from && to) return [{ do: 'drag', path: [from, to], held }];
  }
  for (const [start, end] of END_PLACES) {
    const [from, to] = [pointOf(field(args, start), form), pointOf(field(args, end), form)];
    if (from && to) return [{ do: 'drag', path: [from, to], held }];
  }
  // Without a beginning it begins where the pointer is.
  return at ? [{ do: 'drag', path: [null, at], held }] : `${call.name} without its ends`;
}

type Words = (...names: string[]) => string | null;
type Numbers = (...names: string[]) => number | null;

/** The px that a notch of a wheel usually moves. */
const NOTCH_PX = 40;

function scrollOf(
  call: ToolCall,
  name: string,
  at: PlaceNumbers | null,
  word: Words,
  number: Numbers,
): AnswerAct[] | string {
  const held = heldBy(call.args, name);
  const notches = (px: number): number => Math.sign(px) * Math.ceil(Math.abs(px) / NOTCH_PX);
  const [sx, sy] = [number('scroll_x', 'delta_x', 'dx'), number('scroll_y', 'delta_y', 'dy')];
  if (sx !== null || sy !== null) return [{ do: 'scroll', at, dx: notches(sx ?? 0), dy: notches(sy ?? 0), held }];
  const pixels = number('pixels');
  if (pixels !== null) {
    // Qwen's are positive upwards, and to the right for hscroll.
    const by = notches(pixels);
    return [
      name === 'hscroll' ? { do: 'scroll', at, dx: by, dy: 0, held } : { do: 'scroll', at, dx: 0, dy: -by, held },
    ];
  }
  const way = (word('direction', 'scroll_direction') ?? word('argument0') ?? '').toLowerCase();
  const given = number('scroll_amount', 'amount', 'clicks');
  const magnitude = number('magnitude');
  const by = Math.max(1, Math.round(given ?? (magnitude === null ? 5 : magnitude / 100)));
  const ways: Readonly<Record<string, readonly [number, number]>> = {
    up: [0, -1],
    down: [0, 1],
    left: [-1, 0],
    right: [1, 0],
  };
  const step = Object.hasOwn(ways, way) ? ways[way] : undefined;
  if (!step) return `${call.name} without a direction`;
  return [{ do: 'scroll', at, dx: step[0] * by || 0, dy: step[1] * by || 0, held }];
}

function typeOf(call: ToolCall, name: string, at: PlaceNumbers | null, word: Words): AnswerAct[] | string {
  const text = word('text', 'content', 'value', 'argument0');
  if (text === null) return `${call.name} without a text`;
  const acts: AnswerAct[] = [];
  // Gemini's types at a place: it clicks there, and clears the field and presses Enter unless told otherwise.
  const typesAt = name === 'typetextat';
  const isTrue = (key: string, otherwise: boolean): boolean => {
    const value = field(call.args, key);
    return typeof value === 'boolean' ? value : otherwise;
  };
  if (at) acts.push({ do: 'click', at, button: 'left', count: 1, held: [] });
  if (isTrue('clear_before_typing', typesAt))
    acts.push({ do: 'chord', keys: ['ctrl', 'a'], ms: null }, { do: 'chord', keys: ['backspace'], ms: null });
  if (text !== '') acts.push({ do: 'type', text });
  if (isTrue('press_enter', typesAt && call.form === GEMINI)) acts.push({ do: 'chord', keys: ['enter'], ms: null });
  return acts;
}

function keysOf(call: ToolCall, name: string, word: Words, number: Numbers): AnswerAct[] | string {
  const list = field(call.args, 'keys');
  const text = word('text', 'key', 'keys', 'content', 'argument0');
  const lacking = `${call.name} without a key that there is`;
  if (Array.isArray(list)) {
    const keys = combo(list);
    return keys ? [{ do: 'chord', keys, ms: null }] : lacking;
  }
  if (text === null || text === '') return lacking;
  // UI-TARS parts a combination by blanks, xdotool's words are one combination after the other.
  const combos = call.form.startsWith('UI-TARS') ? [text] : text.trim().split(/\s+/).slice(0, 200);
  const keys = combos.map((one) => comboKeys(one));
  if (keys.some((one) => one === null)) return lacking;
  if (name === 'press' && call.form === 'UI-TARS 2')
    return keys.flat().map((key) => ({ do: 'key', key: key!, down: true }));
  const seconds = number('duration');
  const ms = name === 'holdkey' ? Math.min(60_000, Math.round((seconds ?? 1) * 1000)) : null;
  const times = Math.min(1000, Math.max(1, number('repeat', 'presses') ?? 1));
  return Array.from({ length: times }, () => keys)
    .flat()
    .map((one) => ({ do: 'chord', keys: one!, ms }));
}

/** The keys that go down, in their order, by canonical names (M11). */
export function keysOfActs(acts: readonly AnswerAct[]): string[] {
  return acts.flatMap((act) => {
    if (act.do === 'chord') return act.keys.map(canonicalKey);
    if (act.do === 'key') return act.down ? [canonicalKey(act.key)] : [];
    if (act.do === 'type') return [...act.text].map(canonicalKey);
    return 'held' in act ? act.held.map(canonicalKey) : [];
  });
}

/** The places of the acts, in their order: one of a click, both ends of a drag, also of one made of its parts. */
export function placesOfActs(
  acts: readonly AnswerAct[],
): (readonly [PlaceNumbers] | readonly [PlaceNumbers, PlaceNumbers])[] {
  const found: { places: readonly [PlaceNumbers] | readonly [PlaceNumbers, PlaceNumbers]; isMove: boolean }[] = [];
  let pointer: PlaceNumbers | null = null;
  let down: PlaceNumbers | null = null;
  for (const act of acts) {
    if (act.do === 'drag') {
      const from: PlaceNumbers | null = act.path[0] ?? pointer;
      const to: PlaceNumbers | null = act.path.at(-1) ?? null;
      if (from && to) found.push({ places: [from, to], isMove: false });
      pointer = to ?? pointer;
    } else if ('at' in act) {
      const at: PlaceNumbers | null = act.at ?? pointer;
      pointer = at;
      if (act.do === 'button' && act.down) down = at;
      else if (act.do === 'button') {
        if (down && at) found.push({ places: down.join() === at.join() ? [at] : [down, at], isMove: false });
        down = null;
      } else if (at) found.push({ places: [at], isMove: act.do === 'move' });
    }
  }
  // A movement before something else is part of it.
  const done = found.filter(({ isMove }) => !isMove);
  return (done.length > 0 ? done : found).map(({ places }) => places);
}
