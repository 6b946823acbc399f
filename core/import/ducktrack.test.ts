import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RawEvent, rawEventSchema } from '../../schemas/events.ts';
import { type DucktrackEvent, ducktrackEventSchema } from '../../schemas/import.ts';
import { reduce } from '../actions/reduce.ts';
import { createDucktrackReader } from './ducktrack.ts';
import { createReleaseLook } from './lost-releases.ts';
import { type KeySystem, keySystem } from './virtual-keys.ts';

const START = 150_160;

function read(events: readonly DucktrackEvent[], scale = { x: 1, y: 1 }, system: KeySystem | null = 'windows') {
  const altGr = events.some((event) => 'name' in event && event.name === 'alt_gr');
  const picture = { width: 1280, height: 720 };
  const time = (seconds: number): number => Math.round((seconds - START) * 1e6);
  const reader = createDucktrackReader({ time, scale, altGr, system, picture });
  const lines = events.flatMap((event) => reader.take(ducktrackEventSchema.parse(event)));
  for (const line of lines) expect(rawEventSchema.safeParse(line).error?.message).toBeUndefined();
  return { lines, notes: reader.notes() };
}

/** The reducer's result, in short. */
function done(lines: readonly RawEvent[]): string[] {
  return reduce(lines, { recording: 'r' }).actions.map(({ kind, text, keys, count }) =>
    kind === 'type' ? `type ${text}` : kind === 'press' ? `press ${keys?.join('+')}` : `${kind} ${count}`,
  );
}

/** Keys pressed and let go, a tenth of a second each; `+ctrl` only goes down, `-ctrl` only up. */
function keys(...names: (string | null)[]): DucktrackEvent[] {
  let t = START;
  const key = (action: 'press' | 'release', name: string | null): DucktrackEvent => {
    t += 0.05;
    return { time_stamp: t, action, name };
  };
  return names.flatMap((name) => {
    if (name?.length && name.length > 1 && name.startsWith('+')) return [key('press', name.slice(1))];
    if (name?.length && name.length > 1 && name.startsWith('-')) return [key('release', name.slice(1))];
    return [key('press', name), key('release', name)];
  });
}

describe('keys', () => {
  test('text comes back as it was typed: capitals, signs, and what no US keyboard makes', () => {
    const { lines } = read(keys('h', 'i', 'space', '+shift', 'A', '!', '-shift', 'é', 'ß', '中', '😀'));
    expect(done(lines)).toEqual(['type hi A!éß中😀']);
  });

  test('capitals without Shift are CapsLock, told as a guess', () => {
    const { lines, notes } = read(keys('A', 'B', 'c'));
    expect(done(lines)).toEqual(['type ABc']);
    expect(notes.guessedCaps).toBe(2);
  });

  test('CapsLock that was pressed needs no guess', () => {
    const { lines, notes } = read(keys('caps_lock', 'A', 'B'));
    expect(done(lines).at(-1)).toContain('AB');
    expect(notes.guessedCaps).toBe(0);
  });

  test('a German keyboard: Shift+7 is a slash, AltGr+Q an at sign', () => {
    const { lines } = read(keys('+shift', '/', '-shift', '+alt_gr', '@', '-alt_gr'));
    expect(done(lines)).toEqual(['type /@']);
  });

  test.each([
    ['by its letter', ['+ctrl_l', 'c', '-ctrl_l']],
    ['by its control character, as Windows gives it', ['+ctrl_l', '\u0003', '-ctrl_l']],
    ['by the capital that AgentNet makes of it', ['+ctrl_l', 'C', '-ctrl_l']],
  ])('Ctrl+C %s is Ctrl+C', (_how, names) => {
    expect(done(read(keys(...names)).lines)).toEqual(['press ctrl+c']);
  });

  test('Shift let go before its letter: the letter is let go too, not held for ever', () => {
    const { lines } = read(keys('+shift', '+A', '-shift', '-a', 'b'));
    expect(done(lines)).toEqual(['type Ab']);
    expect(lines.filter(({ type }) => type === 'keyup')).toHaveLength(3);
  });

  test('a key held down repeats and says so', () => {
    const { lines } = read(keys('+a', '+a', '+a', '-a'));
    expect(lines.filter((line) => line.type === 'keydown' && line.repeat)).toHaveLength(2);
  });

  /** Keys by what pynput prints of them, pressed and let go. */
  const printed = (...all: [name: string | null, printed: string][]): DucktrackEvent[] =>
    all.flatMap(([name, pynput_key], at) =>
      (['press', 'release'] as const).map((action, up): DucktrackEvent => {
        return { time_stamp: START + at / 5 + up / 20, action, name, pynput_key };
      }),
    );
  const numbered = (...numbers: number[]) => printed(...numbers.map((number): [null, string] => [null, `<${number}>`]));

  const inRow = (events: readonly DucktrackEvent[]): DucktrackEvent[] =>
    events.map((event, at) => ({ ...event, time_stamp: START + at / 20 }));

  test('the digits of a keypad have no name, only a number of their system: they are text', () => {
    const amount = [...numbered(98, 96, 98, 100, 110, 101)];
    expect(done(read(amount).lines)).toEqual(['type 2024.5']);
    const five = printed(['4', "'4'"], [null, '<65437>'], ['6', "'6'"]);
    expect(done(read(five, undefined, 'x11').lines)).toEqual(['type 456']);
    expect(done(read(numbered(65456, 65465, 65454, 65457), undefined, 'x11').lines)).toEqual(['type 09.1']);
    expect(done(read(numbered(0x53, 0x5b, 0x41, 0x5c), undefined, 'macos').lines)).toEqual(['type 18.9']);
  });

  test('a digit of the keypad says that NumLock is on, Home of the keypad that it is off', () => {
    const lines = read(inRow([...keys('num_lock'), ...numbered(97)])).lines;
    expect(done(lines).join()).toContain('1');
    expect(lines.filter(({ type }) => type === 'locks')).toMatchObject([{ num: true }]);
    expect(done(read(numbered(65429), undefined, 'x11').lines)).toEqual(['press Home']);
  });

  test('every digit of every keypad comes back as text, with Shift held too (law)', () => {
    const first = { windows: 96, x11: 65456, macos: 0x52 } as const;
    const digits = fc.array(fc.nat(9), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(digits, fc.constantFrom('windows', 'x11', 'macos'), fc.boolean(), (typed, system, shift) => {
        const of = (digit: number): number => first[system] + digit + (system === 'macos' && digit > 7 ? 1 : 0);
        const all = inRow([...(shift ? keys('+shift') : []), ...numbered(...typed.map(of))]);
        expect(done(read(all, undefined, system).lines)).toContain(`type ${typed.join('')}`);
      }),
    );
  });

  test('Hangul, Hanja, Convert and NonConvert, and a shortcut with a digit, by their virtual keys', () => {
    expect(done(read(numbered(21, 25, 28, 29)).lines)).toEqual([
      ...['press Lang1', 'press Lang2', 'press Convert', 'press NonConvert'],
    ]);
    expect(done(read(inRow([...keys('+ctrl_l'), ...numbered(49), ...keys('-ctrl_l')])).lines)).toEqual([
      'press ctrl+1',
    ]);
    expect(done(read(numbered(104, 102), undefined, 'macos').lines)).toEqual(['press Lang1', 'press Lang2']);
  });

  test('without a name what pynput prints counts: a character, an escape, a dead key, a named key', () => {
    const lines = read(printed([null, "'a'"], [null, "'\\xe9'"], [null, "['^']"], [null, 'Key.enter'])).lines;
    expect(done(lines)).toEqual(['type aé^', 'press Enter']);
  });

  test('of which system numbers are is told as a guess where nothing says it', () => {
    const { lines, notes } = read(numbered(97, 65437), undefined, keySystem('Plan 9'));
    expect(done(lines)).toEqual(['type 15']);
    expect(notes.guessedSystem).toBe(4);
  });

  test('two unknown keys are one only where their number says that they are', () => {
    expect(done(read(numbered(255, 254, 254, 255)).lines)).toEqual([
      'press Unknown(255)',
      'press Unknown(254)',
      'press Unknown(255)',
    ]);
    expect(done(read(keys(null, null, null)).lines)).toEqual(Array.from({ length: 3 }, () => 'press Unknown'));
    // Held at the same time they are two, and neither is the other's repeat.
    const [down255, up255, down254, up254] = numbered(255, 254);
    const both = [down255!, down254!, up255!, up254!].map((event, at) => ({ ...event, time_stamp: START + at / 10 }));
    const { actions, warnings } = reduce(read(both).lines, { recording: 'r' });
    expect(actions.map(({ keys: pressed, autoRepeat }) => [pressed?.join(), autoRepeat])).toEqual([
      ['Unknown(255)', false],
      ['Unknown(254)', false],
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['unknown-key', 'unknown-key']);
  });

  test('named keys, and those without a name', () => {
    const { lines, notes } = read(keys('enter', 'page_down', 'f5', 'Page Up', null, '$Unknown (255)$'));
    const downs = lines.flatMap((line) => (line.type === 'keydown' ? [[line.code, line.raw]] : []));
    expect(downs).toEqual([
      ['Enter', undefined],
      ['PageDown', undefined],
      ['F5', undefined],
      ['PageUp', undefined],
      ['Unknown', undefined],
      ['Unknown', 255],
    ]);
    expect(notes.unknownKeys).toBe(4);
  });

  test('a name that an object has of itself is no key', () => {
    expect(read(keys('constructor', '__proto__')).notes.unknownKeys).toBeGreaterThan(0);
  });
});

describe('the pointer', () => {
  const at = { x: 100.5, y: 50 };
  test('positions go to px of the picture, scrolling up is negative, further buttons have their names', () => {
    const { lines } = read(
      [
        { time_stamp: START + 1, action: 'move', ...at },
        { time_stamp: START + 2, action: 'click', ...at, button: 'x1', pressed: true },
        { time_stamp: START + 3, action: 'scroll', ...at, dx: 0, dy: 1 },
        { time_stamp: START + 4, action: 'scroll', ...at, dx: 2, dy: 0 },
      ],
      { x: 2, y: 0.5 },
    );
    expect(lines).toEqual([
      { type: 'move', t: 1_000_000, x: 201, y: 25 },
      { type: 'down', t: 2_000_000, x: 201, y: 25, button: 'back' },
      { type: 'wheel', t: 3_000_000, x: 201, y: 25, dx: 0, dy: -1, unit: 'notch' },
      { type: 'wheel', t: 4_000_000, x: 201, y: 25, dx: 2, dy: 0, unit: 'notch' },
    ]);
  });

  test('a position a point or two beside the screen is at its edge; one further off stays where it is', () => {
    const move = (x: number, y: number): DucktrackEvent => ({ time_stamp: START, action: 'move', x, y });
    const { lines, notes } = read([move(1280, -1), move(-300, 20)]);
    expect(lines).toMatchObject([
      { x: 1279, y: 0 },
      { x: -300, y: 20 },
    ]);
    expect(notes.atEdge).toBe(2);
  });

  test('a turn of nothing is no step', () => {
    const turn = (t: number, dy: number): DucktrackEvent => {
      return { time_stamp: START + t, action: 'scroll', ...at, dx: 0, dy };
    };
    expect(done(read([turn(0, 0), turn(0.1, 0)]).lines)).toEqual([]);
    expect(done(read([turn(0, 0), turn(0.1, -1), turn(0.2, 0), turn(0.3, -1)]).lines)).toEqual(['scroll 1']);
  });

  test('a double click as the first thing is one, and a pause lets nothing merge across it', () => {
    const click = (t: number): DucktrackEvent[] =>
      [true, false].map((pressed, i) => ({
        time_stamp: START + t + i / 50,
        action: 'click',
        ...at,
        button: 'left',
        pressed,
      }));
    expect(done(read([...click(0), ...click(0.2)]).lines)).toEqual(['click 2']);
    const pause: DucktrackEvent[] = [
      { time_stamp: START + 0.1, action: 'pause' },
      { time_stamp: START + 0.15, action: 'resume' },
    ];
    expect(done(read([...click(0), ...pause, ...click(0.2)]).lines)).toEqual(['click 1', 'click 1']);
  });

  test('a pause told twice is one', () => {
    const lines = ['pause', 'pause', 'resume', 'resume'].map((action, at): DucktrackEvent => {
      return { time_stamp: START + at, action: action as 'pause' | 'resume' };
    });
    expect(read(lines).lines.map(({ type }) => type)).toEqual(['pause', 'resume']);
  });
});

describe('modifiers whose release never comes', () => {
  /** Read as an import does it: one look over all lines, then the lines with what it found. */
  function mended(events: readonly DucktrackEvent[]) {
    const look = createReleaseLook();
    for (const [at, event] of events.entries()) look.take(event, at, event.time_stamp * 1e6);
    const { before, open } = look.finish();
    const picture = { width: 1280, height: 720 };
    const time = (seconds: number): number => Math.round((seconds - START) * 1e6);
    const one = { x: 1, y: 1 };
    const reader = createDucktrackReader({ time, scale: one, altGr: false, system: 'windows', picture });
    const lines = events.flatMap((event, at) => [
      ...(before.get(at) ?? []).flatMap((code) => reader.letGo(code, event.time_stamp)),
      ...reader.take(event),
    ]);
    return { done: done(lines), open, letGo: reader.notes().letGo };
  }
  const later = (events: readonly DucktrackEvent[], seconds: number): DucktrackEvent[] =>
    events.map((event) => ({ ...event, time_stamp: event.time_stamp + seconds }));

  test('after Win+L what is typed is text again, however soon it comes', () => {
    const events = [...keys('+cmd', 'l'), ...later(keys('h', 'i'), 0.4)];
    expect(mended(events)).toEqual({ done: ['press meta+l', 'type hi'], open: [], letGo: 1 });
  });

  test('any other shortcut that is not let go ends where the hand pauses, or where another press of it shows it', () => {
    const words = later(keys('h', 'i'), 4);
    expect(mended([...keys('+ctrl_l', 's'), ...words])).toEqual({
      done: ['press ctrl+s', 'type hi'],
      open: [],
      letGo: 1,
    });
    const again = [...keys('+ctrl_l', 'c', 'v'), ...later(keys('+ctrl_l', 'x', '-ctrl_l'), 0.5)];
    expect(mended(again)).toMatchObject({ done: ['press ctrl+c', 'press ctrl+v', 'press ctrl+x'], letGo: 1 });
  });

  test('many other keys at once are no row of shortcuts', () => {
    expect(mended(keys('+alt', 'x', 'w', 'o', 'r', 'd')).done).toEqual(['press alt+x', 'type word']);
  });

  test('a shortcut that the recording ends in stays as it is, and that it was held is told', () => {
    expect(mended(keys('+ctrl_l', 'c', 'v'))).toEqual({
      done: ['press ctrl+c', 'press ctrl+v'],
      open: ['ControlLeft'],
      letGo: 0,
    });
  });

  test('what is let go is never touched, whatever is done under it (law)', () => {
    const act = fc.constantFrom('a', 'b', 'enter', 'l', 'q');
    fc.assert(
      fc.property(
        fc.constantFrom('ctrl_l', 'cmd', 'alt', 'shift'),
        fc.array(act, { maxLength: 12 }),
        (modifier, acts) => {
          const events = keys(`+${modifier}`, ...acts, `-${modifier}`, 'z');
          expect(mended(events)).toEqual({ done: done(read(events).lines), open: [], letGo: 0 });
        },
      ),
    );
  });
});
