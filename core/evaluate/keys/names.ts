/** Names of keys: PyAutoGUI's own, what they mean, and the W3C names of our actions (M11). */

/** PyAutoGUI 0.9.54, KEY_NAMES: the keys that it knows besides single characters. Anything else it ignores. */
const LIBRARY_KEYS = new Set(
  `accept add alt altleft altright apps backspace browserback browserfavorites browserforward browserhome
  browserrefresh browsersearch browserstop capslock clear convert ctrl ctrlleft ctrlright decimal del delete divide
  down end enter esc escape execute f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23
  f24 final fn hanguel hangul hanja help home insert junja kana kanji launchapp1 launchapp2 launchmail
  launchmediaselect left modechange multiply nexttrack nonconvert num0 num1 num2 num3 num4 num5 num6 num7 num8 num9
  numlock pagedown pageup pause pgdn pgup playpause prevtrack print printscreen prntscrn prtsc prtscr return right
  scrolllock select separator shift shiftleft shiftright sleep space stop subtract tab up volumedown volumemute
  volumeup win winleft winright yen command option optionleft optionright`.split(/\s+/),
);

/** Whether the library has a key for it: a printable ASCII character, tab, line end, or one of its names. */
export function isLibraryKey(key: string): boolean {
  return /^[\t\n\r -~]$/.test(key) || LIBRARY_KEYS.has(key);
}

/** Other names of a key, by the longer or rarer one: both sides of a comparison pass through it. */
const SAME = new Map([
  ['\n', 'enter'],
  ['\r', 'enter'],
  ['return', 'enter'],
  ['numpadenter', 'enter'],
  ['\t', 'tab'],
  ['space', ' '],
  ['spacebar', ' '],
  ['esc', 'escape'],
  ['del', 'delete'],
  ['ins', 'insert'],
  ['control', 'ctrl'],
  ['ctrlleft', 'ctrl'],
  ['ctrlright', 'ctrl'],
  ['altleft', 'alt'],
  ['option', 'alt'],
  ['optionleft', 'alt'],
  ['shiftleft', 'shift'],
  ['shiftright', 'shift'],
  ['meta', 'win'],
  ['super', 'win'],
  ['os', 'win'],
  ['winleft', 'win'],
  ['winright', 'win'],
  ['command', 'win'],
  ['cmd', 'win'],
  ['altgraph', 'altright'],
  ['altgr', 'altright'],
  ['optionright', 'altright'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
  ['pgup', 'pageup'],
  ['pgdn', 'pagedown'],
  ['contextmenu', 'apps'],
  ['prntscrn', 'printscreen'],
  ['prtsc', 'printscreen'],
  ['prtscr', 'printscreen'],
]);

/** A key under one name: longer names lowered and aliases joined, a single character as it is (its case counts). */
export function canonicalKey(key: string): string {
  const name = [...key].length > 1 ? key.toLowerCase() : key;
  return SAME.get(name) ?? name;
}
