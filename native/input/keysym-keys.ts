import { MEDIA_KEYSYMS } from '../../schemas/media-keys.ts';

/** Keysyms that write no character, as W3C KeyboardEvent.key (UI Events key Values); names as the rules have them where they differ. */
const KEYS: ReadonlyMap<number, string> = new Map([
  [0xff08, 'Backspace'],
  [0xff09, 'Tab'],
  [0xfe20, 'Tab'], // ISO_Left_Tab: Shift+Tab
  [0xff0a, 'Enter'],
  [0xff0b, 'Clear'],
  [0xff0d, 'Enter'],
  [0xff13, 'Pause'],
  [0xff14, 'ScrollLock'],
  [0xff15, 'PrintScreen'], // Sys_Req: Alt+PrintScreen
  [0xff1b, 'Escape'],
  [0xffff, 'Delete'],
  [0xff20, 'Compose'],
  [0xff21, 'KanjiMode'],
  [0xff22, 'NonConvert'],
  [0xff23, 'Convert'],
  [0xff24, 'Romaji'],
  [0xff25, 'Hiragana'],
  [0xff26, 'Katakana'],
  [0xff27, 'KanaMode'],
  [0xff28, 'Zenkaku'],
  [0xff29, 'Hankaku'],
  [0xff2a, 'ZenkakuHankaku'],
  [0xff2d, 'KanaMode'],
  [0xff2f, 'Alphanumeric'],
  [0xff30, 'Alphanumeric'],
  [0xff31, 'Lang1'], // Hangul
  [0xff34, 'Lang2'], // Hangul_Hanja
  [0xff37, 'CodeInput'],
  [0xff50, 'Home'],
  [0xff51, 'ArrowLeft'],
  [0xff52, 'ArrowUp'],
  [0xff53, 'ArrowRight'],
  [0xff54, 'ArrowDown'],
  [0xff55, 'PageUp'],
  [0xff56, 'PageDown'],
  [0xff57, 'End'],
  [0xff58, 'Home'],
  [0xff60, 'Select'],
  [0xff61, 'PrintScreen'],
  [0xff62, 'Execute'],
  [0xff63, 'Insert'],
  [0xff65, 'Undo'],
  [0xff66, 'Again'],
  [0xff67, 'ContextMenu'],
  [0xff68, 'Find'],
  [0xff69, 'Cancel'],
  [0xff6a, 'Help'],
  [0xff6b, 'Pause'], // Break: Ctrl+Pause
  [0xff7e, 'AltGraph'], // Mode_switch
  [0xff7f, 'NumLock'],
  [0xff89, 'Tab'],
  [0xff8d, 'Enter'],
  [0xff95, 'Home'],
  [0xff96, 'ArrowLeft'],
  [0xff97, 'ArrowUp'],
  [0xff98, 'ArrowRight'],
  [0xff99, 'ArrowDown'],
  [0xff9a, 'PageUp'],
  [0xff9b, 'PageDown'],
  [0xff9c, 'End'],
  [0xff9d, 'Clear'],
  [0xff9e, 'Insert'],
  [0xff9f, 'Delete'],
  [0xffe1, 'Shift'],
  [0xffe2, 'Shift'],
  [0xffe3, 'Control'],
  [0xffe4, 'Control'],
  [0xffe5, 'CapsLock'],
  [0xffe6, 'ShiftLock'],
  [0xffe7, 'Meta'],
  [0xffe8, 'Meta'],
  [0xffe9, 'Alt'],
  [0xffea, 'Alt'],
  [0xffeb, 'Meta'],
  [0xffec, 'Meta'],
  [0xffed, 'Hyper'],
  [0xffee, 'Hyper'],
  [0xfe01, 'CapsLock'],
  [0xfe02, 'Shift'],
  [0xfe03, 'AltGraph'],
  [0xfe04, 'AltGraph'],
  [0xfe11, 'Level5'],
  [0xfe12, 'Level5'],
  [0xfe06, 'GroupNext'],
  [0xfe07, 'GroupNext'],
  [0xfe08, 'GroupNext'],
  [0xfe09, 'GroupNext'],
  [0xfe0a, 'GroupPrevious'],
  [0xfe0b, 'GroupPrevious'],
  [0xfe0c, 'GroupFirst'],
  [0xfe0d, 'GroupFirst'],
  [0xfe0e, 'GroupLast'],
  [0xfe0f, 'GroupLast'],
  ...MEDIA_KEYSYMS,
]);

const [F1, F35, KP_F1, KP_F4] = [0xffbe, 0xffe0, 0xff91, 0xff94];
const VOID = 0xffffff;

/** Null for a keysym that W3C does not know and for characters; `Unidentified` for none. */
export function keysymKey(keysym: number): string | null {
  if (keysym === 0 || keysym === VOID) return 'Unidentified';
  if (keysym >= F1 && keysym <= F35) return `F${keysym - F1 + 1}`;
  if (keysym >= KP_F1 && keysym <= KP_F4) return `F${keysym - KP_F1 + 1}`;
  return KEYS.get(keysym) ?? null;
}
