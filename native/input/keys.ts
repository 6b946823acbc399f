/**
 * Physical keys: one row a key, its W3C KeyboardEvent.code beside the number that each source gives it.
 * Sources: UI Events KeyboardEvent code Values (W3C); uiohook.h `VC_*`; Linux input-event-codes.h (X11 keycode = KEY_* + 8,
 * rule files `keycodes/evdev`); USB HID to PS/2 Scan Code Translation Table (Windows set 1, 0xE0xx extended);
 * HIToolbox Events.h `kVK_*` (macOS).
 */
type Row = readonly [
  code: string,
  /** uiohook virtual code. */
  uiohook: number | null,
  /** X11 keycode under evdev. */
  x11: number | null,
  /** Windows scan code, set 1. */
  windows: number | null,
  /** macOS virtual keycode. */
  mac: number | null,
];

const ROWS: readonly Row[] = [
  // Writing keys.
  ['Backquote', 0x29, 49, 0x29, 0x32],
  ['Digit1', 0x02, 10, 0x02, 0x12],
  ['Digit2', 0x03, 11, 0x03, 0x13],
  ['Digit3', 0x04, 12, 0x04, 0x14],
  ['Digit4', 0x05, 13, 0x05, 0x15],
  ['Digit5', 0x06, 14, 0x06, 0x17],
  ['Digit6', 0x07, 15, 0x07, 0x16],
  ['Digit7', 0x08, 16, 0x08, 0x1a],
  ['Digit8', 0x09, 17, 0x09, 0x1c],
  ['Digit9', 0x0a, 18, 0x0a, 0x19],
  ['Digit0', 0x0b, 19, 0x0b, 0x1d],
  ['Minus', 0x0c, 20, 0x0c, 0x1b],
  ['Equal', 0x0d, 21, 0x0d, 0x18],
  ['KeyQ', 0x10, 24, 0x10, 0x0c],
  ['KeyW', 0x11, 25, 0x11, 0x0d],
  ['KeyE', 0x12, 26, 0x12, 0x0e],
  ['KeyR', 0x13, 27, 0x13, 0x0f],
  ['KeyT', 0x14, 28, 0x14, 0x11],
  ['KeyY', 0x15, 29, 0x15, 0x10],
  ['KeyU', 0x16, 30, 0x16, 0x20],
  ['KeyI', 0x17, 31, 0x17, 0x22],
  ['KeyO', 0x18, 32, 0x18, 0x1f],
  ['KeyP', 0x19, 33, 0x19, 0x23],
  ['BracketLeft', 0x1a, 34, 0x1a, 0x21],
  ['BracketRight', 0x1b, 35, 0x1b, 0x1e],
  ['Backslash', 0x2b, 51, 0x2b, 0x2a],
  ['KeyA', 0x1e, 38, 0x1e, 0x00],
  ['KeyS', 0x1f, 39, 0x1f, 0x01],
  ['KeyD', 0x20, 40, 0x20, 0x02],
  ['KeyF', 0x21, 41, 0x21, 0x03],
  ['KeyG', 0x22, 42, 0x22, 0x05],
  ['KeyH', 0x23, 43, 0x23, 0x04],
  ['KeyJ', 0x24, 44, 0x24, 0x26],
  ['KeyK', 0x25, 45, 0x25, 0x28],
  ['KeyL', 0x26, 46, 0x26, 0x25],
  ['Semicolon', 0x27, 47, 0x27, 0x29],
  ['Quote', 0x28, 48, 0x28, 0x27],
  ['IntlBackslash', 0x0e46, 94, 0x56, 0x0a],
  ['KeyZ', 0x2c, 52, 0x2c, 0x06],
  ['KeyX', 0x2d, 53, 0x2d, 0x07],
  ['KeyC', 0x2e, 54, 0x2e, 0x08],
  ['KeyV', 0x2f, 55, 0x2f, 0x09],
  ['KeyB', 0x30, 56, 0x30, 0x0b],
  ['KeyN', 0x31, 57, 0x31, 0x2d],
  ['KeyM', 0x32, 58, 0x32, 0x2e],
  ['Comma', 0x33, 59, 0x33, 0x2b],
  ['Period', 0x34, 60, 0x34, 0x2f],
  ['Slash', 0x35, 61, 0x35, 0x2c],
  ['Space', 0x39, 65, 0x39, 0x31],
  // Japanese, Brazilian, Korean keys. IntlRo is also the Brazilian /?.
  ['IntlRo', 0x73, 97, 0x73, 0x5e],
  ['IntlYen', 0x7d, 132, 0x7d, 0x5d],
  ['KanaMode', 0x70, 101, 0x70, null],
  ['Convert', 0x79, 100, 0x79, null],
  ['NonConvert', 0x7b, 102, 0x7b, null],
  ['Lang1', null, 130, 0x72, 0x68],
  ['Lang2', null, 131, 0x71, 0x66],
  ['Lang3', null, 98, 0x78, null],
  ['Lang4', 0x77, 99, 0x77, null],
  ['Lang5', null, 93, null, null],
  // Control and modifier keys.
  ['Escape', 0x01, 9, 0x01, 0x35],
  ['Backspace', 0x0e, 22, 0x0e, 0x33],
  ['Tab', 0x0f, 23, 0x0f, 0x30],
  ['Enter', 0x1c, 36, 0x1c, 0x24],
  ['CapsLock', 0x3a, 66, 0x3a, 0x39],
  ['ShiftLeft', 0x2a, 50, 0x2a, 0x38],
  ['ShiftRight', 0x36, 62, 0x36, 0x3c],
  ['ControlLeft', 0x1d, 37, 0x1d, 0x3b],
  ['ControlRight', 0x0e1d, 105, 0xe01d, 0x3e],
  ['AltLeft', 0x38, 64, 0x38, 0x3a],
  ['AltRight', 0x0e38, 108, 0xe038, 0x3d],
  ['MetaLeft', 0x0e5b, 133, 0xe05b, 0x37],
  ['MetaRight', 0x0e5c, 134, 0xe05c, 0x36],
  ['ContextMenu', 0x0e5d, 135, 0xe05d, 0x6e],
  ['Fn', null, null, null, 0x3f],
  // Editing and cursor keys. The Mac's Help key stands where Insert is.
  ['Insert', 0x0e52, 118, 0xe052, 0x72],
  ['Delete', 0x0e53, 119, 0xe053, 0x75],
  ['Home', 0x0e47, 110, 0xe047, 0x73],
  ['End', 0x0e4f, 115, 0xe04f, 0x77],
  ['PageUp', 0x0e49, 112, 0xe049, 0x74],
  ['PageDown', 0x0e51, 117, 0xe051, 0x79],
  ['ArrowUp', 0xe048, 111, 0xe048, 0x7e],
  ['ArrowLeft', 0xe04b, 113, 0xe04b, 0x7b],
  ['ArrowRight', 0xe04d, 114, 0xe04d, 0x7c],
  ['ArrowDown', 0xe050, 116, 0xe050, 0x7d],
  // Keypad.
  ['NumLock', 0x45, 77, 0xe045, 0x47],
  ['NumpadDivide', 0x0e35, 106, 0xe035, 0x4b],
  ['NumpadMultiply', 0x37, 63, 0x37, 0x43],
  ['NumpadSubtract', 0x4a, 82, 0x4a, 0x4e],
  ['NumpadAdd', 0x4e, 86, 0x4e, 0x45],
  ['NumpadEnter', 0x0e1c, 104, 0xe01c, 0x4c],
  ['NumpadEqual', 0x0e0d, 125, 0x59, 0x51],
  ['NumpadDecimal', 0x53, 91, 0x53, 0x41],
  ['NumpadComma', 0x7e, 129, 0x7e, 0x5f],
  ['Numpad0', 0x52, 90, 0x52, 0x52],
  ['Numpad1', 0x4f, 87, 0x4f, 0x53],
  ['Numpad2', 0x50, 88, 0x50, 0x54],
  ['Numpad3', 0x51, 89, 0x51, 0x55],
  ['Numpad4', 0x4b, 83, 0x4b, 0x56],
  ['Numpad5', 0x4c, 84, 0x4c, 0x57],
  ['Numpad6', 0x4d, 85, 0x4d, 0x58],
  ['Numpad7', 0x47, 79, 0x47, 0x59],
  ['Numpad8', 0x48, 80, 0x48, 0x5b],
  ['Numpad9', 0x49, 81, 0x49, 0x5c],
  ['NumpadParenLeft', null, 187, null, null],
  ['NumpadParenRight', null, 188, null, null],
  // Function and system keys.
  ['F1', 0x3b, 67, 0x3b, 0x7a],
  ['F2', 0x3c, 68, 0x3c, 0x78],
  ['F3', 0x3d, 69, 0x3d, 0x63],
  ['F4', 0x3e, 70, 0x3e, 0x76],
  ['F5', 0x3f, 71, 0x3f, 0x60],
  ['F6', 0x40, 72, 0x40, 0x61],
  ['F7', 0x41, 73, 0x41, 0x62],
  ['F8', 0x42, 74, 0x42, 0x64],
  ['F9', 0x43, 75, 0x43, 0x65],
  ['F10', 0x44, 76, 0x44, 0x6d],
  ['F11', 0x57, 95, 0x57, 0x67],
  ['F12', 0x58, 96, 0x58, 0x6f],
  ['F13', 0x5b, 191, 0x64, 0x69],
  ['F14', 0x5c, 192, 0x65, 0x6b],
  ['F15', 0x5d, 193, 0x66, 0x71],
  ['F16', 0x63, 194, 0x67, 0x6a],
  ['F17', 0x64, 195, 0x68, 0x40],
  ['F18', 0x65, 196, 0x69, 0x4f],
  ['F19', 0x66, 197, 0x6a, 0x50],
  ['F20', 0x67, 198, 0x6b, 0x5a],
  ['F21', 0x68, 199, 0x6c, null],
  ['F22', 0x69, 200, 0x6d, null],
  ['F23', 0x6a, 201, 0x6e, null],
  ['F24', 0x6b, 202, 0x76, null],
  ['PrintScreen', 0x0e37, 107, 0xe037, null],
  ['ScrollLock', 0x46, 78, 0x46, null],
  ['Pause', 0x0e45, 127, 0x45, null],
  ['Power', 0xe05e, 124, 0xe05e, null],
  ['Sleep', 0xe05f, 150, 0xe05f, null],
  ['WakeUp', 0xe063, 151, 0xe063, null],
  // Media, launch and browser keys.
  ['AudioVolumeMute', 0xe020, 121, 0xe020, 0x4a],
  ['AudioVolumeDown', 0xe02e, 122, 0xe02e, 0x49],
  ['AudioVolumeUp', 0xe030, 123, 0xe030, 0x48],
  ['MediaPlayPause', 0xe022, 172, 0xe022, null],
  ['MediaStop', 0xe024, 174, 0xe024, null],
  ['MediaTrackPrevious', 0xe010, 173, 0xe010, null],
  ['MediaTrackNext', 0xe019, 171, 0xe019, null],
  ['MediaSelect', 0xe06d, 234, 0xe06d, null],
  ['Eject', 0xe02c, 169, 0xe02c, null],
  ['LaunchMail', 0xe06c, 163, 0xe06c, null],
  ['LaunchApp1', null, 165, 0xe06b, null],
  ['LaunchApp2', 0xe021, 148, 0xe021, null],
  ['BrowserSearch', 0xe065, 225, 0xe065, null],
  ['BrowserHome', 0xe032, 180, 0xe032, null],
  ['BrowserBack', 0xe06a, 166, 0xe06a, null],
  ['BrowserForward', 0xe069, 167, 0xe069, null],
  ['BrowserStop', 0xe068, null, 0xe068, null],
  ['BrowserRefresh', 0xe067, 181, 0xe067, null],
  ['BrowserFavorites', 0xe066, 164, 0xe066, null],
  // Sun keyboards.
  ['Help', 0xff75, 146, 0xe03b, null],
  ['Props', 0xff76, 138, null, null],
  ['Select', 0xff77, 140, null, null],
  ['Open', 0xff74, 142, null, null],
  ['Find', 0xff7e, 144, null, null],
  ['Again', 0xff79, 137, null, null],
  ['Undo', 0xff7a, 139, 0xe008, null],
  ['Copy', 0xff7c, 141, 0xe018, null],
  ['Paste', 0xff7d, 143, 0xe00a, null],
  ['Cut', 0xff7b, 145, 0xe017, null],
];

/** Further numbers for a key that a source gives two, as [number, code]. */
const MORE_UIOHOOK: readonly (readonly [number, string])[] = [
  // 0xEE00: the keypad without NumLock, named by what it does; the key is the same.
  [0xee4f, 'Numpad1'],
  [0xee50, 'Numpad2'],
  [0xee51, 'Numpad3'],
  [0xee4b, 'Numpad4'],
  [0xee4c, 'Numpad5'],
  [0xee4d, 'Numpad6'],
  [0xee47, 'Numpad7'],
  [0xee48, 'Numpad8'],
  [0xee49, 'Numpad9'],
  [0xee52, 'Numpad0'],
  [0xee53, 'NumpadDecimal'],
  // VC_CLEAR: Windows' VK_CLEAR, which a PC keyboard sends with the keypad's 5.
  [0xe04c, 'Numpad5'],
  // Launch keys whose uiohook names differ from W3C's.
  [0xe03c, 'MediaSelect'],
  [0xe064, 'LaunchApp1'],
  [0xff78, 'Abort'],
];
const MORE_X11: readonly (readonly [number, string])[] = [
  [103, 'NumpadComma'],
  [136, 'Abort'],
  [158, 'BrowserHome'],
  [170, 'Eject'],
  [208, 'MediaPlayPause'],
  [209, 'MediaPlayPause'],
  [215, 'MediaPlayPause'],
  [223, 'LaunchMail'],
];
const MORE_WINDOWS: readonly (readonly [number, string])[] = [
  // Pause comes as E1 1D 45 and as 45 alone; NumLock with the extended bit. MapVirtualKeyEx gives these two instead.
  [0xe11d, 'Pause'],
  [0xe046, 'Pause'],
  // Alt+PrintScreen.
  [0x54, 'PrintScreen'],
  // Korean keyboards without the break code's bit stripped.
  [0xf2, 'Lang1'],
  [0xf1, 'Lang2'],
];

function table(column: 1 | 2 | 3 | 4, more: readonly (readonly [number, string])[]): ReadonlyMap<number, string> {
  const map = new Map<number, string>();
  for (const row of ROWS) {
    const number = row[column];
    if (number !== null) map.set(number, row[0]);
  }
  for (const [number, code] of more) map.set(number, code);
  return map;
}

const byUiohook = table(1, MORE_UIOHOOK);
const byX11 = table(2, MORE_X11);
const byWindows = table(3, MORE_WINDOWS);
const byMac = table(4, []);
const toUiohook: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap(([code, uiohook]) => (uiohook === null ? [] : [[code, uiohook] as const])),
);

const toX11: ReadonlyMap<string, number> = new Map(
  ROWS.flatMap(([code, , x11]) => (x11 === null ? [] : [[code, x11] as const])),
);

/**
 * A uiohook keycode as KeyboardEvent.code; null when it names no key (0 among them).
 * On X11 and macOS that is the physical key. On Windows uiohook looks the *virtual* key up, which moves with the layout
 * (on a German layout the key right of T gives VC_Z): there, use `windowsCodeOf` of native/windows/layout.ts.
 */
export function codeOf(uiohookCode: number): string | null {
  return byUiohook.get(uiohookCode) ?? null;
}

/** The other way: the number that `codeOf` turns into this code, or null. */
export function uiohookOf(code: string): number | null {
  return toUiohook.get(code) ?? null;
}

/** An X11 keycode under evdev rules (Linux KEY_* + 8) as KeyboardEvent.code; null for a key without a W3C name. */
export function xKeycodeToCode(keycode: number): string | null {
  return byX11.get(keycode) ?? null;
}

/** The other way: the X11 keycode of a key, or null. Of two keycodes with one name it is the keyboard's own. */
export function codeToXKeycode(code: string): number | null {
  return toX11.get(code) ?? null;
}

/** Whether a keyboard on X has a key at all, by its code. */
export const isOnKeyboard = (code: string): boolean => codeToXKeycode(code) !== null;

/** A Windows scan code (set 1; extended keys with 0xE000 added, as MapVirtualKeyEx gives them) as KeyboardEvent.code. */
export function windowsScanToCode(scan: number): string | null {
  return byWindows.get(scan) ?? null;
}

/** A macOS virtual keycode (kVK_*) as KeyboardEvent.code, on an ANSI or JIS keyboard (ISO: see native/macos/layout.ts). */
export function macKeyToCode(key: number): string | null {
  return byMac.get(key) ?? null;
}

/** Every X11 keycode that has a name. */
export const X_KEYCODES: readonly number[] = [...byX11.keys()].sort((a, b) => a - b);
/** Every Windows scan code that has a name. */
export const WINDOWS_SCANS: readonly number[] = [...byWindows.keys()].sort((a, b) => a - b);
/** Every macOS virtual keycode that has a name. */
export const MAC_KEYS: readonly number[] = [...byMac.keys()].sort((a, b) => a - b);
