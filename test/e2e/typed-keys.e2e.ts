import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reduce } from '../../core/actions/reduce.ts';
import type { HookEvent } from '../../native/input/hook.ts';
import { startX11Input } from '../../native/linux/input.ts';
import { libX11 } from '../../native/linux/library.ts';
import { openX, type XDisplay, x11, xtst } from '../../native/linux/x11.ts';
import { startXvfb, type TestServer } from '../../native/linux/xvfb-for-tests.ts';
import type { Action } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { until } from '../support/until.ts';

/**
 * Keys by what the system made of them (A19): what layouts and XKB's options can make is typed by key codes, and the bytes that a
 * terminal got are the truth. What the recorded actions would send to a terminal must be the same to the byte.
 */

const LAYOUTS = [
  'us',
  'us(intl)',
  'us(dvorak)',
  'us(colemak)',
  'gb',
  'de',
  'de(neo)',
  'de(bone)',
  'fr',
  'fr(bepo)',
  'fr(oss)',
  'ch(fr)',
  'be',
  'es',
  'pt',
  'br',
  'it',
  'se',
  'pl',
  'cz',
  'hu',
  'ro',
  'tr',
  'ca(multix)',
  'ca(multi)',
  'ru',
  'ua',
  'bg(phonetic)',
  'bg',
  'rs',
  'gr(polytonic)',
  'gr',
  'il',
  'ara',
  'ir',
  'th',
  'jp',
  'jp(kana)',
  'kr(kr104)',
  'in(deva)',
  'vn',
  'am',
  'ge',
] as const;
const OPTION =
  /^ {2}((?:ctrl|caps|altwin|lv3|lv5|compose|level3|shift|keypad|kpdl|nbsp|esperanto|japan|korean|grp):\S+)/;
const RULES = '/usr/share/X11/xkb/rules/evdev.lst';

const SHIFT = 50;
/** Keycodes of X on a PC keyboard: writing keys, and those that options give another role. */
const WRITING = [[10, 21], [24, 35], [38, 48], [49, 61], [65], [94]].flatMap(([from = 0, to = from]) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((code) => code !== SHIFT),
);
const [ALT_GR, CAPS, LSGT, ENTER, A, B, QUOTE] = [108, 66, 94, 36, 38, 56, 48];
const ROLES = [9, 22, 23, 37, 49, 50, 51, 62, 64, 65, 66, 77, 78, 94, 105, 107, 108, 127, 133, 134, 135];
const STICKY_KEYS = 1 << 3;
const MOUSE_KEYS = 1 << 4;
const CORE_KEYBOARD = 0x100;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'typed-keys-'));
const file = path.join(folder, 'typed');
let server: TestServer;
let terminal: ChildProcess;
let display: XDisplay;
let stop: () => void;
let heard: HookEvent[] = [];
let read = 0;

beforeAll(async () => {
  server = await startXvfb();
  Object.assign(process.env, { DISPLAY: server.name, LC_ALL: 'C.UTF-8', XMODIFIERS: '' });
  const args = ['-u8', '-geometry', '80x20+0+0', '-xrm', 'XTerm*metaSendsEscape: true'];
  const quiet = ['-xrm', 'XTerm*vt100.translations: #override', '-xrm', 'XTerm*modifyOtherKeys: 0'];
  terminal = spawn('xterm', [...args, ...quiet, '-e', 'sh', '-c', `stty raw -echo; cat > ${file}`], {
    stdio: 'ignore',
  });
  display = openX();
  stop = await startX11Input((event) => void heard.push(event));
  await until('the terminal', async () => fs.existsSync(file));
  server.run('xdotool', 'mousemove', '200', '100');
});
afterAll(async () => {
  stop();
  terminal.kill();
  await new Promise((done) => terminal.once('exit', done));
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

const lock = (name: string) => libX11().func(`int ${name}(void *display, uint device, uint affect, uint values)`);

function key(keycode: number, down: boolean): void {
  xtst().key(display, keycode, down ? 1 : 0, 0);
}
/** Presses a key while others are held. */
function tap(keycode: number, ...held: number[]): void {
  for (const one of held) key(one, true);
  key(keycode, true);
  key(keycode, false);
  for (const one of held.toReversed()) key(one, false);
}

/** A control character or a letter with Ctrl, as xterm sends it. */
function withCtrl(char: string): string {
  if (/^[a-z@[\\\]^_]$/.test(char)) return String.fromCharCode(char.toUpperCase().charCodeAt(0) & 0x1f);
  return char;
}
const NAMED: Readonly<Record<string, string>> = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  Backspace: '\b',
  Delete: '\x1b[3~',
  Space: ' ',
  ArrowLeft: '\x1b[D',
  ArrowRight: '\x1b[C',
  ArrowUp: '\x1b[A',
  ArrowDown: '\x1b[B',
  Home: '\x1b[H',
  End: '\x1b[F',
  PageUp: '\x1b[5~',
  PageDown: '\x1b[6~',
  Insert: '\x1b[2~',
  ContextMenu: '\x1b[29~',
};
/** What a terminal gets of an action. */
function sent({ kind, text, keys, count }: Action): string {
  if (kind === 'type') return text ?? '';
  if (kind !== 'press' || !keys) return '';
  const name = keys.at(-1) ?? '';
  const held = new Set(keys.slice(0, -1));
  const char = [...name].length === 1 ? (held.has('shift') ? name.toUpperCase() : name) : null;
  const plain = char === null ? (NAMED[name] ?? '') : held.has('ctrl') ? withCtrl(char.toLowerCase()) : char;
  return `${held.has('alt') && plain !== '' ? '\x1b' : ''}${plain}`.repeat(count);
}

/** Types, ends with Enter, and gives what the terminal got and what was recorded. */
async function typed(keys: () => void): Promise<{ got: string; recorded: string; actions: Action[] }> {
  heard = [];
  keys();
  // Whatever was latched, locked or begun is over then.
  lock('XkbLatchModifiers')(display, CORE_KEYBOARD, 0xff, 0);
  lock('XkbLockModifiers')(display, CORE_KEYBOARD, 0xff, 0);
  libX11().func('int XkbLockGroup(void *display, uint device, uint group)')(display, CORE_KEYBOARD, 0);
  for (let i = 0; i < 2; i++) tap(ENTER);
  x11().sync(display, 0);
  let got = '';
  // The first Enter may be taken as the end of a sequence.
  await until('the end of the line in the terminal', async () => {
    got = fs.readFileSync(file).subarray(read).toString();
    return got.endsWith('\r') && heard.at(-1)?.type === 'keyup';
  });
  read = fs.statSync(file).size;
  const lines = heard.flatMap((event): RawEvent[] =>
    event.type === 'keydown' || event.type === 'keyup'
      ? [
          {
            type: event.type,
            t: event.time * 1000,
            code: event.code ?? 'Unknown',
            raw: event.hookCode,
            ...(event.type === 'keydown' && event.made && { made: event.made }),
          },
        ]
      : [],
  );
  const { actions } = reduce(lines, { recording: 'r' });
  return { got, recorded: actions.map(sent).join(''), actions };
}

it(`types all that ${LAYOUTS.length} layouts can make with Shift, AltGr and levels 3 and 5`, async () => {
  const wrong: object[] = [];
  let characters = 0;
  for (const name of LAYOUTS) {
    const [layout = '', variant = ''] = name.split(/[()]/);
    server.run('setxkbmap', '-option', '', '-layout', layout, '-variant', variant);
    const levels =
      name === 'de(neo)' || name === 'de(bone)' ? [[], [SHIFT], [CAPS], [LSGT], [SHIFT, CAPS]] : [[], [SHIFT]];
    const more = /^(?:us|us\(dvorak\)|us\(colemak\)|th|jp|kr.*|jp\(kana\)|bg.*|ru|ua)$/.test(name)
      ? []
      : [[ALT_GR], [SHIFT, ALT_GR]];
    for (const held of [...levels, ...more]) {
      const { got, recorded } = await typed(() => {
        for (const code of WRITING) tap(code, ...held);
      });
      characters += [...got].length;
      if (recorded !== got) wrong.push({ name, held, got, recorded });
    }
  }
  expect(wrong).toEqual([]);
  expect(characters).toBeGreaterThan(LAYOUTS.length * WRITING.length * 2 * 0.9);
});

it('takes every option of XKB that gives a key another role', async () => {
  const options = [
    ...new Set(
      fs
        .readFileSync(RULES, 'utf8')
        .split('\n')
        .flatMap((line) => OPTION.exec(line)?.[1] ?? []),
    ),
  ];
  const wrong: object[] = [];
  for (const option of options) {
    server.run('setxkbmap', '-option', '', '-layout', 'de,gr', '-option', option);
    const { got, recorded, actions } = await typed(() => {
      for (const role of ROLES) {
        tap(A, role);
        tap(role);
        tap(QUOTE);
        tap(B);
        tap(A, role, SHIFT);
      }
    });
    if (recorded !== got)
      wrong.push({ option, got, recorded, actions: actions.map(({ text, keys }) => text ?? keys?.join('+')) });
  }
  expect(options.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

it('follows Sticky Keys and mouse keys, and a mapping that changes right before each press', async () => {
  const controls = lock('XkbChangeEnabledControls');
  server.run('setxkbmap', '-option', '', '-layout', 'us');
  controls(display, CORE_KEYBOARD, STICKY_KEYS | MOUSE_KEYS, STICKY_KEYS | MOUSE_KEYS);
  const sticky = await typed(() => {
    // Shift for one letter, Shift twice until it is tapped again, Ctrl for one.
    for (const code of [A, SHIFT, A, B, SHIFT, SHIFT, A, B, SHIFT, A, 37, B, A, 64, A]) tap(code);
    for (const keypad of [84, 80, 87]) tap(keypad);
  });
  controls(display, CORE_KEYBOARD, STICKY_KEYS | MOUSE_KEYS, 0);
  expect(sticky.recorded).toBe(sticky.got);
  expect(sticky.actions.map(({ text, keys }) => text ?? keys?.join('+'))).toEqual([
    'aAbABa',
    'ctrl+b',
    'a',
    'alt+a',
    'Enter',
  ]);

  // No pause between a mapping and the next: the keymap may not be asked for, it must be followed.
  const change = libX11().func(
    'int XChangeKeyboardMapping(void *display, int first, int width, const ulong *keysyms, int keycodes)',
  );
  const text = [...'Größe Ωñ日☃ ok Łódź', ...'😀éÉ日日本語'];
  const spare = await typed(() => {
    for (const char of text) {
      const keysym = BigInt(0x1000000 + (char.codePointAt(0) ?? 0));
      change(display, 8, 1, BigUint64Array.of(keysym), 1);
      tap(8);
    }
  });
  // The terminal asks the server for the mapping when it has heard of it, and may be late; the recording is not.
  expect(spare.actions.map(({ text: own, keys }) => own ?? keys?.join('+'))).toEqual([text.join(''), 'Enter']);
});
