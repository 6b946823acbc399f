import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reduce } from '../../core/actions/reduce.ts';
import type { HookEvent } from '../../native/input/hook.ts';
import { startX11Input } from '../../native/linux/input.ts';
import { openKeymap } from '../../native/linux/keymap.ts';
import { libX11 } from '../../native/linux/library.ts';
import { openX, type XDisplay, x11, xtst } from '../../native/linux/x11.ts';
import { startXvfb, type TestServer } from '../../native/linux/xvfb-for-tests.ts';
import type { Action } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { until } from '../support/until.ts';
import { startX11Listener } from '../support/x11-listener.ts';

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
/** All of them, in the list of rules that layouts, variants and options have in common. */
const OPTION = /^ {2}([a-z]\w*:\S+) /;
const RULES = '/usr/share/X11/xkb/rules/evdev.lst';

const SHIFT = 50;
/** Keycodes of X on a PC keyboard: writing keys, and those that options give another role. */
const WRITING = [[10, 21], [24, 35], [38, 48], [49, 61], [65], [94]].flatMap(([from = 0, to = from]) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((code) => code !== SHIFT),
);
const [ALT_GR, CAPS, LSGT, ENTER, A, B, QUOTE, RF_KILL] = [108, 66, 94, 36, 38, 56, 48, 255];
const ROLES = [9, 22, 23, 37, 49, 50, 51, 62, 64, 65, 66, 77, 78, 94, 105, 107, 108, 127, 133, 134, 135];
/** ISO_Level3_Shift, ISO_Level5_Shift, Mode_switch. */
const LEVEL_KEYSYMS = new Set([0xfe03, 0xfe11, 0xff7e]);
const LEVELS = [
  [],
  [SHIFT],
  [ALT_GR],
  [SHIFT, ALT_GR],
  [CAPS],
  [LSGT],
  [SHIFT, CAPS],
  [SHIFT, LSGT],
  [CAPS, LSGT],
] as const;
const STICKY_KEYS = 1 << 3;
const MOUSE_KEYS = 1 << 4;
const CORE_KEYBOARD = 0x100;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'typed-keys-'));
const file = path.join(folder, 'typed');
let server: TestServer;
let terminal: ChildProcess;
let display: XDisplay;
let stop: () => void;
let heardAll: () => Promise<void>;
let heard: HookEvent[] = [];
let read = 0;

beforeAll(async () => {
  server = await startXvfb();
  // A press whose release comes late on a busy machine would be repeated by the server, in the terminal and in the recording.
  server.run('xset', 'r', 'off');
  Object.assign(process.env, { DISPLAY: server.name, LC_ALL: 'C.UTF-8', XMODIFIERS: '' });
  const args = ['-u8', '-geometry', '80x20+0+0', '-xrm', 'XTerm*metaSendsEscape: true'];
  // Nothing but keys' own bytes: no shortcuts of the terminal's own, no parameters for modifiers.
  const quiet = [
    'vt100.translations: <KeyPress>: insert-seven-bit()',
    'modifyOtherKeys: 0',
    'modifyCursorKeys: -1',
    'modifyFunctionKeys: -1',
    'backarrowKeyIsErase: true',
    'ptyInitialErase: false',
    'backarrowKey: true',
    'altSendsEscape: true',
  ].flatMap((resource) => ['-xrm', `XTerm*${resource}`]);
  terminal = spawn('xterm', [...args, ...quiet, '-e', 'sh', '-c', `stty raw -echo; cat > ${file}`], {
    stdio: 'ignore',
  });
  display = openX();
  ({ stop, heardAll } = await startX11Input((event) => void (event.type !== 'lost' && heard.push(event))));
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

const xkbCall = (name: string) => libX11().func(`int ${name}(void *display, uint device, uint affect, uint values)`);

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
/** The server drops what it recorded beyond some 270 events that nobody has read (native/linux/input-worker.ts): a hand is slower. */
const AT_ONCE = 12;
async function eachOf(taps: readonly (() => void)[]): Promise<void> {
  for (let i = 0; i < taps.length; i += AT_ONCE) {
    const before = heard.length;
    for (const one of taps.slice(i, i + AT_ONCE)) one();
    x11().sync(display, 0);
    await until('the recorder', () => heard.length > before, { everyMs: 2 });
  }
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
  Backspace: '\x7f',
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

/** What a terminal gets: a character, or one of a shortcut, of which only the key is told. */
type Sent = { char: string; chord?: true; perhaps?: true };
const asText = (text: string): Sent[] => [...text].map((char) => ({ char }));

/** What the recorded actions would send to a terminal. */
function sentBy({ kind, text, keys, count }: Action): Sent[] {
  if (kind === 'type') return asText(text ?? '');
  if (kind !== 'press' || !keys) return [];
  const name = keys.at(-1) ?? '';
  const held = new Set(keys.slice(0, -1));
  const [char, ...more] = name;
  const isWriting = more.length === 0 || name === 'Space';
  const one: Sent[] = isWriting
    ? [{ char: name === 'Space' ? ' ' : (char ?? ''), ...(held.size > 0 && { chord: true }) }]
    : asText(NAMED[name] ?? '');
  const inControl = held.has('ctrl') ? one.map((each) => ({ ...each, char: withCtrl(each.char) })) : one;
  // Alt comes as Escape; so does Super where the keymap calls it Meta, too.
  const mark: Sent[] = inControl.length === 0 ? [] : held.has('alt') ? asText('\x1b') : [];
  const perhaps: Sent[] = held.has('meta') && inControl.length > 0 ? [{ char: '\x1b', perhaps: true }] : [];
  return Array.from({ length: count }, () => [...mark, ...perhaps, ...inControl]).flat();
}

/** Each Backspace is done that a letter stands before: a recording's text is that in which it was done. */
function withErased(all: readonly Sent[]): Sent[] {
  const left: Sent[] = [];
  for (const one of all) {
    if (one.char === '\x7f' && /[^\x00-\x1f\x7f~]/.test(left.at(-1)?.char ?? '')) left.pop();
    else left.push(one);
  }
  return left;
}

/** Bytes that are no UTF-8: Xlib gives the Unicode keysyms of Latin-1 (U00A9 in Georgian) as one byte. */
function decode(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes('\ufffd')) return text;
  return bytes
    .toString('latin1')
    .replaceAll(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g, (one) =>
      Buffer.from(one, 'latin1').toString(),
    );
}
/** Without the terminal's own marks of modifiers at named keys: `ESC [ 5 ; 2 ~`. */
const unmarked = (got: string): string =>
  got
    .replaceAll(/\x1b\[(\d+);\d+~/g, '\x1b[$1~')
    .replaceAll(/\x1b\[1;\d+([A-H])/g, '\x1b[$1')
    .replaceAll('\x1b[Z', '\t');

/** The letter of a chord by the key alone, on other scripts by a US keyboard (A7), as the layouts of this test have them. */
const KEY_ALONE: Readonly<Record<string, string>> = { α: 'a', β: 'b', "'": 'ä' };
const alone = (char: string): string => KEY_ALONE[char.toLowerCase()] ?? char.toLowerCase();

/** The place of the first difference; null for none. */
function differs(got: readonly Sent[], recorded: readonly Sent[]): number | null {
  let at = 0;
  for (const { char, chord, perhaps } of recorded) {
    const found = got[at]?.char ?? '';
    if (found === char || (chord && alone(found) === alone(char))) at++;
    else if (!perhaps) return at;
  }
  return at === got.length ? null : at;
}

type Typed = { wrong: null | { got: string; recorded: string; at: number }; characters: number; actions: Action[] };

/** Types, ends with Enter, and compares what the terminal got and what was recorded. */
async function typed(keys: readonly (() => void)[]): Promise<Typed> {
  heard = [];
  await eachOf(keys);
  // Whatever was latched, locked or begun is over then.
  xkbCall('XkbLatchModifiers')(display, CORE_KEYBOARD, 0xff, 0);
  xkbCall('XkbLockModifiers')(display, CORE_KEYBOARD, 0xff, 0);
  libX11().func('int XkbLockGroup(void *display, uint device, uint group)')(display, CORE_KEYBOARD, 0);
  // It ends a sequence that was begun, and writes nothing.
  tap(RF_KILL);
  for (let i = 0; i < 2; i++) tap(ENTER);
  x11().sync(display, 0);
  const isEnd = (event: HookEvent): boolean => event.type === 'keyup' && event.code === 'Enter';
  const bytes = () => fs.readFileSync(file).subarray(read);
  await until('the end of the line', () => bytes().toString().endsWith('\r\r') && heard.filter(isEnd).length >= 2, {
    everyMs: 5,
    seen: () => JSON.stringify({ got: bytes().toString(), last: heard.slice(-3) }),
  });
  const got = unmarked(decode(bytes()));
  read = fs.statSync(file).size;
  const lines = heard.flatMap(lineOf);
  const { actions } = reduce(lines, { recording: 'r' });
  // A key of which the keymap makes nothing is a press by its place, which a terminal hears nothing of.
  const isNothing = ([from, to]: readonly [number, number]): boolean =>
    lines.slice(from, to + 1).some((line) => line.type === 'keydown' && line.made?.key === 'Unidentified');
  const sent = actions.flatMap((action) => (action.events.some(isNothing) && !action.text ? [] : sentBy(action)));
  const [gotThen, recorded] = [withErased(asText(got)), withErased(sent)];
  const at = differs(gotThen, recorded);
  const textOf = (all: readonly Sent[]): string => all.map(({ char }) => char).join('');
  return {
    wrong: at === null ? null : { got: textOf(gotThen), recorded: textOf(recorded), at },
    characters: gotThen.length,
    actions,
  };
}
/** Characters of keysyms for which Xlib, and so the terminal, has none or another than Unicode's tables, GTK and Qt. */
const XLIB: Readonly<Record<string, string>> = {
  variation: '',
  jot: '',
  ifonlyif: '',
  kana_openingbracket: '〈',
  kana_closingbracket: '〉',
};
const asXlib = (made: KeyMade): KeyMade => ({ ...made, ...(made.text && { text: XLIB[made.sym ?? ''] ?? made.text }) });

function lineOf(event: HookEvent): RawEvent[] {
  if (event.type !== 'keydown' && event.type !== 'keyup') return [];
  const line = { t: event.time * 1000, code: event.code ?? 'Unknown', raw: event.hookCode };
  return event.type === 'keyup'
    ? [{ type: 'keyup', ...line }]
    : [{ type: 'keydown', ...line, ...(event.made && { made: asXlib(event.made) }) }];
}

it(`types all that ${LAYOUTS.length} layouts can make with Shift, AltGr and levels 3 and 5`, async () => {
  const wrong: object[] = [];
  const keymap = openKeymap(display);
  let characters = 0;
  for (const name of LAYOUTS) {
    const [layout = '', variant = ''] = name.split(/[()]/);
    server.run('setxkbmap', '-option', '', '-layout', layout, '-variant', variant);
    keymap.fetch();
    const keysymOf = (code: number): number => keymap.answer(code, 0, 0).keysym;
    const holds = LEVELS.filter((held) => held.every((code) => code === SHIFT || LEVEL_KEYSYMS.has(keysymOf(code))));
    for (const held of holds) {
      const found = await typed(WRITING.map((code) => () => tap(code, ...held)));
      characters += found.characters;
      if (found.wrong) wrong.push({ name, held, ...found.wrong });
    }
  }
  keymap.close();
  console.log(`${characters} characters of ${LAYOUTS.length} layouts`);
  expect(wrong).toEqual([]);
  expect(characters).toBeGreaterThan(LAYOUTS.length * WRITING.length * 2 * 0.9);
});

it('takes every option of XKB that gives a key another role', async () => {
  const lines = fs.readFileSync(RULES, 'utf8').split('\n');
  const options = [...new Set(lines.flatMap((line) => OPTION.exec(line)?.[1] ?? []))];
  const wrong: object[] = [];
  for (const option of options) {
    server.run('setxkbmap', '-option', '', '-layout', 'de,gr', '-option', option);
    const taps = ROLES.flatMap((role) => [
      { code: A, held: [role] },
      { code: role },
      { code: QUOTE },
      { code: B },
      { code: A, held: [role, SHIFT] },
    ]);
    const found = await typed(
      taps.map(
        ({ code, held = [] }) =>
          () =>
            tap(code, ...held),
      ),
    );
    if (found.wrong) wrong.push({ option, ...found.wrong });
  }
  console.log(`${options.length} options`);
  expect(wrong).toEqual([]);
  expect(options.length).toBeGreaterThan(100);
});

const named = (actions: readonly Action[]): string[] =>
  actions.map(({ text, keys }) => text ?? keys?.join('+') ?? '').filter((name) => name !== 'XF86RFKill');

it('tells all that was typed up to now when it is asked, however late its thread is', async () => {
  for (let n = 0; n < 20; n++) {
    heard.length = 0;
    for (let i = 0; i < 100; i++) tap(38);
    x11().sync(display, 0);
    await heardAll();
    expect(heard.filter(({ type }) => type === 'keydown')).toHaveLength(100);
  }
  // The terminal is slower than the recorder: what it has not written yet would stand in the next test's text.
  await until('the terminal', () => fs.statSync(file).size >= read + 2000);
  read = fs.statSync(file).size;
});

it('follows Sticky Keys and mouse keys, and a mapping that changes right before each press', async () => {
  const controls = xkbCall('XkbChangeEnabledControls');
  server.run('setxkbmap', '-option', '', '-layout', 'us');
  controls(display, CORE_KEYBOARD, STICKY_KEYS | MOUSE_KEYS, STICKY_KEYS | MOUSE_KEYS);
  // Shift for one letter, Shift twice until it is tapped again, Ctrl for one; then the keypad, that moves the pointer.
  const codes = [A, SHIFT, A, B, SHIFT, SHIFT, A, B, SHIFT, A, 37, B, A, 64, A, 84, 80, 87];
  const sticky = await typed(codes.map((code) => () => tap(code)));
  controls(display, CORE_KEYBOARD, STICKY_KEYS | MOUSE_KEYS, 0);
  expect(sticky.wrong).toBeNull();
  expect(named(sticky.actions)).toEqual(['aAbABa', 'ctrl+b', 'a', 'alt+a', 'Enter']);

  // No pause between a mapping and the next: the keymap may not be asked for, it must be followed.
  const change = libX11().func(
    'int XChangeKeyboardMapping(void *display, int first, int width, const ulong *keysyms, int keycodes)',
  );
  const text = [...'Größe Ωñ日☃ ok Łódź', ...'😀éÉ日日本語'];
  const spare = await typed(
    text.map((char: string) => () => {
      const keysym = BigInt(0x1000000 + (char.codePointAt(0) ?? 0));
      change(display, 8, 1, BigUint64Array.of(keysym), 1);
      tap(8);
    }),
  );
  // The terminal asks the server for the mapping when it has heard of it, and may be late; the recording is not.
  expect(named(spare.actions)).toEqual([text.join(''), 'Enter']);
});

it('what a program types at once while the recorder has no time is whole: RECORD loses a part, XInput fills it in', async () => {
  const listener = await startX11Listener(server.env);
  const text = 'äöü€ñçßøžč日本語ñ'.repeat(16);
  listener.freeze();
  try {
    // It reads its words by the locale, of which CI has none.
    server.run('env', 'LC_ALL=C.UTF-8', 'xdotool', 'type', '--delay', '0', text);
  } finally {
    listener.thaw();
  }
  let got = '';
  const all = async (): Promise<boolean> => {
    const { text: more, lost } = await listener.heard();
    got += more;
    return lost > 0 || got.length >= text.length;
  };
  await until('the text', all, { seen: () => got }).finally(listener.close);
  expect(got).toBe(text);
});
