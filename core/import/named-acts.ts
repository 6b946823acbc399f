import { isRecord } from '../evaluate/reading/records.ts';
import type { AnswerAct, PlaceNumbers } from '../evaluate/reading/tool-acts.ts';

/**
 * Acts by the names of OSWorld's action space `computer_13`, which VideoCUA's logs have too with other names of fields: a place
 * that is left out is where the pointer is, wheels count up as positive.
 */

type Fields = Readonly<Record<string, unknown>>;
type Button = 'left' | 'right' | 'middle';

const NAMES: ReadonlySet<string> = new Set([
  ...['MOVE_TO', 'CLICK', 'MOUSE_DOWN', 'MOUSE_UP', 'RIGHT_CLICK', 'DOUBLE_CLICK', 'DRAG_TO', 'SCROLL'],
  ...['TYPING', 'PRESS', 'KEY_DOWN', 'KEY_UP', 'HOTKEY', 'WAIT'],
]);
export const isNamedAct = (name: string): boolean => NAMES.has(name);

const MOST_NOTCHES = 10_000;

/** The acts of one of NAMES, or what it lacks. */
export function namedActs(name: string, fields: unknown): AnswerAct[] | string {
  const of: Fields = isRecord(fields) ? fields : {};
  const number = (...keys: string[]): number | null => {
    const found = keys.map((key) => of[key]).find((value) => typeof value === 'number' && Number.isFinite(value));
    return typeof found === 'number' ? found : null;
  };
  const text = (key: string): string | null => {
    const value = of[key];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const [x, y] = [number('x'), number('y')];
  const at: PlaceNumbers | null = x === null || y === null ? null : [x, y];
  const button = buttonOf(of.button ?? (name === 'CLICK' ? of.text : undefined));
  switch (name) {
    case 'MOVE_TO':
      return at ? [{ do: 'move', at }] : lacks(name, 'a place');
    case 'CLICK':
    case 'RIGHT_CLICK':
    case 'DOUBLE_CLICK': {
      if (button === null) return lacks(name, 'a button that there is');
      const count = name === 'DOUBLE_CLICK' ? 2 : Math.min(10, Math.max(1, number('num_clicks', 'numClicks') ?? 1));
      return [
        { do: 'click', at, button: name === 'RIGHT_CLICK' ? 'right' : button, count: Math.round(count), held: [] },
      ];
    }
    case 'MOUSE_DOWN':
    case 'MOUSE_UP':
      if (button === null) return lacks(name, 'a button that there is');
      return [{ do: 'button', at, button, down: name === 'MOUSE_DOWN' }];
    case 'DRAG_TO':
      if (button === null) return lacks(name, 'a button that there is');
      if (at === null) return lacks(name, 'a place');
      if (button === 'left') return [{ do: 'drag', path: [null, at], held: [] }];
      return `${name} by another button than the left one`;
    case 'SCROLL': {
      const [dx, dy] = [number('dx', 'scrollX') ?? 0, number('dy', 'scrollY') ?? 0];
      if (dx === 0 && dy === 0) return lacks(name, 'a way');
      return [{ do: 'scroll', at, dx: notches(dx), dy: -notches(dy) || 0, held: [] }];
    }
    case 'TYPING': {
      const typed = text('text');
      return typed === null ? lacks(name, 'a text') : [{ do: 'type', text: typed }];
    }
    case 'PRESS': {
      const key = text('key');
      return key === null ? lacks(name, 'a key') : [{ do: 'chord', keys: [key], ms: null }];
    }
    case 'KEY_DOWN':
    case 'KEY_UP': {
      const key = text('key');
      return key === null ? lacks(name, 'a key') : [{ do: 'key', key, down: name === 'KEY_DOWN' }];
    }
    case 'HOTKEY': {
      const keys = Array.isArray(of.keys) ? of.keys.filter((key) => typeof key === 'string' && key !== '') : [];
      return keys.length === 0 || !Array.isArray(of.keys) || keys.length < of.keys.length
        ? lacks(name, 'keys')
        : [{ do: 'chord', keys, ms: null }];
    }
    case 'WAIT':
      return [{ do: 'wait', ms: 1000 }];
    default:
      return `${name.slice(0, 60)}, which is no action that is known`;
  }
}

const lacks = (name: string, what: string): string => `${name} without ${what}`;

/** Null: there is no such button. Absent: the left one. */
function buttonOf(value: unknown): Button | null {
  const name = typeof value === 'string' ? value.toLowerCase() : value === undefined ? 'left' : '';
  return name === 'left' || name === 'right' || name === 'middle' ? name : null;
}

const notches = (value: number): number => {
  const whole = Math.sign(value) * Math.max(1, Math.round(Math.abs(value)));
  return Math.min(MOST_NOTCHES, Math.max(-MOST_NOTCHES, whole));
};
