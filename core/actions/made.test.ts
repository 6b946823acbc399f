import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { reduce } from './reduce.ts';

/** A19: what the system made of a key counts, whatever its physical code. */

type Stroke = RawEvent;
const MS = 1000;
const down = (t: number, code: string, made: KeyMade, raw?: number): Stroke => ({
  type: 'keydown',
  t: t * MS,
  code,
  ...(raw !== undefined && { raw }),
  made,
});
const up = (t: number, code: string, raw?: number): Stroke => ({
  type: 'keyup',
  t: t * MS,
  code,
  ...(raw !== undefined && { raw }),
});
const tap = (t: number, code: string, made: KeyMade, raw?: number): Stroke[] => [
  down(t, code, made, raw),
  up(t + 20, code, raw),
];
const letter = (char: string, more: Partial<KeyMade> = {}): KeyMade => ({ key: char, text: char, ...more });

function actionsOf(...strokes: (Stroke | Stroke[])[]) {
  const result = reduce(strokes.flat(), { recording: 'r' });
  const counted = result.conservation;
  const all = [counted.action, counted.travel, counted.loneModifier, counted.own, counted.paused].flat();
  const inputs = strokes.flat().filter(({ type }) => type !== 'layout').length;
  // A1: every event is somewhere, once.
  expect(all.reduce((sum, [first, last]) => sum + last - first + 1, 0)).toBe(inputs);
  return result.actions;
}
const said = (...strokes: (Stroke | Stroke[])[]): string[] =>
  actionsOf(...strokes).map(({ kind, text, keys, count }) => {
    const what = kind === 'type' ? `'${text}'` : keys?.join('+');
    return `${kind} ${what}${count > 1 ? ` x${count}` : ''}`;
  });

test('A19: Caps Lock that is Control makes a shortcut, and no capitals', () => {
  expect(
    said(
      tap(0, 'KeyA', letter('a')),
      down(100, 'CapsLock', { key: 'Control', sym: 'Control_L' }),
      tap(200, 'KeyS', { key: 's', sym: 's', mods: ['ctrl'] }),
      up(300, 'CapsLock'),
      tap(400, 'KeyD', letter('d')),
    ),
  ).toEqual(["type 'a'", 'press ctrl+s', "type 'd'"]);
});

test('A19: a modifier that was tapped and is latched is part of the next press, of a key and of a button', () => {
  const latched = { mods: ['ctrl'], latched: ['ctrl'] };
  const control = { key: 'Control' };
  const actions = actionsOf(tap(0, 'ControlLeft', control), tap(100, 'KeyS', { key: 's', ...latched }));
  expect(actions).toMatchObject([{ kind: 'press', keys: ['ctrl', 's'], events: [[0, 3]] }]);
  const click: Stroke[] = [
    { type: 'down', t: 300 * MS, x: 5, y: 5, button: 'left', mods: 2 },
    { type: 'up', t: 320 * MS, x: 5, y: 5, button: 'left', mods: 2 },
  ];
  expect(actionsOf(tap(0, 'ControlLeft', control), click)).toMatchObject([
    { kind: 'click', modifiers: ['ctrl'], events: [[0, 3]] },
  ]);
});

test('A19: one that was tapped for itself stays a press', () => {
  expect(said(tap(0, 'MetaLeft', { key: 'Meta' }), tap(100, 'KeyS', letter('s')))).toEqual(['press meta', "type 's'"]);
});

test('A19: levels choose characters and named keys, and are no part of a chord', () => {
  expect(
    said(
      down(0, 'CapsLock', { key: 'AltGraph', sym: 'ISO_Level3_Shift' }),
      tap(50, 'KeyD', letter('{', { plain: 'a', mods: ['level3'] })),
      up(100, 'CapsLock'),
      down(200, 'IntlBackslash', { key: 'Level5' }),
      tap(250, 'KeyS', { key: 'ArrowLeft', plain: 'i', mods: ['level5'] }),
      tap(300, 'KeyK', letter('5', { plain: 'r', mods: ['level5'] })),
      up(350, 'IntlBackslash'),
      down(400, 'AltRight', { key: 'AltGraph' }),
      tap(450, 'Enter', { key: 'Enter', mods: ['level3'] }),
      up(500, 'AltRight'),
    ),
  ).toEqual(["type '{'", 'press ArrowLeft', "type '5'", 'press AltGraph+Enter']);
});

test('A19: letters that a program maps onto a spare key are the letters; what a key without a meaning makes is warned of', () => {
  expect(said(...['ö', '日', '☃', 'ö'].map((char, i) => tap(i * 50, 'Unknown', letter(char), 8)))).toEqual([
    "type 'ö日☃ö'",
  ]);
  const nothing = [...tap(0, 'CapsLock', { key: 'Unidentified' }), ...tap(60, 'Unknown', { key: 'Unidentified' }, 250)];
  const { actions, warnings } = reduce(nothing, { recording: 'r' });
  expect(actions.map(({ keys }) => keys)).toEqual([['CapsLock'], ['Unknown(250)']]);
  expect(warnings).toMatchObject([
    { code: 'unknown-key', event: 0 },
    { code: 'unknown-key', event: 2 },
  ]);
});

test('A19: CapsLock and NumLock are presses of their own', () => {
  expect(
    said(
      tap(0, 'KeyA', letter('a')),
      tap(100, 'CapsLock', { key: 'CapsLock' }),
      tap(200, 'KeyA', letter('A', { mods: ['caps'], locked: ['caps'] })),
      tap(300, 'CapsLock', { key: 'CapsLock', mods: ['caps'] }),
      tap(400, 'NumLock', { key: 'NumLock' }),
    ),
  ).toEqual(["type 'a'", 'press CapsLock', "type 'A'", 'press CapsLock', 'press NumLock']);
});

test('A19: Compose and dead keys are part of the text that they make; Compose alone is a press', () => {
  const compose: KeyMade = { key: 'Compose', sequence: 'goes-on' };
  const actions = actionsOf(
    tap(0, 'KeyA', letter('a')),
    tap(100, 'AltRight', compose),
    tap(200, 'Quote', { key: "'", sequence: 'goes-on' }),
    tap(300, 'KeyE', { key: 'e', text: 'é', sequence: 'ends' }),
    tap(400, 'Equal', { key: 'Dead', plain: '´', dead: { dead: '\u0301', alone: '´' }, sequence: 'goes-on' }),
    tap(5000, 'KeyX', { key: 'x', sequence: 'ends' }),
  );
  expect(actions).toMatchObject([{ kind: 'type', text: 'aé', keystrokes: ['a', '<Compose>', "'", 'e', '´', 'x'] }]);
  expect(said(tap(0, 'AltRight', compose))).toEqual(['press Compose']);
});

test('A19: a dead key that nobody follows composes by the rules of A8', () => {
  const dead: KeyMade = { key: 'Dead', plain: '´', dead: { dead: '\u0301', alone: '´' } };
  expect(said(tap(0, 'Equal', dead), tap(100, 'KeyE', letter('e')))).toEqual(["type 'é'"]);
});

test('A19: a shortcut ends when its last key is up, and one that came before it with its own', () => {
  const ctrl = { mods: ['ctrl'] };
  const [copy, paste] = actionsOf(
    down(0, 'ControlLeft', { key: 'Control' }),
    tap(100, 'KeyC', { key: 'c', ...ctrl }),
    tap(300, 'KeyV', { key: 'v', ...ctrl }),
    up(700, 'ControlLeft'),
  );
  expect([copy?.end.t, paste?.end.t]).toEqual([120 * MS, 700 * MS]);
  const old = reduce(
    [down(0, 'AltLeft', { key: 'Alt' }), ...tap(100, 'Tab', { key: 'Tab', mods: ['alt'] }), up(320, 'AltLeft')].map(
      (event) => ({ ...event, made: undefined }) as RawEvent,
    ),
    { recording: 'r' },
  );
  // Recordings from before read as they did.
  expect(old.actions.map(({ keys, end }) => [keys, end.t])).toEqual([[['alt', 'Tab'], 120 * MS]]);
});

test('A19: chords are named by the key alone: by its character, on other scripts by a US keyboard, by its place for F13', () => {
  const chord = (code: string, made: KeyMade) => said(tap(0, code, made))[0];
  expect(chord('KeyS', { key: 'S', plain: 's', mods: ['ctrl', 'shift'] })).toBe('press ctrl+shift+s');
  expect(chord('KeyC', { key: 'с', mods: ['ctrl'] })).toBe('press ctrl+c');
  expect(chord('Tab', { key: 'Tab', sym: 'ISO_Left_Tab', mods: ['shift'] })).toBe('press shift+Tab');
  expect(chord('Numpad7', { key: 'Home', plain: '7', sym: 'KP_Home', mods: ['shift', 'num'] })).toBe(
    'press shift+Home',
  );
  expect(chord('F13', { key: 'XF86Tools', sym: 'XF86Tools' })).toBe('press F13');
  expect(chord('Lang3', { key: 'Katakana', sym: 'Katakana' })).toBe('press Lang3');
  expect(reduce(tap(0, 'F24', { key: 'Unidentified' }), { recording: 'r' }).warnings).toEqual([]);
  expect(chord('Space', { key: ' ', mods: ['ctrl'] })).toBe('press ctrl+Space');
  expect(chord('PrintScreen', { key: 'PrintScreen', sym: 'Sys_Req', mods: ['alt'] })).toBe('press alt+PrintScreen');
  expect(chord('KeyQ', { key: '@', plain: 'q', mods: ['ctrl', 'level3'] })).toBe('press ctrl+AltGraph+q');
});

test('A19: Alt and Shift that switch the layout are one press of both', () => {
  expect(
    said(
      down(0, 'AltLeft', { key: 'Alt' }),
      down(50, 'ShiftLeft', { key: 'GroupNext', plain: 'Shift', mods: ['alt'] }),
      up(80, 'ShiftLeft'),
      up(100, 'AltLeft'),
    ),
  ).toEqual(['press alt+shift']);
});
