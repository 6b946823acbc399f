import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementLineSchema } from '../../schemas/elements.ts';
import { MOST_CALLS } from '../elements/budget.ts';
import { fakeApi } from '../platform/fake-api-for-tests.ts';
import type { DesktopWindow } from '../platform/platform.ts';
import type { MacApi, Ref } from './api.ts';
import type { AxValue, MacElementCalls } from './api-elements.ts';
import { macElementReadiness, openMacElements } from './elements.ts';

type Api = MacApi & MacElementCalls;
type Thing = { in: string | null; of: Record<string, AxValue>; pid?: number };
const SYSTEM = 1n;
const TIMED_OUT = -25204;
const window = (id: string, pid: number): DesktopWindow => ({
  id,
  pid,
  title: 'Form',
  app: 'Safari',
  bounds: { x: 0, y: 0, width: 1600, height: 1200 },
});
const box = (x: number, y: number, width: number, height: number) => ({
  AXPosition: { x, y },
  AXSize: { width, height },
});
const FORM: Record<string, Thing> = {
  app: { in: null, of: { AXRole: 'AXApplication' } },
  window: { in: 'app', of: { AXRole: 'AXWindow', ...box(0, 0, 800, 600) } },
  save: {
    in: 'window',
    of: { AXRole: 'AXButton', AXDescription: 'Save', AXEnabled: true, AXIdentifier: 'save', ...box(10, 10, 80, 30) },
  },
  word: { in: 'save', of: { AXRole: 'AXStaticText', AXValue: 'Save it', ...box(20, 15, 30, 12) } },
  secret: {
    in: 'window',
    of: {
      AXRole: 'AXTextField',
      AXSubrole: 'AXSecureTextField',
      AXTitle: 'Password',
      AXValue: 'hunter2',
      ...box(10, 60, 200, 30),
    },
  },
};

/** A Mac with one Retina screen (two px a point) and these elements. */
function mac(
  things: Record<string, Thing>,
  told: { at?: string; focus?: string; error?: number } = {},
  more: Partial<Api> = {},
) {
  const given = new Map<Ref, string>();
  const calls: unknown[][] = [];
  let next = 1000n;
  const give = (key: string | null | undefined) => {
    if (told.error) return { error: told.error, element: null };
    if (!key || !things[key]) return { error: -25212, element: null };
    given.set(++next, key);
    return { error: 0, element: next };
  };
  const base: Partial<Api> = {
    AXIsProcessTrusted: () => true,
    CGPreflightScreenCaptureAccess: () => true,
    CGPreflightListenEventAccess: () => true,
    systemWide: () => SYSTEM,
    IsSecureEventInputEnabled: () => false,
    CGGetActiveDisplayList: () => [1],
    CGMainDisplayID: () => 1,
    CGDisplayBounds: () => ({ x: 0, y: 0, width: 1440, height: 900 }),
    modePixelWidth: () => 2880,
    AXUIElementCopyElementAtPosition: () => give(told.at),
    copyElement: (element, attribute) =>
      give(attribute === 'AXParent' ? things[given.get(element) ?? '']?.in : told.focus),
    copyValues: (element, attributes) => ({
      error: 0,
      values: attributes.map((name) => things[given.get(element) ?? '']?.of[name] ?? null),
    }),
    placeAmong: () => 3,
    pidOf: (element) => things[given.get(element) ?? '']?.pid ?? 42,
    CFRelease: (object) => {
      if (object !== SYSTEM && !given.delete(object)) throw new Error('released twice');
    },
  };
  const api = fakeApi<Api>({ ...base, ...more }, calls);
  return { api, calls, held: () => given.size };
}
const windows = (...list: DesktopWindow[]) => ({ windows: () => list, activeWindow: () => list[0] ?? null });
const ask = (at: string, things = FORM, ...list: DesktopWindow[]) => {
  const made = mac(things, { at });
  const asker = openMacElements(made.api, windows(...(list.length > 0 ? list : [window('5', 42)])), () => 0);
  const there = asker.windowAt(50, 40);
  const found = there && asker.ask(50, 40, there);
  expect(made.held()).toBe(0);
  return { found, there, ...made };
};

describe('the element at a place, by AX', () => {
  test('is the button, not the word on it, in physical px, asked for at its place in points', () => {
    const { found, calls } = ask('word');
    expect(found).toEqual({
      role: 'push button',
      name: 'Save',
      description: '',
      bounds: { x: 20, y: 20, width: 160, height: 60 },
      source: 'ax',
      states: ['enabled', 'sensitive', 'showing', 'visible'],
      path: [
        { role: 'frame', index: 3 },
        { role: 'push button', index: 3 },
      ],
      app: 'Safari',
      toolkit: 'AX',
      automationId: 'save',
    });
    expect(calls.filter(([name]) => name === 'AXUIElementCopyElementAtPosition').at(-1)).toEqual([
      ...['AXUIElementCopyElementAtPosition', SYSTEM, 25, 20],
    ]);
    expect(calls).toContainEqual(['systemWide', 0.2]);
    expect(elementLineSchema.safeParse({ t: 1, ...found }).error).toBeUndefined();
  });

  test('in a field for passwords has no name, and its value is never asked for', () => {
    const { found, calls } = ask('secret');
    expect(found).toMatchObject({ role: 'password text', name: '', withheld: true });
    expect(calls.filter(([, , names]) => Array.isArray(names) && names.includes('AXValue'))).toEqual([]);
  });

  test('belongs to a window of its own program: a menu lies in none of those that are listed', () => {
    const menu = { ...FORM, item: { in: 'app', of: { AXRole: 'AXMenuItem', AXTitle: 'Open' } } };
    const small = { ...window('5', 42), bounds: { x: 900, y: 900, width: 10, height: 10 } };
    const { found, there } = ask('item', menu, window('1', 9), small);
    expect(there).toMatchObject({ id: '5', popup: true });
    expect(found).toMatchObject({ role: 'menu item', name: 'Open' });
    expect(ask('item', menu, window('1', 9)).there).toBeNull();
  });
});

test('without the right nothing is asked, and doctor says what to do', () => {
  const { api } = mac(FORM, {}, { AXIsProcessTrusted: () => false });
  expect(() => openMacElements(api, windows())).toThrow(expect.objectContaining({ code: 'NO_PERMISSION' }));
  expect(macElementReadiness(api, windows())).toMatchObject({
    ready: false,
    fix: expect.stringContaining('Accessibility'),
  });
  expect(macElementReadiness(mac(FORM).api, windows(window('1', 2), window('2', 2)))).toMatchObject({
    ready: true,
    speaking: ['Safari'],
  });
});

describe('the keyboard', () => {
  const kind = (focus: string, error?: number, more: Partial<Api> = {}) => {
    const made = mac(FORM, { focus, ...(error ? { error } : {}) }, more);
    const { focus: keyboard } = openMacElements(made.api, windows(window('5', 42)), () => 0);
    const answer = keyboard.kindIn(keyboard.window());
    expect(made.held()).toBe(0);
    return answer;
  };
  test('is in a field for passwords by its subrole, or by the system’s own word without asking', () => {
    expect(kind('secret')).toBe('password');
    expect(kind('save')).toBe('open');
    expect(kind('save', TIMED_OUT, { IsSecureEventInputEnabled: () => true })).toBe('password');
  });
  test('of a program that does not answer is unanswered', () => {
    expect(kind('save', TIMED_OUT)).toBe('unanswered');
    expect(kind('save', -25212)).toBe('open');
  });
  test('has moved when the system begins or ends to hide keys', () => {
    let secure = false;
    const { api } = mac(FORM, {}, { IsSecureEventInputEnabled: () => secure });
    const { focus } = openMacElements(api, windows(), () => 0);
    const versions = [false, true, true, false].map((now) => {
      secure = now;
      focus.turn(true);
      return focus.version();
    });
    expect(versions).toEqual([0, 1, 1, 2]);
  });
});

test('a program that does not answer is asked less and less, then not at all', () => {
  let now = 0;
  let asked = 0;
  const { api } = mac(
    FORM,
    {},
    {
      AXUIElementCopyElementAtPosition: () => {
        asked++;
        now += 200;
        return { error: TIMED_OUT, element: null };
      },
    },
  );
  const asker = openMacElements(api, windows(window('5', 42)), () => now);
  for (let i = 0; i < 2000; i++) {
    expect(asker.ask(50, 40, { ...window('5', 42), popup: false })).toBeNull();
    now += 100;
  }
  expect(asked).toBe(6);
});

test('10,000 answers of any kind end in a line or in none, within bounds, and release what they were given', () => {
  const value = fc.oneof<fc.Arbitrary<AxValue>[]>(
    fc.double(),
    fc.boolean(),
    fc.string(),
    fc.constant('x'.repeat(100_000)),
    fc.constantFrom('AXButton', 'AXStaticText', 'AXWindow', 'AXApplication', 'AXSecureTextField'),
    fc.record({ x: fc.double(), y: fc.double() }),
    fc.record({ width: fc.double(), height: fc.double() }),
    fc.constant(null),
  );
  const names = ['AXRole', 'AXSubrole', 'AXTitle', 'AXHelp', 'AXPosition', 'AXSize', 'AXIdentifier', 'AXValue'];
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'none');
  const thing = fc.record({ in: fc.option(key), of: fc.dictionary(fc.constantFrom(...names), value) });
  fc.assert(
    fc.property(fc.record({ a: thing, b: thing, c: thing, d: thing }), (things) => {
      const { api, calls, held } = mac(things, { at: 'a', focus: 'b' });
      const asker = openMacElements(api, windows(window('5', 42)), () => 0);
      const found = asker.ask(50, 40, { ...window('5', 42), popup: false });
      expect(['password', 'open']).toContain(asker.focus.kindIn(asker.focus.window()));
      expect(calls.filter(([name]) => String(name).startsWith('copy')).length).toBeLessThanOrEqual(MOST_CALLS + 4);
      expect(held()).toBe(0);
      if (found) expect(elementLineSchema.safeParse({ t: 1, ...found }).error?.issues).toBeUndefined();
    }),
    { numRuns: 10_000 },
  );
});
