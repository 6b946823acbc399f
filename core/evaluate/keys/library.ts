/** PyAutoGUI 0.9.54's public functions, each with what comes of it here (M10, M11). */

/** `silent`: no key, no movement; `value`: makes something that other calls take; `refused`: does something else. */
type Fate = 'keyboard' | 'mouse' | 'silent' | 'value' | 'refused';

export type KeyboardCall = (typeof KEYBOARD)[number];
const KEYBOARD = [
  ...(['press', 'hotkey', 'shortcut', 'keyDown', 'keyUp', 'write', 'typewrite', 'hold'] as const),
  // PyAutoGUI and `time` both have it; it waits.
  'sleep' as const,
];

export type MouseCall = (typeof MOUSE)[number];
const MOUSE = [
  ...(['click', 'leftClick', 'rightClick', 'middleClick', 'doubleClick', 'tripleClick'] as const),
  ...(['moveTo', 'moveRel', 'move', 'dragTo', 'dragRel', 'drag', 'mouseDown', 'mouseUp'] as const),
  ...(['scroll', 'hscroll', 'vscroll'] as const),
];

/** Ways of moving: taken as an argument, never called. */
const EASINGS = ['Quad', 'Cubic', 'Quart', 'Quint', 'Sine', 'Expo', 'Circ', 'Elastic', 'Back', 'Bounce'].flatMap(
  (name) => ['In', 'Out', 'InOut'].map((way) => `ease${way}${name}`),
);

const words = (text: string): string[] => text.trim().split(/\s+/);

const FATES: ReadonlyMap<string, Fate> = new Map<string, Fate>([
  ...KEYBOARD.map((name) => [name, 'keyboard'] as const),
  ...MOUSE.map((name) => [name, 'mouse'] as const),
  ...words('countdown failSafeCheck useImageNotFoundException').map((name) => [name, 'silent'] as const),
  ...['size', 'resolution', 'position', 'linear', ...EASINGS].map((name) => [name, 'value'] as const),
  ...words('LEFT MIDDLE RIGHT PRIMARY SECONDARY KEYBOARD_KEYS KEY_NAMES').map((name) => [name, 'value'] as const),
  ...words(`alert confirm prompt password screenshot snapshot center locate locateAll locateAllOnScreen
    locateCenterOnScreen locateOnScreen locateOnWindow pixel pixelMatchesColor getActiveWindow getActiveWindowTitle
    getAllTitles getAllWindows getWindowsAt getWindowsWithTitle Window mouseInfo displayMousePosition printInfo getInfo
    getPointOnLine isShiftCharacter isValidKey onScreen Point Size run`).map((name) => [name, 'refused'] as const),
]);

export const fateOf = (name: string): Fate => FATES.get(name) ?? 'refused';

const KEYBOARD_NAMES: ReadonlySet<string> = new Set(KEYBOARD);
const MOUSE_NAMES: ReadonlySet<string> = new Set(MOUSE);
export const isKeyboardCall = (name: string): name is KeyboardCall => KEYBOARD_NAMES.has(name);
export const isMouseCall = (name: string): name is MouseCall => MOUSE_NAMES.has(name);

/** The names that `from pyautogui import *` brings. */
export const STAR_NAMES: readonly string[] = [...FATES].flatMap(([name, fate]) => (fate === 'refused' ? [] : [name]));

export const SETTINGS: ReadonlySet<string> = new Set([
  ...words('PAUSE FAILSAFE FAILSAFE_POINTS MINIMUM_DURATION MINIMUM_SLEEP DARWIN_CATCH_UP_TIME'),
  ...words('LOG_SCREENSHOTS LOG_SCREENSHOTS_LIMIT'),
]);

const CONSTANTS = new Map([
  ['LEFT', 'left'],
  ['MIDDLE', 'middle'],
  ['RIGHT', 'right'],
  ['PRIMARY', 'primary'],
  ['SECONDARY', 'secondary'],
]);
/** A constant's value; undefined when it is none. */
export const constantOf = (name: string): string | undefined => CONSTANTS.get(name);
