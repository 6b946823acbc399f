import { append } from '../../lists.ts';
import { field, isRecord, type JsonRecord, looseJson, recordsIn, unwrapped } from '../reading/records.ts';
import { canonicalKey, isLibraryKey } from './names.ts';

/** Keys in answers that are no program (M10): combinations, records of tool calls, calls of UI-TARS. */

/** Each with the keys that are read of it, in the order in which they go down. */
export const KEY_FORMS: readonly (readonly [example: string, keys: readonly string[], source: string])[] = [
  ["pyautogui.hotkey('ctrl', 'z')", ['ctrl', 'z'], 'PyAutoGUI 0.9.54'],
  ["pyautogui.hotkey(keys=['ctrl', 'z'])", ['ctrl', 'z'], 'AgentNetBench'],
  ["pyautogui.shortcut('ctrl', 'z')", ['ctrl', 'z'], 'PyAutoGUI 0.9.49'],
  ["pyautogui.write('Hi')", ['H', 'i'], 'PyAutoGUI 0.9.54'],
  ['Ctrl+Z', ['ctrl', 'z'], 'free text'],
  ['`Ctrl + Shift + Z`', ['ctrl', 'shift', 'z'], 'free text'],
  ['Press Ctrl-Z.', ['ctrl', 'z'], 'free text'],
  ['Enter', ['enter'], 'free text'],
  ['<think>Ctrl+Y?</think>Ctrl+Z', ['ctrl', 'z'], 'free text'],
  ['Answer: Ctrl+Z', ['ctrl', 'z'], 'free text'],
  ['["ctrl", "z"]', ['ctrl', 'z'], 'free text'],
  ['{"keys": ["ctrl", "z"]}', ['ctrl', 'z'], 'free text'],
  ['{"key": "ctrl+z"}', ['ctrl', 'z'], 'free text'],
  ['{"type": "keypress", "keys": ["CTRL", "Z"]}', ['ctrl', 'z'], 'OpenAI, computer use'],
  ['{"type": "computer_call", "action": {"type": "type", "text": "Hi"}}', ['H', 'i'], 'OpenAI, computer use'],
  ['{"action": "key", "text": "ctrl+Page_Up"}', ['ctrl', 'pageup'], 'Anthropic, computer use tool'],
  ['{"action": "type", "text": "Hi"}', ['H', 'i'], 'Anthropic, computer use tool'],
  ['{"name": "computer_use", "arguments": {"action": "key", "keys": ["ctrl", "z"]}}', ['ctrl', 'z'], 'Qwen2.5-VL'],
  ["Action: hotkey(key='ctrl z')", ['ctrl', 'z'], 'UI-TARS'],
  ["Action: type(content='Hi\\n')", ['H', 'i', 'enter'], 'UI-TARS'],
];

const MODIFIERS = new Set(['ctrl', 'alt', 'win', 'altright']);
const LONGEST = 100_000;

/** The names of a combination, `ctrl+shift+z`; null when one of them is no key. */
export function comboKeys(text: string): string[] | null {
  if (text.length > 100) return null;
  const bare = text
    .trim()
    .replace(/^(?:(?:press|hit|use)\s{1,9})?[`"'*<\s]{0,9}/i, '')
    .replace(/[`"'*>.\s]{0,9}$/, '');
  if (bare === '') return null;
  if (isKeyName(bare) || bare.length === 1) return [nameOf(bare)];
  for (const sign of ['+', '-', ' '] as const) {
    const parts = bare.split(sign).map((part) => part.trim());
    // "ctrl++": the last is the sign itself.
    if (parts.length > 2 && parts.at(-1) === '' && parts.at(-2) === '') parts.splice(-2, 2, sign);
    if (parts.length > 1 && parts.every((part) => isKeyName(part) || part.length === 1))
      return lowered(parts.map(nameOf));
  }
  return null;
}

/** Letters beside Ctrl, Alt or the system's key are keys, not characters: Ctrl+Z needs no Shift. */
const lowered = (keys: readonly string[]): string[] =>
  keys.some((key) => MODIFIERS.has(key)) ? keys.map((key) => (key.length === 1 ? key.toLowerCase() : key)) : [...keys];

/** X11 and browsers write Page_Up, KP_Enter, BackSpace. */
const plainName = (name: string): string => name.toLowerCase().replace(/^kp_/, '').replaceAll('_', '');
const OTHER_NAMES = new Map([
  ['prior', 'pageup'],
  ['next', 'pagedown'],
  ['ret', 'enter'],
  ['windows', 'win'],
  ['controll', 'ctrl'],
]);
function nameOf(name: string): string {
  if (name.length === 1) return canonicalKey(name);
  const plain = plainName(name);
  return canonicalKey(OTHER_NAMES.get(plain) ?? plain);
}
const isKeyName = (name: string): boolean =>
  name.length > 1 && name.length < 30 && (isLibraryKey(nameOf(name)) || nameOf(name) !== plainName(name));

/** Keys of a text that is no program; null when it names none. */
export function keysInText(text: string): string[] | null {
  const list = text.trim().startsWith('[') && text.length < LONGEST ? looseJson(text.trim()) : null;
  if (Array.isArray(list)) return keysOfList(list);
  const found = recordsIn(text).flatMap(({ value }) => (isRecord(value) ? (keysOfRecord(value) ?? []) : []));
  if (found.length > 0) return found;
  return keysOfCalls(text) ?? comboKeys(text);
}

function keysOfList(values: readonly unknown[]): string[] | null {
  const names = values.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []));
  if (names.length === 0 || names.length < values.length) return null;
  return lowered(
    names.flatMap((name) => (name.length > 1 ? (comboKeys(name) ?? [nameOf(name)]) : [canonicalKey(name)])),
  );
}

const KEY_NAMES = ['keys', 'key', 'hotkey', 'combination', 'shortcut'];
const TEXT_NAMES = ['text', 'content', 'value', 'message', 'string'];
const TYPING = /^(?:type|write|typewrite|input|input_text|type_text|enter_text)$/i;

/** Keys of a tool call; null when it is none of the keyboard. */
export function keysOfRecord(record: JsonRecord): string[] | null {
  for (const one of unwrapped(record).reverse()) {
    for (const name of KEY_NAMES) {
      const value = field(one, name);
      const keys = Array.isArray(value) ? keysOfList(value) : typeof value === 'string' ? comboKeys(value) : null;
      if (keys) return keys;
    }
    const act = String(field(one, 'action') ?? field(one, 'type') ?? field(one, 'name') ?? '').slice(0, 50);
    const text = TEXT_NAMES.map((name) => field(one, name)).find((value) => typeof value === 'string');
    if (typeof text !== 'string') continue;
    if (/^(?:key|hotkey|press|keypress)$/i.test(act)) return comboKeys(text);
    if (act === '' || TYPING.test(act)) return [...text.slice(0, LONGEST)].map(canonicalKey);
  }
  return null;
}

const CALL =
  /\b(hotkey|press|keypress|key|type|write|input)\(\s{0,9}(?:(?:key|keys|content|text)\s{0,3}=\s{0,3})?(["'])((?:[^"'\\]|\\.){0,2000})\2\s{0,9}\)/g;

function keysOfCalls(text: string): string[] | null {
  const keys: string[] = [];
  for (const [, name = '', , value = ''] of text.matchAll(CALL)) {
    const types = name === 'type' || name === 'write' || name === 'input';
    const plain = value.replace(/\\(n|t|.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : sign));
    append(keys, types ? [...plain].map(canonicalKey) : (comboKeys(value) ?? []));
    if (keys.length > LONGEST) break;
  }
  return keys.length > 0 ? keys : null;
}
