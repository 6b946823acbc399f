import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Variant } from '../bus/gvariant.ts';
import { followFocus } from './focus.ts';
import { FOCUS_MS, MOST_SEARCHED } from './focus-questions.ts';
import { inTurn, type OneByOne, program, ROOT, SHOWING, type Thing } from './program-for-tests.ts';

const FOCUSED = 2 ** 12;
const ACTIVE = 2 ** 1;
const EDITABLE = 2 ** 7;
const ROLE = { frame: 23, menuItem: 35, panel: 39, password: 40, terminal: 60, text: 61 };
type Field = Thing & {
  focused?: boolean;
  active?: boolean;
  editable?: boolean;
  box?: number[];
  letters?: number;
};

const programOf = (things: Record<string, Field>) =>
  program(things, ({ focused, active, editable, box, letters }, method, args) => {
    if (method === 'GetExtents') return box && [box];
    if (args.includes('CharacterCount')) return [letters ?? 0];
    return [[SHOWING + (focused ? FOCUSED : 0) + (active ? ACTIVE : 0) + (editable ? EDITABLE : 0), 0]];
  });
const FORM: Record<string, Field> = {
  frame: { role: ROLE.frame, in: 'root', active: true },
  panel: { role: ROLE.panel, in: 'frame' },
  name: { role: ROLE.text, in: 'panel' },
  secret: { role: ROLE.password, in: 'panel' },
  inside: { role: ROLE.text, in: 'secret' },
};
const focused = (which: string) => ({ ...FORM, [which]: { ...FORM[which]!, focused: true } });

/** A program each answer of which takes 1 ms. */
function ticking(things: Record<string, Field>) {
  let now = 0;
  const { call } = programOf(things);
  const slow: OneByOne = (...what) => {
    now += 1;
    return call(...what);
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { follower: followFocus(inTurn(slow), () => now), pass };
}

describe('the field that has the keyboard', () => {
  test('is what the program told last', () => {
    const follower = followFocus(programOf(focused('secret')).bus);
    follower.heard(':1.5', '/o/name', 'focused');
    const before = follower.version();
    follower.heard(':1.5', '/o/secret', 'focused');
    expect(follower.version()).not.toBe(before);
    expect(follower.kindIn(':1.5')).toBe('password');
  });

  test('may be a part of it', () => {
    const follower = followFocus(programOf(focused('inside')).bus);
    follower.heard(':1.5', '/o/inside', 'focused');
    expect(follower.kindIn(':1.5')).toBe('password');
  });

  test('is searched for where nothing was told, and shown by the caret of the first key', () => {
    expect(followFocus(programOf(focused('secret')).bus).kindIn(':1.5')).toBe('password');
    expect(followFocus(programOf(focused('name')).bus).kindIn(':1.5')).toBe('open');
    const many: Record<string, Field> = { ...focused('secret') };
    for (let i = 0; i < 20; i++)
      for (let k = 0; k < 20; k++) {
        many[`p${i}`] = { role: ROLE.panel, in: 'frame' };
        many[`p${i}c${k}`] = { role: ROLE.panel, in: `p${i}` };
      }
    for (const key of Object.keys(many))
      if (key.startsWith('p') && !key.includes('c')) many[`deep${key}`] = { role: ROLE.panel, in: key };
    many.secret = { ...many.secret!, in: 'deepp19' };
    const { bus, asked } = programOf(many);
    const follower = followFocus(bus);
    expect(follower.kindIn(':1.5')).toBe('open');
    expect(asked.filter((one) => one.includes(' GetChildren')).length).toBeLessThanOrEqual(MOST_SEARCHED + 1);
    follower.heard(':1.5', '/o/secret', 'caret');
    expect(follower.kindIn(':1.5')).toBe('password');
  });

  test('is none after the focus left it, and a caret elsewhere does not say otherwise', () => {
    const { bus } = programOf(focused('name'));
    const follower = followFocus(bus);
    follower.heard(':1.5', '/o/secret', 'focused');
    expect(follower.kindIn(':1.5')).toBe('open');
    follower.heard(':1.5', '/o/secret', 'caret');
    expect(follower.kindIn(':1.5')).toBe('open');
  });

  test('of a program that is known by another process is the last that was told', () => {
    const follower = followFocus(programOf(focused('secret')).bus);
    expect(follower.kindIn(null)).toBe('open');
    follower.heard(':1.5', '/o/secret', 'focused');
    expect(follower.kindIn(null)).toBe('password');
  });

  test('is a field that one writes in only where it is editable, no terminal and none for passwords', () => {
    const field = (which: string, more: Partial<Field>): string | null => {
      const things = focused(which);
      const { bus } = programOf({ ...things, [which]: { ...things[which]!, ...more } });
      return followFocus(bus).fieldIn(':1.5');
    };
    expect(field('name', { editable: true })).toBe('/o/name');
    expect(field('name', {})).toBeNull();
    expect(field('name', { editable: true, role: ROLE.terminal })).toBeNull();
    expect(field('secret', { editable: true })).toBeNull();
    expect(field('inside', { editable: true })).toBeNull();
  });

  test('a part of a menu is one, and so is what is gone; a field is none', () => {
    const follower = followFocus(programOf({ ...FORM, item: { role: ROLE.menuItem, in: 'frame' } }).bus);
    expect(follower.last()).toBeNull();
    follower.heard(':1.5', '/o/name', 'focused');
    follower.heard(':1.5', '/o/item', 'focused');
    expect(follower.last()).toEqual({ bus: ':1.5', path: '/o/item' });
    const kinds = ['item', 'gone', 'name'].map((one) => follower.isMenu({ bus: ':1.5', path: `/o/${one}` }));
    expect(kinds).toEqual([true, true, false]);
  });

  test('stays one for passwords when its letters are shown, and so does one that is made anew in its place', () => {
    const box = [10, 20, 200, 30];
    const things: Record<string, Field> = {
      ...focused('secret'),
      secret: { ...FORM.secret!, focused: true, editable: true, box },
      name: { ...FORM.name!, editable: true, box: [10, 60, 200, 30] },
    };
    const { follower, pass } = ticking(things);
    expect([follower.kindIn(':1.5'), follower.why(), follower.isShown()]).toEqual(['password', 'field', false]);
    things.secret = { ...things.secret!, role: ROLE.text, letters: 8 };
    expect([follower.kindIn(':1.5'), follower.why(), follower.isShown()]).toEqual(['password', 'was-field', true]);
    expect(follower.fieldIn(':1.5')).toBeNull();
    things.secret = { ...things.secret, letters: 0 };
    expect(follower.isShown()).toBe(false);
    // Firefox makes another object for a field whose letters are shown.
    delete things.secret;
    things.anew = { role: ROLE.text, in: 'panel', focused: true, editable: true, box: [11, 20, 200, 30] };
    pass(5000);
    expect([follower.kindIn(':1.5'), follower.why()]).toEqual(['password', 'was-field']);
    things.anew = { ...things.anew, focused: false };
    things.name = { ...things.name!, focused: true };
    pass(5000);
    expect(follower.kindIn(':1.5')).toBe('open');
  });

  test('is one for passwords where its program told that it changed its role', () => {
    const follower = followFocus(programOf({ ...focused('name') }).bus);
    expect(follower.kindIn(':1.5')).toBe('open');
    follower.roleChanged(':1.5', '/o/name');
    follower.heard(':1.5', '/o/name', 'focused');
    expect(follower.kindIn(':1.5')).toBe('password');
  });

  test('of a program that hangs is unanswered, within the time of one question', () => {
    let now = 0;
    const hanging: OneByOne = (_to, _method, _args, withinMs) => {
      now += withinMs;
      throw new Error('Timeout was reached');
    };
    const follower = followFocus(inTurn(hanging), () => now);
    expect(follower.kindIn(':1.5')).toBe('unanswered');
    expect(now).toBeLessThanOrEqual(FOCUS_MS + 1);
    expect(follower.slowest()).toBe(FOCUS_MS);
    // Nothing is known of it either where it is not asked again.
    for (let i = 0; i < 20; i++) {
      expect(['unanswered', 'resting']).toContain(follower.kindIn(':1.5'));
      now += 100;
    }
  });

  test('that is searched for is found on a machine on which each answer takes its time', () => {
    let now = 0;
    const { call } = programOf(focused('secret'));
    const slow: OneByOne = (...what) => {
      now += 40;
      return call(...what);
    };
    const follower = followFocus(inTurn(slow), () => now);
    expect(follower.kindIn(':1.5')).toBe('password');
    expect(now).toBeGreaterThan(FOCUS_MS);
    expect(follower.slowest()).toBe(40);
  });

  test('is not known while the program rests from a search, whatever that found', () => {
    const things = { ...FORM };
    const { follower, pass } = ticking(things);
    expect(follower.kindIn(':1.5')).toBe('open');
    // Its field for passwords gets the keyboard, and no word of it is heard.
    things.secret = { ...things.secret!, focused: true };
    expect(follower.kindIn(':1.5')).toBe('resting');
    pass(1000);
    expect(follower.kindIn(':1.5')).toBe('password');
  });

  test('is searched for at once where the program told of a move and the object does not say so yet', () => {
    const { follower } = ticking(FORM);
    expect(follower.kindIn(':1.5')).toBe('open');
    expect(follower.kindIn(':1.5')).toBe('resting');
    follower.heard(':1.5', '/o/name', 'focused');
    expect(follower.kindIn(':1.5')).toBe('open');
    follower.heard(':1.5', '/o/name', 'focused');
    follower.heard(':1.5', '/o/name', 'left');
    expect(follower.kindIn(':1.5')).toBe('open');
    // A caret moves in many programs without end: it is no reason to search again.
    follower.heard(':1.5', '/o/name', 'caret');
    expect(follower.kindIn(':1.5')).toBe('resting');
  });

  test('of a program that is known by another process is unanswered where the last that told hangs', () => {
    let now = 0;
    const hanging: OneByOne = (_to, _method, _args, withinMs) => {
      now += withinMs;
      throw new Error('Timeout was reached');
    };
    const follower = followFocus(inTurn(hanging), () => now);
    follower.heard(':1.5', '/o/secret', 'focused');
    expect(follower.kindIn(null)).toBe('unanswered');
  });
});

test('10,000 answers of any kind end in a kind, within bounds', () => {
  const value = fc.oneof<fc.Arbitrary<Variant>[]>(
    fc.integer({ min: -5, max: 130 }),
    fc.string(),
    fc.constant('x'.repeat(100_000)),
    fc.tuple(fc.constant(':1.5'), fc.constantFrom('/o/a', '/o/b', ROOT, '/o/c', "/o/'), ('")),
    fc.array(fc.tuple(fc.constant(':1.5'), fc.constantFrom('/o/a', '/o/b', '/o/c')), { maxLength: 4 }),
    fc.array(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }), { maxLength: 5 }),
    fc.constant<Variant>([SHOWING + FOCUSED, 0]),
    fc.constant<Variant>([SHOWING, 0]),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), fc.boolean(), (answers, silent) => {
      let calls = 0;
      const follower = followFocus(
        inTurn(({ path }) => {
          expect(path).toMatch(/^[\w/]+$/);
          return [answers[calls++ % answers.length]!];
        }),
        () => 0,
      );
      follower.heard(':1.5', "/o/'), ('", 'focused');
      if (!silent) follower.heard(':1.5', '/o/a', 'focused');
      expect(['password', 'open', 'resting']).toContain(follower.kindIn(':1.5'));
      expect(calls).toBeLessThan(3 * MOST_SEARCHED + 40);
    }),
    { numRuns: 10_000 },
  );
});
