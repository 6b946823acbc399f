import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementLineSchema } from '../../schemas/elements.ts';
import { MOST_CALLS } from '../elements/budget.ts';
import { fakeApi } from '../platform/fake-api-for-tests.ts';
import type { WindowsApi } from './api.ts';
import type { ComValue } from './com.ts';
import { msaaStates, msaaWord, typeWord } from './element-words.ts';
import { openWindowsElements, windowsElementReadiness } from './elements.ts';

const [WINDOW, FIELD, OTHER] = [0x50n, 0x51n, 0x60n];
const P = { box: 30001, type: 30003, name: 30005, focused: 30008, enabled: 30010, id: 30011, class: 30012 };
const [PASSWORD, HANDLE, FRAMEWORK, TOGGLES, HAS_VALUE, READ_ONLY, TOGGLE] = [
  ...[30019, 30020, 30024, 30041, 30043, 30046, 30086],
] as [number, number, number, number, number, number, number];
const TIMED_OUT = 0x80131505 | 0;

type Thing = { in: string | null; before?: string; of: Record<number, ComValue> };
const FORM: Record<string, Thing> = {
  desktop: { in: null, of: { [P.type]: 50033, [HANDLE]: 0x10 } },
  window: { in: 'desktop', of: { [P.type]: 50032, [P.name]: 'Form', [HANDLE]: Number(WINDOW) } },
  pane: { in: 'window', of: { [P.type]: 50033, [P.box]: [0, 0, 800, 600] } },
  ok: { in: 'pane', of: { [P.type]: 50000, [P.name]: 'OK' } },
  save: {
    in: 'pane',
    before: 'ok',
    of: {
      [P.type]: 50000,
      [P.name]: '  Save \n as\u0007 ',
      [P.box]: [10.4, 10, 80, 30],
      [P.enabled]: true,
      [P.id]: 'saveAs',
      [P.class]: 'Button',
      [FRAMEWORK]: 'WPF',
      [TOGGLES]: true,
      [TOGGLE]: 1,
    },
  },
  word: { in: 'save', of: { [P.type]: 50020, [P.name]: 'Save as', [P.box]: [20, 15, 30, 12] } },
  secret: {
    in: 'pane',
    of: { [P.type]: 50004, [P.name]: 'hunter2', [P.box]: [10, 60, 200, 30], [PASSWORD]: true, [HAS_VALUE]: true },
  },
  inner: { in: 'secret', of: { [P.type]: 50033 } },
};

type Told = { at?: string | null; focus?: string | null; result?: number };
/** A Windows with these elements; `held` counts objects that were given and not released. */
function windows(things: Record<string, Thing>, told: Told = {}, more: Partial<WindowsApi> = {}) {
  const given = new Map<bigint, string>();
  const calls: [name: string, ...unknown[]][] = [];
  let next = 1000n;
  const give = (key: string | null | undefined): { result: number; ref: bigint | null } => {
    if (told.result !== undefined) return { result: told.result, ref: null };
    if (!key || !things[key]) return { result: 0, ref: null };
    given.set(++next, key);
    return { result: 0, ref: next };
  };
  const base: Partial<WindowsApi> = {
    SetThreadDpiAwarenessContext: () => undefined,
    CoInitializeEx: () => 0,
    createAutomation: () => 1n,
    createCacheRequest: () => 2n,
    rawViewWalker: () => 3n,
    watchEvents: () => () => undefined,
    pumpMessages: () => undefined,
    answers: () => true,
    WindowFromPoint: () => FIELD,
    GetDesktopWindow: () => 0x10n,
    ElementFromHandleBuildCache: () => ({ result: -1, ref: null }),
    GetAncestor: (window, flags) => (flags === 2 ? WINDOW : window === FIELD ? WINDOW : 0n),
    GetWindowLongW: () => 0,
    GetClassNameW: () => 'Form',
    GetWindowThreadProcessId: (window) => ({ thread: 1, pid: window === OTHER ? 9 : 42 }),
    GetWindowTextW: () => 'Form',
    processPath: () => 'C:\\form.exe',
    fileDescription: () => 'A form',
    IsIconic: () => false,
    frameBounds: () => ({ left: 0, top: 0, right: 800, bottom: 600 }),
    GetForegroundWindow: () => WINDOW,
    keyboardWindow: () => ({ active: WINDOW, focus: FIELD }),
    ElementFromPointBuildCache: () => give(told.at),
    GetFocusedElementBuildCache: () => give(told.focus),
    GetParentElementBuildCache: (_walker, element) => give(things[given.get(element) ?? '']?.in),
    GetPreviousSiblingElementBuildCache: (_walker, element) => give(things[given.get(element) ?? '']?.before),
    GetCachedPropertyValue: (element, property) => things[given.get(element) ?? '']?.of[property] ?? null,
    Release: (object) => {
      if (object < 1000n) return;
      if (!given.delete(object)) throw new Error('released twice');
    },
    AccessibleObjectFromPoint: () => null,
    AccessibleObjectFromWindow: () => null,
  };
  const api = fakeApi<WindowsApi>({ ...base, ...more }, calls);
  return { api, calls: () => calls.map(([name]) => name), held: () => given.size };
}
const ask = (told: Told, things = FORM, more: Partial<WindowsApi> = {}) => {
  const made = windows(things, told, more);
  const asker = openWindowsElements(made.api, () => 0);
  const found = asker.ask(25, 20, asker.windowAt(25, 20)!);
  expect(made.held()).toBe(0);
  return { found, ...made };
};

describe('the element at a place, by UI Automation', () => {
  test('is the button, not the word on it, with the way from the window and all that was cached', () => {
    const { found } = ask({ at: 'word' });
    expect(found).toEqual({
      role: 'toggle button',
      name: 'Save as',
      description: '',
      bounds: { x: 10, y: 10, width: 80, height: 30 },
      source: 'uia',
      states: ['enabled', 'sensitive', 'showing', 'visible', 'checkable', 'checked'],
      path: [
        { role: 'frame', index: 0 },
        { role: 'panel', index: 0 },
        { role: 'toggle button', index: 1 },
      ],
      app: 'A form',
      toolkit: 'WPF',
      automationId: 'saveAs',
      className: 'Button',
    });
    expect(elementLineSchema.safeParse({ t: 1, ...found }).error).toBeUndefined();
  });

  test('in a field for passwords has no name, whatever was told, also where a part of it was hit', () => {
    for (const at of ['secret', 'inner']) {
      const { found } = ask({ at });
      expect(found).toMatchObject({ role: 'password text', name: '', description: '', withheld: true });
      expect(JSON.stringify(found)).not.toContain('hunter2');
    }
  });

  test('of another window than was asked about is none', () => {
    expect(ask({ at: 'desktop' }).found).toBeNull();
    const moved = { ...FORM, window: { ...FORM.window!, of: { ...FORM.window!.of, [HANDLE]: Number(OTHER) } } };
    expect(ask({ at: 'save' }, moved).found).toBeNull();
  });

  test('of a program that takes no messages is not asked for', () => {
    const { found, calls } = ask({ at: 'save' }, FORM, { answers: () => false });
    expect(found).toBeNull();
    expect(calls()).not.toContain('ElementFromPointBuildCache');
  });

  test('a field is one that can be written in, a document too where it says so', () => {
    const document = (readOnly: boolean) => ({
      ...FORM,
      save: { in: 'window', of: { [P.type]: 50030, [HAS_VALUE]: true, [READ_ONLY]: readOnly } },
    });
    expect(ask({ at: 'save' }, document(false)).found).toMatchObject({
      role: 'text',
      states: ['showing', 'visible', 'editable'],
    });
    expect(ask({ at: 'save' }, document(true)).found).toMatchObject({ role: 'document frame' });
  });
});

test('a program whose answers never come is asked less and less, then not at all', () => {
  let now = 0;
  let asked = 0;
  const { api } = windows(
    FORM,
    {},
    {
      ElementFromPointBuildCache: () => {
        asked++;
        now += 400;
        return { result: TIMED_OUT, ref: null };
      },
    },
  );
  const asker = openWindowsElements(api, () => now);
  for (let i = 0; i < 2000; i++) {
    expect(asker.ask(20, 70, asker.windowAt(20, 70)!)).toBeNull();
    now += 100;
  }
  expect(asked).toBe(6);
});

describe('MSAA', () => {
  /** Objects: 7 the button, 8 its window's; a tick box, a field for passwords. */
  const older = (role: number | null, state: number, className: string, style = 0): Partial<WindowsApi> => ({
    createAutomation: () => null,
    AccessibleObjectFromPoint: () => ({ object: 7n, child: 0 }),
    AccessibleObjectFromWindow: (window) => (window === WINDOW ? 8n : null),
    WindowFromAccessibleObject: (object) => (object === 8n ? WINDOW : FIELD),
    GetClassNameW: (window) => (window === FIELD ? className : '#32770'),
    GetWindowLongW: (window) => (window === FIELD ? style : 0),
    get_accRole: (object) => (object === 8n ? 18 : role),
    get_accState: (object) => (object === 8n ? 0 : state),
    get_accName: () => 'Save',
    get_accDescription: () => '',
    accLocation: (object) =>
      object === 8n ? { x: 0, y: 0, width: 800, height: 600 } : { x: 10, y: 10, width: 80, height: 30 },
  });

  test('is asked where there is no UI Automation; a control is known by its class where its role says nothing', () => {
    expect(ask({}, FORM, older(10, 0, 'Button')).found).toMatchObject({
      source: 'msaa',
      role: 'push button',
      name: 'Save',
      bounds: { x: 10, y: 10, width: 80, height: 30 },
      path: [
        { role: 'dialog', index: -1 },
        { role: 'push button', index: -1 },
      ],
      className: 'Button',
    });
    expect(ask({}, FORM, older(10, 0x10, 'Button', 3)).found).toMatchObject({ role: 'check box' });
    expect(ask({}, FORM, older(44, 0x10, 'TMyBox')).found).toMatchObject({ role: 'check box' });
  });

  test('is asked where UI Automation knows no more than that a window is there', () => {
    const { createAutomation: _none, ...more } = older(43, 0, 'TButton');
    expect(ask({ at: 'pane' }, FORM, { ...more }).found).toMatchObject({ source: 'msaa', role: 'push button' });
    expect(ask({ at: 'pane' }).found).toMatchObject({ source: 'uia', role: 'panel' });
  });

  test('says which field is one for passwords, and that one is asked for nothing else', () => {
    const { found, calls } = ask({}, FORM, older(42, 0x2000_0000, 'Edit'));
    expect(found).toMatchObject({ role: 'password text', name: '', withheld: true });
    expect(calls()).not.toContain('get_accName');
  });
});

describe('the keyboard', () => {
  const kind = (told: Told, more: Partial<WindowsApi> = {}) => {
    const made = windows(FORM, told, more);
    const { focus } = openWindowsElements(made.api, () => 0);
    const answer = focus.kindIn(focus.window());
    expect(made.held()).toBe(0);
    return answer;
  };
  test('is in a field for passwords by UI Automation, or in a part of one', () => {
    expect(kind({ focus: 'secret' })).toBe('password');
    expect(kind({ focus: 'inner' })).toBe('password');
    expect(kind({ focus: 'save' })).toBe('open');
  });
  test('is there by the style of one of Windows’ own fields, without asking', () => {
    const style = { GetClassNameW: () => 'TEdit', GetWindowLongW: () => 0x20, answers: () => false };
    expect(kind({ focus: 'save' }, style)).toBe('password');
    expect(kind({ focus: 'save' }, { ...style, GetClassNameW: () => 'Button', answers: () => true })).toBe('open');
  });
  test('is there by MSAA, where UI Automation does not know', () => {
    const protectedField: Partial<WindowsApi> = {
      AccessibleObjectFromWindow: () => 7n,
      get_accFocus: () => ({ object: 8n }),
      get_accState: (object) => (object === 8n ? 0x2000_0000 : 0),
    };
    expect(kind({ focus: null }, protectedField)).toBe('password');
    expect(kind({ focus: null })).toBe('open');
  });
  test('of a program that hangs is unanswered', () => {
    expect(kind({ focus: 'save' }, { answers: () => false })).toBe('unanswered');
    expect(kind({ focus: 'save', result: TIMED_OUT })).toBe('unanswered');
  });
  test('is heard of by events and by the window that has it', () => {
    let heard: () => void = () => undefined;
    let focus = FIELD;
    const { api } = windows(
      FORM,
      {},
      {
        watchEvents: (_least, _most, call) => {
          heard = call;
          return () => undefined;
        },
        keyboardWindow: () => ({ active: WINDOW, focus }),
      },
    );
    const { focus: keyboard } = openWindowsElements(api, () => 0);
    keyboard.turn(true);
    const versions = [keyboard.version()];
    for (const move of [() => undefined, () => heard(), () => (focus = OTHER)]) {
      move();
      keyboard.turn(true);
      versions.push(keyboard.version());
    }
    const [first = 0] = versions;
    expect(versions).toEqual([first, first, first + 1, first + 2]);
  });
});

test('10,000 answers of any kind end in a line or in none, within bounds, and release what they were given', () => {
  const value = fc.oneof<fc.Arbitrary<ComValue>[]>(
    fc.integer(),
    fc.integer({ min: 50_000, max: 50_041 }),
    fc.double(),
    fc.boolean(),
    fc.string(),
    fc.constant('x'.repeat(100_000)),
    fc.constant([0, 0, 100, 50]),
    fc.array(fc.double(), { maxLength: 5 }),
    fc.constant(Number(WINDOW)),
    fc.constant(null),
  );
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'none');
  const thing = fc.record({
    in: fc.option(key),
    before: key,
    of: fc.dictionary(fc.constantFrom('30001', '30003', '30005', '30011', '30012', '30019', '30020', '30024'), value),
  });
  const things = fc.record({ a: thing, b: thing, c: thing, d: thing });
  fc.assert(
    fc.property(things, fc.boolean(), (made, fails) => {
      const { api, calls, held } = windows(made, { at: 'a', focus: 'b', ...(fails ? { result: -1 } : {}) });
      const asker = openWindowsElements(api, () => 0);
      const found = asker.ask(25, 20, asker.windowAt(25, 20)!);
      expect(['password', 'open']).toContain(asker.focus.kindIn(asker.focus.window()));
      expect(calls().filter((name) => name.endsWith('BuildCache')).length).toBeLessThanOrEqual(MOST_CALLS + 4);
      expect(held()).toBe(0);
      if (found) expect(elementLineSchema.safeParse({ t: 1, ...found }).error?.issues).toBeUndefined();
    }),
    { numRuns: 10_000 },
  );
});

test('control types, roles and states by their numbers', () => {
  const plain = { password: false, toggles: false, editable: false };
  expect([50000, 50002, 50011, 50019, 50026, 50040, 50041, 'x'].map((type) => typeWord({ type, ...plain }))).toEqual([
    ...['push button', 'check box', 'menu item', 'page tab', 'panel', 'tool bar', 'unknown', 'unknown'],
  ]);
  const role = (number: number | null): string => msaaWord({ role: number, password: false, className: '', style: 0 });
  expect([2, 12, 34, 36, 37, 42, 43, 44, 45, 60, 62, 64, 99, null].map(role)).toEqual([
    ...['menu bar', 'menu item', 'list item', 'tree item', 'page tab', 'text', 'push button', 'check box'],
    ...['radio button', 'page tab list', 'push button', 'push button', 'unknown', 'unknown'],
  ]);
  expect(msaaStates(0x1 | 0x10 | 0x8000)).toEqual(['checked']);
});

test('doctor’s answer: who is asked, and the open programs once each', () => {
  const list: Partial<WindowsApi> = {
    EnumWindows: () => [WINDOW, OTHER],
    IsWindowVisible: () => true,
    isCloaked: () => false,
  };
  const speaking = ['A form'];
  expect(windowsElementReadiness(windows(FORM, {}, list).api)).toMatchObject({
    by: 'UI Automation',
    speaking,
    ready: true,
  });
  const none = windows(FORM, {}, { ...list, createAutomation: () => null });
  expect(windowsElementReadiness(none.api)).toMatchObject({ by: 'MSAA', speaking, ready: true });
});
