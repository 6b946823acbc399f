import { isUnseen } from '../../actions/unseen.ts';
import type { ExportAction, PicturePoint } from '../model.ts';
import { NO_PICTURE, placeOutside, UNSEEN, WITHHELD } from '../pyautogui/calls.ts';

/** An action as the actions of OpenAI's tool `computer`: names and fields are its own, places px of the picture before. */

export type ComputerAction = { type: string; [field: string]: unknown };
type Made = { actions: ComputerAction[] } | { reason: string };

/** Its buttons by ours. */
const BUTTONS: Readonly<Record<string, string>> = {
  left: 'left',
  right: 'right',
  middle: 'wheel',
  back: 'back',
  forward: 'forward',
};
/** Its wheel turns by px; this many are a notch in the reader of answers (M34), too. */
const NOTCH_PX = 40;
const KEYS: Readonly<Record<string, string>> = { meta: 'SUPER', Escape: 'ESC' };

const keyName = (key: string): string => KEYS[key] ?? ([...key].length > 1 ? key.toUpperCase() : key);
const point = ([x, y]: PicturePoint): { x: number; y: number } => ({ x, y });

export function computerActions(exported: ExportAction): Made {
  const { action, beforeImage, positions } = exported;
  if (isUnseen(action)) return { reason: UNSEEN };
  switch (action.kind) {
    case 'type':
      if (action.text) return { actions: [{ type: 'type', text: action.text }] };
      return { reason: action.withheld ? WITHHELD : 'no text was typed' };
    case 'press': {
      if (!action.keys?.length) return { reason: 'no key is known of it' };
      const keys = action.keys.map(keyName);
      return { actions: Array.from({ length: action.count }, () => ({ type: 'keypress', keys })) };
    }
    case 'wait':
      return { actions: [{ type: 'wait' }] };
    default:
      break;
  }
  if (!beforeImage || !positions) return { reason: NO_PICTURE };
  const outside = placeOutside(action.kind, positions, beforeImage);
  if (outside) return { reason: outside };
  const at = point(positions.start);
  const held = action.modifiers.length > 0 ? { keys: action.modifiers.map(keyName) } : {};
  if (action.kind === 'hover') return { actions: [{ type: 'move', ...at, ...held }] };
  if (action.kind === 'scroll') return scrolled(action.scroll, { ...at, ...held });
  const button = BUTTONS[action.button ?? ''];
  if (button === undefined) return { reason: `the tool has no button "${action.button}"` };
  if (action.kind === 'drag') {
    const path = [at, point(positions.end)];
    return { actions: [{ type: 'drag', path, ...(button !== 'left' && { button }), ...held }] };
  }
  if (button === 'left' && action.count === 2) return { actions: [{ type: 'double_click', ...at, ...held }] };
  return { actions: Array.from({ length: action.count }, () => ({ type: 'click', button, ...at, ...held })) };
}

function scrolled(scroll: ExportAction['action']['scroll'], place: object): Made {
  if (!scroll || (scroll.dx === 0 && scroll.dy === 0)) return { reason: 'the scroll goes nowhere' };
  const px = (delta: number): number => Math.round(scroll.unit === 'notch' ? delta * NOTCH_PX : delta) + 0;
  return { actions: [{ type: 'scroll', ...place, scroll_x: px(scroll.dx), scroll_y: px(scroll.dy) }] };
}
