import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementLineSchema } from '../../schemas/elements.ts';
import type { Variant } from '../bus/gvariant.ts';
import type { AskBus } from './ask-bus.ts';
import { AtspiTree } from './atspi.ts';
import { roleWord, stateWords } from './atspi-words.ts';
import { MOST_CALLS } from './budget.ts';
import { inTurn, type OneByOne } from './program-for-tests.ts';

const WINDOW = {
  id: '7',
  pid: 42,
  title: 'T',
  app: 'a',
  popup: false,
  bounds: { x: 0, y: 0, width: 800, height: 600 },
};
const ROOT = '/org/a11y/atspi/accessible/root';
const SHOWN = [2 ** 25 + 2 ** 30, 0];
const ROLE = { frame: 23, panel: 39, label: 29, button: 43, password: 40, tabs: 38, tab: 37 };

type Thing = {
  role: number;
  box: number[];
  name?: string;
  in: string;
  shown?: boolean;
  states?: number[];
  label?: string;
};
/** A program with these things; `asked` lists what was asked of them. */
function program(
  things: Record<string, Thing>,
  { toldAt = true, toolkit = 'gtk' } = {},
): { call: OneByOne; bus: AskBus; asked: string[] } {
  const asked: string[] = [];
  const under = (path: string) => Object.keys(things).filter((key) => things[key]!.in === path);
  const call: OneByOne = ({ name, path }, method, args) => {
    asked.push(`${path} ${method} ${args.join()}`);
    const key = path.split('/').at(-1)!;
    const thing = things[key];
    const ref = (to: string): Variant[] => [':1.5', `/o/${to}`];
    if (name.endsWith('Registry')) return [[[':1.5', ROOT]]];
    if (method === 'GetConnectionUnixProcessID') return [42];
    if (method === 'GetChildren') return [under(key).map(ref)];
    if (method === 'GetRole') return [thing?.role ?? 75];
    if (method === 'GetState') return [thing?.states ?? (thing?.shown === false ? [1, 0] : SHOWN)];
    if (method === 'GetRelationSet') return [thing?.label ? [[2, [ref(thing.label)]]] : []];
    if (method === 'GetExtents') return [thing?.box ?? [0, 0, 0, 0]];
    if (method === 'GetIndexInParent') return [under(thing?.in ?? '').indexOf(key)];
    // Qt 5 looks for a second argument, finds none, and crashes.
    if (method === 'GetAll') throw new Error('The program is gone');
    if (args.includes('Name') && thing) return [thing.name ?? ''];
    if (method === 'Get')
      return [args.includes('Parent') ? [':1.5', thing?.in === 'root' ? ROOT : `/o/${thing?.in}`] : toolkit];
    if (method === 'GetSelectedChild') return [ref(under(key)[0] ?? 'null')];
    if (method !== 'GetAccessibleAtPoint') return [];
    const [x = 0, y = 0] = args.map(Number);
    const hit = under(key).find((one) => {
      const [left = 0, top = 0, width = 0, height = 0] = things[one]!.box;
      return x >= left && y >= top && x < left + width && y < top + height;
    });
    return [toldAt && hit ? ref(hit) : [':1.5', '/org/a11y/atspi/null']];
  };
  return { call, bus: inTurn(call), asked };
}

describe('the program of a process', () => {
  test('is known as soon as it is on the bus, however shortly before it was looked for', () => {
    const { call } = program({});
    let there = false;
    const tree = new AtspiTree(
      inTurn((to, method, args, ms) => (to.name.endsWith('Registry') && !there ? [[]] : call(to, method, args, ms))),
    );
    expect(tree.busOf(42)).toBeNull();
    there = true;
    expect(tree.busOf(42)).toBe(':1.5');
    expect(tree.pidOf(':1.5')).toBe(42);
    expect(tree.pidOf(':1.6')).toBeNull();
  });

  test('is not known where the registry or the bus does not say: that is not the same as not there', () => {
    const { call } = program({});
    for (const silent of ['Registry', 'DBus']) {
      let now = 0;
      const tree = new AtspiTree(
        inTurn((to, method, args, ms) => {
          if (!to.name.endsWith(silent)) return call(to, method, args, ms);
          now += ms;
          throw new Error('Timeout was reached');
        }),
        () => now,
      );
      for (let i = 0; i < 3; i++) expect(tree.busOf(42), silent).toBeUndefined();
    }
    const refusing = new AtspiTree(
      inTurn((to, method, args, ms) => {
        if (to.name.endsWith('Registry')) throw new Error('org.freedesktop.DBus.Error.NoReply');
        return call(to, method, args, ms);
      }),
    );
    expect(refusing.busOf(42)).toBeUndefined();
  });
});

const DIALOG: Record<string, Thing> = {
  frame: { role: ROLE.frame, box: [0, 0, 800, 600], in: 'root' },
  panel: { role: ROLE.panel, box: [0, 0, 800, 300], in: 'frame' },
  save: { role: ROLE.button, box: [10, 10, 80, 30], name: '  Save \n as\u0007 ', in: 'panel' },
  word: { role: ROLE.label, box: [20, 15, 30, 12], name: 'Save', in: 'save' },
  secret: { role: ROLE.password, box: [10, 60, 200, 30], name: 'hunter2', in: 'panel' },
};
const FOUND = { role: 'push button', name: 'Save as', bounds: { x: 10, y: 10, width: 80, height: 30 } };

describe('the element at a place', () => {
  test('is the button, not the word on it, with the way to it from the window', () => {
    const found = new AtspiTree(program(DIALOG).bus).elementAt(25, 20, WINDOW);
    expect(found).toMatchObject(FOUND);
    expect(found?.path?.map(({ role }) => role)).toEqual(['frame', 'panel', 'push button']);
  });

  test('is the button, where the program answers with the word on it at once', () => {
    const { call } = program(DIALOG);
    const deep: OneByOne = (to, method, args, ms) =>
      method === 'GetAccessibleAtPoint' && to.path.endsWith('frame')
        ? [[':1.5', '/o/word']]
        : call(to, method, args, ms);
    expect(new AtspiTree(inTurn(deep)).elementAt(25, 20, WINDOW)).toMatchObject(FOUND);
  });

  test('is found by boxes where the program does not say which child lies there', () => {
    expect(new AtspiTree(program(DIALOG, { toldAt: false }).bus).elementAt(25, 20, WINDOW)).toMatchObject(FOUND);
    const hidden = { ...DIALOG, save: { ...DIALOG.save!, shown: false } };
    expect(new AtspiTree(program(hidden, { toldAt: false }).bus).elementAt(25, 20, WINDOW)?.role).toBe('panel');
  });

  describe('of a program made with GTK 4, which counts from the corner of its window', () => {
    const VISIBLE = [2 ** 30, 0];
    const calculator: Record<string, Thing> = {
      frame: { role: ROLE.frame, box: [0, 0, 400, 300], in: 'root' },
      panel: { role: ROLE.panel, box: [0, 50, 400, 250], in: 'frame', states: VISIBLE },
      other: { role: ROLE.button, box: [10, 60, 50, 40], name: '8 8', in: 'panel', states: [1, 0] },
      seven: { role: ROLE.button, box: [10, 60, 50, 40], name: '7 7', in: 'panel', states: VISIBLE },
    };
    const window = { ...WINDOW, bounds: { x: 100, y: 200, width: 410, height: 310 } };
    const tree = () => new AtspiTree(program(calculator, { toldAt: false, toolkit: 'GTK' }).bus);
    const seven = { role: 'push button', name: '7' };

    test('lies inside the edges that it draws, as wide on each side', () => {
      const found = tree().elementAt(100 + 5 + 20, 200 + 5 + 70, window);
      expect(found).toMatchObject({ ...seven, bounds: { x: 115, y: 265, width: 50, height: 40 } });
    });

    test('has no name where it is called by its class', () => {
      const field = { ...calculator, seven: { ...calculator.seven!, name: 'GtkMenuButton' } };
      const unnamed = new AtspiTree(program(field, { toldAt: false, toolkit: 'GTK' }).bus);
      expect(unnamed.elementAt(100 + 5 + 20, 200 + 5 + 70, window)).toMatchObject({ role: 'push button', name: '' });
    });

    test('is told on the screen where it was found by its name', () => {
      const asked = tree();
      asked.speaking();
      const box = { x: 10, y: 60, width: 50, height: 40 };
      expect(asked.onScreen(':1.5', box, [window])).toEqual({ ...box, x: 115, y: 265 });
      expect(asked.onScreen(':1.5', box, [])).toEqual(box);
      const others = new AtspiTree(program(calculator).bus);
      others.speaking();
      expect(others.onScreen(':1.5', box, [window])).toEqual(box);
    });

    test('lies inside the shadow that the window says it has', () => {
      const shadowed = { ...window, shadow: () => ({ left: 3, top: 1 }) };
      const found = tree().elementAt(100 + 3 + 20, 200 + 1 + 70, shadowed);
      expect(found).toMatchObject({ ...seven, bounds: { x: 113, y: 261, width: 50, height: 40 } });
    });

    test('in its menu, which hangs in what opened it and is told by its size', () => {
      const menu: Record<string, Thing> = {
        ...calculator,
        // GTK 4 reports the menu's box at the button; the X server knows where its window really is.
        list: { role: ROLE.panel, box: [10, 60, 120, 200], in: 'seven', states: VISIBLE },
        paste: { role: ROLE.button, box: [10, 70, 120, 30], name: 'Paste', in: 'list', states: VISIBLE },
      };
      const opened = new AtspiTree(program(menu, { toldAt: false, toolkit: 'GTK' }).bus);
      const popup = { ...WINDOW, id: '8', popup: true, bounds: { x: 405, y: 485, width: 120, height: 200 } };
      expect(opened.elementAt(420, 500, popup)).toBeNull();
      opened.elementAt(100 + 5 + 12, 200 + 5 + 62, window);
      const paste = { name: 'Paste', bounds: { x: 405, y: 495, width: 120, height: 30 } };
      expect(opened.elementAt(420, 500, popup)).toMatchObject(paste);
    });
  });

  test('on a page of tabs lies in the page that is shown, whose own box is its tab', () => {
    const tabs: Record<string, Thing> = {
      frame: DIALOG.frame!,
      tabs: { role: ROLE.tabs, box: [0, 0, 800, 600], in: 'frame' },
      page: { role: ROLE.tab, box: [0, 0, 100, 30], name: 'Layers', in: 'tabs' },
      save: { ...DIALOG.save!, box: [10, 100, 80, 30], in: 'page' },
    };
    expect(new AtspiTree(program(tabs).bus).elementAt(20, 110, WINDOW)?.role).toBe('push button');
    expect(new AtspiTree(program(tabs).bus).elementAt(20, 10, WINDOW)).toMatchObject({
      role: 'page tab',
      name: 'Layers',
    });
  });

  test('without a name is called by its label, or that of the combo box that it is the field of', () => {
    const field = { role: 61, in: 'panel' };
    const form: Record<string, Thing> = {
      ...DIALOG,
      words: { role: ROLE.label, box: [10, 100, 80, 30], name: 'Search for:', in: 'panel' },
      search: { ...field, box: [100, 100, 200, 30], label: 'words' },
      combo: { role: 11, box: [100, 140, 200, 30], in: 'panel', label: 'words' },
      inner: { role: 61, box: [100, 140, 170, 30], in: 'combo' },
      alone: { ...field, box: [100, 180, 200, 30] },
    };
    const nameAt = (y: number) => new AtspiTree(program(form).bus).elementAt(150, y, WINDOW)?.name;
    expect([nameAt(110), nameAt(150), nameAt(190)]).toEqual(['Search for', 'Search for', '']);
  });

  test('has the box of what is seen of it: a page reaches beyond its window', () => {
    const page = { ...DIALOG, panel: { ...DIALOG.panel!, box: [-50, 40, 900, 90_000] } };
    expect(new AtspiTree(program(page).bus).elementAt(400, 500, WINDOW)?.bounds).toEqual({
      x: 0,
      y: 40,
      width: 800,
      height: 560,
    });
  });

  test('in a field for passwords is never asked for its name', () => {
    const { call, asked } = program(DIALOG);
    expect(new AtspiTree(inTurn(call)).elementAt(20, 70, WINDOW)).toMatchObject({
      name: '',
      description: '',
      withheld: true,
    });
    expect(asked.filter((one) => one.includes('secret Get '))).toEqual([]);
  });

  test('that was asked for before is asked for at once the next time, and one beside it nearly so', () => {
    const { bus } = program(DIALOG);
    const asked: number[] = [];
    const tree = new AtspiTree((questions, ms) => {
      asked.push(questions.length);
      return bus(questions, ms);
    });
    const waits = (x: number, y: number): number => {
      asked.length = 0;
      expect(tree.elementAt(x, y, WINDOW)).not.toBeNull();
      return asked.length;
    };
    const first = waits(25, 20);
    expect(waits(25, 20)).toBeLessThanOrEqual(first / 2);
    expect(waits(20, 70)).toBeLessThan(first);
    expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThan(MOST_CALLS);
  });

  test('in a menu bar is the menu, whatever its closed list says of itself', () => {
    const { call, asked } = program({
      frame: DIALOG.frame!,
      bar: { role: 34, box: [0, 0, 800, 25], in: 'frame' },
      file: { role: 33, box: [0, 0, 40, 25], name: 'File', in: 'bar' },
      item: { role: 35, box: [0, 0, 200, 400], name: 'New', in: 'file' },
    });
    expect(new AtspiTree(inTurn(call)).elementAt(20, 12, WINDOW)).toMatchObject({ role: 'menu', name: 'File' });
    expect(asked.filter((one) => one.includes('/o/item'))).toEqual([]);
  });

  test('of a program that is not on the bus is unknown', () => {
    expect(new AtspiTree(program(DIALOG).bus).elementAt(20, 70, { ...WINDOW, pid: 43 })).toBeNull();
  });
});

test('a program that does not answer is asked less and less, then not at all', () => {
  let now = 0;
  let asked = 0;
  const { call } = program(DIALOG);
  const hanging: OneByOne = (to, method, args, withinMs) => {
    if (!to.path.startsWith('/o/')) return call(to, method, args, withinMs);
    // What is asked together is waited for once.
    if (withinMs > 0) asked++;
    now += withinMs;
    throw new Error('Timeout was reached');
  };
  const tree = new AtspiTree(inTurn(hanging), () => now);
  for (let i = 0; i < 2000; i++) {
    expect(tree.elementAt(20, 70, WINDOW)).toBeNull();
    now += 100;
  }
  expect(asked).toBe(6);
});

test('trees that go round in a circle, and any answer whatever, end within the calls of one question', () => {
  const value = fc.oneof<fc.Arbitrary<Variant>[]>(
    fc.integer({ min: -5, max: 130 }),
    fc.string(),
    fc.constant('x'.repeat(100_000)),
    fc.tuple(fc.constant(':1.5'), fc.constantFrom('/o/a', '/o/b', ROOT, '/o/c')),
    fc.array(fc.tuple(fc.constant(':1.5'), fc.constantFrom('/o/a', '/o/b', '/o/c')), { maxLength: 4 }),
    fc.array(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }), { maxLength: 5 }),
    fc.constant<Variant>([0, 0, 800, 600]),
    fc.dictionary(fc.constantFrom('Name', 'Description'), fc.string()),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), fc.boolean(), (answers, popup) => {
      let calls = 0;
      const call: OneByOne = ({ name }, method) => {
        if (name.endsWith('Registry')) return [[[':1.5', ROOT]]];
        if (method === 'GetConnectionUnixProcessID') return [42];
        return [answers[calls++ % answers.length]!];
      };
      const tree = new AtspiTree(inTurn(call), () => 0);
      // The second begins with the way of the first.
      for (const times of [1, 2]) {
        const found = tree.elementAt(25, 20, { ...WINDOW, popup });
        expect(calls).toBeLessThanOrEqual(times * MOST_CALLS);
        if (found) expect(elementLineSchema.safeParse({ t: 1, ...found }).error?.issues).toBeUndefined();
      }
    }),
    { numRuns: 10_000 },
  );
});

test('roles and states by their numbers', () => {
  expect([0, 33, 40, 43, 61, 79, 129, 999].map(roleWord)).toEqual([
    ...['invalid', 'menu', 'password text', 'push button', 'text', 'entry', 'push button menu', 'unknown'],
  ]);
  expect(stateWords(SHOWN)).toEqual(['showing', 'visible']);
  expect(stateWords([0, 1 << 11])).toEqual(['read only']);
});

describe('of all that lies at the point', () => {
  const TABLE = 55;
  const SELECTED = [2 ** 23 + 2 ** 25 + 2 ** 30, 0];
  const boxAt = (things: Record<string, Thing>, x: number, y: number) =>
    new AtspiTree(program(things).bus).elementAt(x, y, WINDOW);
  /** A table of another page, which its program tells as shown, and the button below the pointer. */
  const covered: Record<string, Thing> = {
    frame: { role: ROLE.frame, box: [0, 0, 800, 600], in: 'root' },
    history: { role: ROLE.panel, box: [0, 100, 800, 460], in: 'frame' },
    table: { role: TABLE, box: [10, 100, 700, 453], in: 'history' },
    keys: { role: ROLE.panel, box: [0, 90, 800, 480], in: 'frame' },
    seven: { role: ROLE.button, box: [300, 300, 90, 86], name: '7', in: 'keys' },
  };

  test('the smallest counts that is shown, where a way ends at what only holds others', () => {
    expect(boxAt(covered, 340, 340)).toMatchObject({ role: 'push button', name: '7', bounds: { x: 300, width: 90 } });
    // There is nothing smaller here.
    expect(boxAt(covered, 500, 340)).toMatchObject({ role: 'table' });
    const away = { ...covered, seven: { ...covered.seven!, shown: false } };
    expect(boxAt(away, 340, 340)).toMatchObject({ role: 'table' });
  });

  test('what a program tells on a page that is not in front does not', () => {
    const hidden = { ...covered, history: { ...covered.history!, shown: false } };
    expect(boxAt(hidden, 500, 340)).toMatchObject({ role: 'panel', bounds: { y: 90 } });
  });

  test('a tab does not stand for what lies on its page', () => {
    const pages: Record<string, Thing> = {
      frame: { role: ROLE.frame, box: [0, 0, 800, 600], in: 'root' },
      tabs: { role: ROLE.tabs, box: [0, 0, 800, 600], in: 'frame' },
      tab: { role: ROLE.tab, box: [10, 560, 80, 30], name: 'Sheet1', states: SELECTED, in: 'tabs' },
      sheet: { role: ROLE.panel, box: [0, 0, 800, 550], in: 'tab' },
    };
    expect(boxAt(pages, 300, 300)).toMatchObject({ role: 'panel', name: '', bounds: { height: 550 } });
    expect(boxAt(pages, 40, 570)).toMatchObject({ role: 'page tab', name: 'Sheet1' });
    // gnumeric tells no box of its tab.
    const boxless = { ...pages, tab: { ...pages.tab!, box: [0, 0, 0, 0] } };
    expect(boxAt(boxless, 300, 300)).toMatchObject({ role: 'panel' });
  });

  test('what is tried beside leaves enough to describe what was found', () => {
    const crowd: Record<string, Thing> = { ...covered };
    for (let n = 0; n < 60; n++) crowd[`p${n}`] = { role: ROLE.panel, box: [0, 100, 800, 400 + n], in: 'frame' };
    expect(boxAt(crowd, 500, 340)).not.toBeNull();
  });
});
