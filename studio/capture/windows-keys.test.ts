import { expect, test } from 'vitest';
import { reduce } from '../../core/actions/reduce.ts';
import { uiohookOf, WINDOWS_SCANS, windowsScanToCode } from '../../native/input/keys.ts';
import { followWindowsKeys } from '../../native/windows/made-keys.ts';
import type { RawEvent } from '../../schemas/events.ts';

/** What a German layout answers, as Windows does: by virtual key and the state of the 256 keys. */
const HKL = 0x04070407n;
const LETTERS = /^[A-Z]$/;
const MOVED: Readonly<Record<string, number>> = { KeyZ: 0x59, KeyY: 0x5a, Equal: 0xdd, Minus: 0xdb, Enter: 0x0d };
const vkOf = (code: string): number => {
  const own = MOVED[code] ?? (/^Key(.)$/.exec(code)?.[1] ?? '').charCodeAt(0);
  return Number.isNaN(own) ? 0xe0 : own;
};

function german(on: { caps?: boolean; num?: boolean } = {}) {
  const flags: number[] = [];
  const api = {
    MapVirtualKeyExW: (code: number, type: number): number =>
      type === 3
        ? vkOf(windowsScanToCode(code) ?? '')
        : (WINDOWS_SCANS.find((scan) => vkOf(windowsScanToCode(scan) ?? '') === code) ?? 0),
    ToUnicodeEx: (vk: number, _scan: number, keys: Uint8Array, flag: number) => {
      flags.push(flag);
      const [shift, ctrl, alt] = [0x10, 0x11, 0x12].map((one) => keys[one] === 0x80);
      const none = { result: 0, text: '' };
      if (vk === 0x0d) return { result: 1, text: '\r' };
      if (vk === 0xdd) return { result: -1, text: shift ? '`' : '´' };
      if (vk >= 0x60 && vk <= 0x69) return { result: 1, text: String(vk - 0x60) };
      const letter = String.fromCharCode(vk);
      if (!LETTERS.test(letter)) return none;
      if (ctrl && alt) return letter === 'Q' ? { result: 1, text: '@' } : none;
      if (ctrl) return { result: 1, text: String.fromCharCode(vk & 0x1f) };
      return { result: 1, text: shift !== (keys[0x14] === 1) ? letter : letter.toLowerCase() };
    },
    GetKeyState: (vk: number) => ((vk === 0x14 ? on.caps : on.num) ? 1 : 0),
    GetAsyncKeyState: () => 0,
    GetTickCount: () => 0,
    PeekMessageW: () => undefined,
  };
  return { api, flags };
}

/** `+KeyA` down, `-KeyA` up, `KeyA` both; ten ms apart. The codes are those of the places. */
function typed(words: string, on: { caps?: boolean; num?: boolean } = {}) {
  const { api, flags } = german(on);
  const keys = followWindowsKeys(api);
  keys.look();
  const lines: RawEvent[] = [];
  let time = 1000;
  for (const word of words.split(' ')) {
    const code = word.replace(/^[+-]/, '');
    // uiohook names the key by its virtual key: the one right of T is Z here.
    const hookCode = uiohookOf({ KeyY: 'KeyZ', KeyZ: 'KeyY', Equal: 'BracketRight' }[code] ?? code) ?? 0;
    for (const type of word.startsWith('-')
      ? (['keyup'] as const)
      : word.startsWith('+')
        ? (['keydown'] as const)
        : (['keydown', 'keyup'] as const)) {
      // Windows sends AltGr's two keys in one moment.
      time += word === '+AltRight' ? 0 : 10;
      const event = { type, time, mods: 0, code: code === 'Unknown' ? null : code, hookCode };
      const made = keys.take(event, HKL);
      lines.push({ type, t: time * 1000, code, raw: hookCode, ...(made && { made }) });
    }
  }
  return { lines, flags, made: lines.flatMap((line) => (line.type === 'keydown' && line.made ? [line.made] : [])) };
}
const actionsOf = (words: string, on?: { caps?: boolean; num?: boolean }) =>
  reduce(typed(words, on).lines, { recording: 'r' }).actions.map(({ text, keys }) => text ?? keys?.join('+'));

test('letters by the layout, the state at the press, and the flag that leaves dead keys alone', () => {
  const { made, flags } = typed('KeyZ +ShiftLeft KeyZ -ShiftLeft', { num: true });
  expect(made).toEqual([
    { key: 'y', text: 'y', mods: ['num'], locked: ['num'] },
    { key: 'Shift', mods: ['num'], locked: ['num'] },
    { key: 'Y', plain: 'y', text: 'Y', mods: ['shift', 'num'], locked: ['num'] },
  ]);
  expect(new Set(flags)).toEqual(new Set([4]));
});

test('CapsLock counts from its press on, a repeat does not turn it again, and what a program set is seen', () => {
  expect(actionsOf('KeyA +CapsLock +CapsLock -CapsLock KeyB')).toEqual(['a', 'CapsLock', 'B']);
  expect(actionsOf('KeyA', { caps: true })).toEqual(['A']);
});

test('AltGr chooses characters and is no chord; Ctrl and Alt together are AltGr too', () => {
  expect(actionsOf('KeyA +ControlLeft +AltRight KeyQ -AltRight -ControlLeft KeyB')).toEqual(['a@b']);
  expect(typed('+ControlLeft +AltRight KeyQ').made.map(({ key, mods }) => [key, mods])).toEqual([
    ['Control', undefined],
    ['AltGraph', ['ctrl']],
    ['@', ['level3']],
  ]);
  expect(actionsOf('+ControlRight +AltLeft KeyQ -AltLeft -ControlRight')).toEqual(['@']);
});

test('shortcuts, named keys, and a dead key that composes by Unicode', () => {
  expect(actionsOf('+ControlLeft +ShiftLeft KeyS -ShiftLeft -ControlLeft Enter')).toEqual(['ctrl+shift+s', 'Enter']);
  expect(typed('Equal').made).toEqual([{ key: 'Dead', dead: { dead: '\u0301', alone: '´' } }]);
  expect(actionsOf('KeyA Equal KeyE')).toEqual(['aé']);
});

test('the keypad makes digits with NumLock, and is named without', () => {
  expect(actionsOf('Numpad7', { num: true })).toEqual(['7']);
  expect(actionsOf('Numpad7')).toEqual(['Home']);
});

test('a key of which Windows makes nothing is warned of', () => {
  const { lines, made } = typed('Unknown');
  expect(made).toEqual([{ key: 'Unidentified' }]);
  const { actions, warnings } = reduce(lines, { recording: 'r' });
  expect(actions).toHaveLength(1);
  expect(warnings).toEqual([expect.objectContaining({ code: 'unknown-key' })]);
});
