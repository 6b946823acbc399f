import { describe, expect, test } from 'vitest';
import { type RawEvent, rawEventSchema } from '../../schemas/events.ts';
import { type DucktrackEvent, ducktrackEventSchema } from '../../schemas/import.ts';
import { reduce } from '../actions/reduce.ts';
import { createDucktrackReader } from './ducktrack.ts';

const START = 150_160;

function read(events: readonly DucktrackEvent[], scale = { x: 1, y: 1 }) {
  const altGr = events.some((event) => 'name' in event && event.name === 'alt_gr');
  const reader = createDucktrackReader({ time: (seconds) => Math.round((seconds - START) * 1e6), scale, altGr });
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
    expect(notes.unknownKeys).toBe(2);
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
