import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StageAct } from '../../schemas/stage-acts.ts';
import { type KeyInput, type PersonInput, personInput } from './person-input.ts';

const event = (key: string, code: string, down: boolean, more: Partial<KeyInput> = {}): KeyInput => ({
  key,
  code,
  down,
  repeat: false,
  altGr: false,
  ...more,
});
/** `Shift+`: the key with it held. */
const tap = (input: PersonInput, key: string, code: string, more: Partial<KeyInput> = {}): StageAct[] => [
  ...(input.key(event(key, code, true, more)) ?? []),
  ...(input.key(event(key, code, false, more)) ?? []),
];
const said = (acts: readonly StageAct[]): string[] =>
  acts.map((act) =>
    act.do === 'key'
      ? `${act.down ? '+' : '-'}${act.key}`
      : act.do === 'button'
        ? `${act.down ? '+' : '-'}${act.button} ${act.at.join(',')}`
        : act.do === 'scroll'
          ? `wheel ${act.dx},${act.dy}`
          : `move ${act.at.join(',')}`,
  );

/** The text that a stage gets by these acts, and the keys that are still down at the end. */
function stageOf(acts: readonly StageAct[]): { text: string; held: string[]; chords: string[] } {
  const held = new Set<string>();
  let text = '';
  const chords: string[] = [];
  for (const act of acts) {
    if (act.do !== 'key') continue;
    if (!act.down) {
      expect(held.has(act.key), `${act.key} is let go, which was not down`).toBe(true);
      held.delete(act.key);
      continue;
    }
    expect(held.has(act.key), `${act.key} goes down, which was down`).toBe(false);
    const around = [...held].filter((key) => ['ctrl', 'alt', 'win', 'shift'].includes(key));
    if ([...act.key].length === 1 && around.length === 0) text += act.key;
    else if (!['ctrl', 'alt', 'win', 'shift'].includes(act.key)) chords.push([...around, act.key].join('+'));
    held.add(act.key);
  }
  return { text, held: [...held], chords };
}

/** A key of somebody's layout, with what must be held for the character: Shift, AltGr, and AltGr as Windows says it. */
const typed = fc.record({
  char: fc.constantFrom(...'aZzÄß/?@€{|~ñИи日"\'^0(= '),
  code: fc.constantFrom('KeyA', 'KeyZ', 'KeyQ', 'Digit7', 'Minus', 'Space', 'IntlBackslash'),
  by: fc.constantFrom('plain' as const, 'shift' as const, 'altgr' as const, 'ctrl-alt' as const),
  repeats: fc.constantFrom(0, 0, 0, 2),
  /** The modifier goes up before the key does. */
  early: fc.boolean(),
});

test('text of any layout arrives letter by letter, without a modifier that its layout needed', () => {
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 40 }), (keys) => {
      const input = personInput();
      const acts: StageAct[] = [];
      const give = (one: KeyInput): void => void acts.push(...(input.key(one) ?? []));
      let wanted = '';
      for (const { char, code, by, repeats, early } of keys) {
        const altGr = by === 'altgr' || by === 'ctrl-alt';
        const modifiers = {
          plain: [],
          shift: [['Shift', 'ShiftLeft']],
          altgr: [['AltGraph', 'AltRight']],
          'ctrl-alt': [
            ['Control', 'ControlLeft'],
            ['Alt', 'AltRight'],
          ],
        }[by];
        for (const [key = '', where = ''] of modifiers) give(event(key, where, true));
        give(event(char, code, true, { altGr }));
        wanted += char;
        for (let n = 0; n < repeats; n++) {
          give(event(char, code, true, { altGr, repeat: true }));
          wanted += char;
        }
        const up = event(early ? char.toLowerCase() : char, code, false);
        const freed = modifiers.map(([key = '', where = '']) => event(key, where, false));
        for (const one of early ? [...freed, up] : [up, ...freed]) give(one);
      }
      const { text, held } = stageOf(acts);
      expect(text).toBe(wanted);
      expect(held).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

describe('chords', () => {
  test('keep their modifiers, and Shift where it is held', () => {
    const input = personInput();
    const acts = [
      ...(input.key(event('Control', 'ControlLeft', true)) ?? []),
      ...(input.key(event('Shift', 'ShiftLeft', true)) ?? []),
      ...tap(input, 'S', 'KeyS'),
      ...(input.key(event('Shift', 'ShiftLeft', false)) ?? []),
      ...tap(input, 'c', 'KeyC'),
      ...(input.key(event('Control', 'ControlLeft', false)) ?? []),
    ];
    expect(said(acts)).toEqual(['+ctrl', '+shift', '+s', '-s', '-shift', '+c', '-c', '-ctrl']);
  });

  test('with a letter beyond ASCII are its key of a US keyboard', () => {
    const input = personInput();
    const acts = [
      ...(input.key(event('Control', 'ControlRight', true)) ?? []),
      ...tap(input, 'с', 'KeyC'),
      ...(input.key(event('Control', 'ControlRight', false)) ?? []),
    ];
    expect(said(acts)).toEqual(['+ctrl', '+c', '-c', '-ctrl']);
  });

  test('that the browser keeps for itself come from a button, with nothing left down', () => {
    expect(said(personInput().chord(['ctrl', 'shift', 'Tab']))).toEqual([
      ...['+ctrl', '+shift', '+Tab', '-Tab', '-shift', '-ctrl'],
    ]);
  });
});

test('Shift goes with the arrow, the press and the wheel that it is held for', () => {
  const input = personInput();
  const acts = [
    ...(input.key(event('Shift', 'ShiftLeft', true)) ?? []),
    ...tap(input, 'ArrowRight', 'ArrowRight'),
    ...input.button([3, 4], 'left', true),
    ...input.button([3, 4], 'left', false),
    ...tap(input, 'A', 'KeyA'),
    ...input.wheel([3, 4], { dx: 0, dy: 100, mode: 0 }),
    ...(input.key(event('Shift', 'ShiftLeft', false)) ?? []),
  ];
  expect(said(acts)).toEqual([
    ...['+shift', '+ArrowRight', '-ArrowRight', '+left 3,4', '-left 3,4', '-shift', '+A', '-A'],
    ...['+shift', 'wheel 0,1', '-shift'],
  ]);
});

test('what is composed is given by the text that comes of it', () => {
  const input = personInput();
  expect(input.key(event('Dead', 'BracketLeft', true))).toBe(null);
  expect(input.key(event('Dead', 'BracketLeft', false))).toEqual([]);
  expect(said(input.text('ê\n'))).toEqual(['+ê', '-ê', '+Enter', '-Enter']);
});

test('the wheel gives whole notches, and what is left of one waits for the next turn the same way', () => {
  const input = personInput();
  const turn = (dy: number, mode = 0): string[] => said(input.wheel([0, 0], { dx: 0, dy, mode }));
  expect(turn(40)).toEqual([]);
  expect(turn(60)).toEqual(['wheel 0,1']);
  expect(turn(40)).toEqual([]);
  expect(turn(-100)).toEqual(['wheel 0,-1']);
  expect(turn(3, 1)).toEqual(['wheel 0,1']);
  expect(turn(120)).toEqual(['wheel 0,1']);
});

test('a modifier that is pressed alone is pressed alone, and one that the page used for itself is not sent', () => {
  const input = personInput();
  expect(said(tap(input, 'Alt', 'AltLeft'))).toEqual(['+alt', '-alt']);
  input.key(event('Control', 'ControlLeft', true));
  input.key(event('Alt', 'AltLeft', true));
  expect(input.release()).toEqual([]);
  expect(input.key(event('Alt', 'AltLeft', false))).toEqual([]);
});

test('of two keys of one modifier the second holds it on', () => {
  const input = personInput();
  const acts = [
    ...(input.key(event('Control', 'ControlLeft', true)) ?? []),
    ...(input.key(event('Control', 'ControlRight', true)) ?? []),
    ...tap(input, 'a', 'KeyA'),
    ...(input.key(event('Control', 'ControlLeft', false)) ?? []),
    ...tap(input, 'c', 'KeyC'),
    ...(input.key(event('Control', 'ControlRight', false)) ?? []),
  ];
  expect(said(acts)).toEqual(['+ctrl', '+a', '-a', '+c', '-c', '-ctrl']);
});

test('a page that loses the keyboard lets go of everything', () => {
  const input = personInput();
  input.key(event('Control', 'ControlLeft', true));
  input.key(event('a', 'KeyA', true));
  input.button([1, 2], 'right', true);
  expect(said(input.release()).toSorted()).toEqual(['-a', '-ctrl', '-right 1,2'].toSorted());
  expect(input.release()).toEqual([]);
});
