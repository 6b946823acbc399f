import { isUnseen } from '../../actions/unseen.ts';
import { relativePoint } from '../coordinates.ts';
import { type ExportAction, isInside, type PicturePoint, type PlatformName } from '../model.ts';
import { pyautoguiKey } from './keys.ts';

/** One call of PyAutoGUI, or of the `computer` functions that AgentNet adds to it. Arguments by name, in order. */
export type GuiCall = { module: 'pyautogui' | 'computer'; name: string; args: Record<string, Argument> };
export type Argument = string | number | readonly string[];

/** Calls, or why there are none. */
type Calls = { calls: GuiCall[] } | { reason: string };

const pyautogui = (name: string, args: GuiCall['args']): GuiCall => ({ module: 'pyautogui', name, args });
const computer = (name: string, args: GuiCall['args']): GuiCall => ({ module: 'computer', name, args });

/** The end of a demonstration (formats.md). */
export const TERMINATE = computer('terminate', { status: 'success' });

/**
 * An action as calls that do it again, with positions from 0 to 1 of its picture. Modifiers held during a click, drag or
 * scroll stand around it as keyDown and keyUp. The way of a drag and how long a press was held have no call.
 */
export function guiCalls(exported: ExportAction, platform: PlatformName | null): Calls {
  const { action } = exported;
  if (isUnseen(action)) return { reason: UNSEEN };
  switch (action.kind) {
    case 'type':
      if (action.text) return { calls: [pyautogui('write', { message: action.text })] };
      return { reason: action.withheld ? WITHHELD : 'no text was typed' };
    case 'press':
      return pressCalls(action.keys ?? [], action.count, platform);
    case 'wait': {
      const seconds = Math.round((action.end.t - action.start.t) / 1e4) / 100;
      return { calls: [computer('wait', { duration: seconds })] };
    }
    default:
      return pointerCalls(exported, platform);
  }
}

/** Calls whose places count whole units of a picture that is so wide and high: its pixels, or thousandths of it. */
export const inUnits = (calls: readonly GuiCall[], { width, height }: { width: number; height: number }): GuiCall[] =>
  calls.map(({ args, ...call }) => {
    const { x, y } = args;
    if (typeof x !== 'number' || typeof y !== 'number') return { ...call, args };
    return { ...call, args: { ...args, x: Math.round(x * width), y: Math.round(y * height) } };
  });

function pressCalls(keys: readonly string[], count: number, platform: PlatformName | null): Calls {
  const names = namesOf(keys, platform);
  if ('reason' in names) return names;
  if (names.keys.length === 0) return { reason: 'no key is known of it' };
  if (names.keys.length === 1) {
    return { calls: [pyautogui('press', { keys: names.keys, ...(count > 1 && { presses: count }) })] };
  }
  return { calls: Array.from({ length: count }, () => pyautogui('hotkey', { keys: names.keys })) };
}

function pointerCalls(exported: ExportAction, platform: PlatformName | null): Calls {
  const { action, beforeImage, positions } = exported;
  if (!beforeImage || !positions) return { reason: NO_PICTURE };
  const outside = placeOutside(action.kind, positions, beforeImage);
  if (outside) return { reason: outside };
  const start = relativePoint(positions.start, beforeImage);
  const end = relativePoint(positions.end, beforeImage);
  const made = pointerCall(action, start, end);
  if ('reason' in made) return made;
  const held = namesOf(action.modifiers, platform);
  if ('reason' in held) return held;
  return {
    calls: [
      ...held.keys.map((key) => pyautogui('keyDown', { key })),
      ...made.calls,
      ...held.keys.toReversed().map((key) => pyautogui('keyUp', { key })),
    ],
  };
}

/** An imported step of which only the screens are known (A16): nothing is made up for it. */
export const WITHHELD = 'it was typed into a field for passwords, which is not recorded';
export const UNSEEN = 'what was done is not known: no input was recorded';
export const NO_PICTURE = 'there is no picture of the screen before it';

/** Why a position cannot stand in a picture; null when it can. Never clamped. */
export function outsideOf(
  name: 'start' | 'end',
  position: PicturePoint,
  picture: { width: number; height: number },
): string | null {
  if (isInside(position, picture)) return null;
  const { width, height } = picture;
  return `its ${name} (${position.join(', ')}) lies outside of the picture of ${width} x ${height}`;
}

/** The same of every position that a step of this kind has; the first that is outside. */
export function placeOutside(
  kind: ExportAction['action']['kind'],
  positions: NonNullable<ExportAction['positions']>,
  picture: { width: number; height: number },
): string | null {
  const start = outsideOf('start', positions.start, picture);
  return start ?? (kind === 'drag' ? outsideOf('end', positions.end, picture) : null);
}

type Place = { x: number; y: number };

function pointerCall({ kind, button, count, scroll }: ExportAction['action'], start: Place, end: Place): Calls {
  if (kind === 'hover') return { calls: [pyautogui('moveTo', start)] };
  if (kind === 'scroll') return scrollCalls(scroll, start);
  if (button !== 'left' && button !== 'right' && button !== 'middle') {
    return { reason: `PyAutoGUI has no button "${button}"` };
  }
  if (kind === 'drag') return { calls: [pyautogui('moveTo', start), pyautogui('dragTo', { ...end, button })] };
  return { calls: [clickCall(button, count, start)] };
}

function clickCall(button: 'left' | 'right' | 'middle', count: number, at: Place): GuiCall {
  if (count === 1) return pyautogui({ left: 'click', right: 'rightClick', middle: 'middleClick' }[button], at);
  if (button === 'left' && count === 2) return pyautogui('doubleClick', at);
  if (button === 'left' && count === 3) return computer('tripleClick', at);
  return pyautogui('click', { ...at, clicks: count, ...(button !== 'left' && { button }) });
}

/** PyAutoGUI counts up and right as positive; our dy is positive when the user scrolls down (A10). */
function scrollCalls(scroll: ExportAction['action']['scroll'], at: Place): Calls {
  const dx = whole(scroll?.dx ?? 0);
  const dy = whole(scroll?.dy ?? 0);
  if (dx === 0 && dy === 0) return { reason: 'the scroll goes nowhere' };
  return {
    calls: [
      pyautogui('moveTo', at),
      ...(dy === 0 ? [] : [pyautogui('scroll', { clicks: -dy })]),
      ...(dx === 0 ? [] : [pyautogui('hscroll', { clicks: dx })]),
    ],
  };
}

/** Clicks of the wheel are whole; less than one is one. */
function whole(delta: number): number {
  return Math.sign(delta) * Math.max(Math.round(Math.abs(delta)), delta === 0 ? 0 : 1);
}

function namesOf(keys: readonly string[], platform: PlatformName | null): { keys: string[] } | { reason: string } {
  const names: string[] = [];
  for (const key of keys) {
    const name = pyautoguiKey(key, platform);
    if (name === null) return { reason: `PyAutoGUI has no key "${key}"` };
    names.push(name);
  }
  return { keys: names };
}
