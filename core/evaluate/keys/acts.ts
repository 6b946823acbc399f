import type { MouseCall } from './library.ts';
import type { Spot } from './mouse.ts';
import type { Value } from './values.ts';

/**
 * The actions of a program in order, so that they can be performed: keys by the library's names, the mouse in pixels of the
 * screen. A null place is where the pointer is.
 */
export type Act =
  | { do: 'key'; key: string; down: boolean }
  | { do: 'move'; at: Spot }
  | { do: 'button'; at: Spot | null; button: string; down: boolean }
  | { do: 'click'; at: Spot | null; button: string; count: number }
  | { do: 'drag'; from: Spot | null; to: Spot; button: string; path?: readonly Spot[] }
  | { do: 'scroll'; at: Spot | null; dx: number; dy: number }
  | { do: 'wait'; ms: number };

/** More than this is no answer; a script of more is refused by who performs it. */
export const MOST_ACTS = 20_000;
const MOST_WAIT_MS = 60_000;

/** A call of the mouse as an act; null where its arguments move nothing. `before` and `at`: the pointer before and after it. */
export function mouseAct(
  call: MouseCall,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
  before: Spot | null,
  at: Spot | null,
): Act | null {
  const number = (index: number, name: string, otherwise: number): number => {
    const value = positional[index] ?? named.get(name);
    return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : otherwise;
  };
  const button = (index: number): string => buttonOf(positional[index] ?? named.get('button'));
  switch (call) {
    case 'click':
      return { do: 'click', at, count: Math.min(10, Math.max(0, number(2, 'clicks', 1))), button: button(4) };
    case 'leftClick':
      return { do: 'click', at, count: 1, button: 'left' };
    case 'rightClick':
      return { do: 'click', at, count: 1, button: 'right' };
    case 'middleClick':
      return { do: 'click', at, count: 1, button: 'middle' };
    case 'doubleClick':
      return { do: 'click', at, count: 2, button: button(3) };
    case 'tripleClick':
      return { do: 'click', at, count: 3, button: button(3) };
    case 'moveTo':
    case 'moveRel':
    case 'move':
      return at && { do: 'move', at };
    case 'dragTo':
    case 'dragRel':
    case 'drag':
      return at && { do: 'drag', from: before, to: at, button: button(4) };
    case 'mouseDown':
    case 'mouseUp':
      return { do: 'button', at, button: button(2), down: call === 'mouseDown' };
    case 'scroll':
    case 'vscroll':
      return { do: 'scroll', at, dx: 0, dy: -number(0, 'clicks', 0) };
    case 'hscroll':
      return { do: 'scroll', at, dx: number(0, 'clicks', 0), dy: 0 };
  }
}

function buttonOf(value: Value | undefined): string {
  if (value === 'right' || value === 'secondary' || value === 3) return 'right';
  return value === 'middle' || value === 2 ? 'middle' : 'left';
}

export function waitAct(seconds: Value | undefined): Act {
  const ms = typeof seconds === 'number' && Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
  return { do: 'wait', ms: Math.min(MOST_WAIT_MS, Math.round(ms)) };
}
