import { beforeEach, expect, test } from 'vitest';
import type { HookEvent } from '../../native/input/hook.ts';
import type { LineFile } from './append.ts';
import { createGate } from './gate.ts';
import { createInputLog, type InputLog } from './input-log.ts';
import type { Line as GateLine } from './line.ts';
import { createOutlet } from './outlet.ts';
import { parseShortcuts } from './shortcuts.ts';

type Line = { type: string; events?: number[]; reason?: string };
let lines: Line[];
let stills: number;
let log: InputLog;
let cut: boolean;
/** The shortcuts that were obeyed, with their times. */
let heard: [string, number][];
beforeEach(() => {
  [lines, stills, cut, heard] = [[], 0, false, []];
  const count = () => void stills++;
  const add = (line: object) => lines.push(line as Line) - 1; // lines of events.jsonl
  const events = { add } as LineFile; // nothing else of it is used
  const files = { events, windows: events, elements: events };
  const outlet = createOutlet(createGate<GateLine>({ watching: false }), files, async () => null);
  // Each part plays only what a log asks of it.
  const parts = {
    host: { eventTime: (time: number) => time * 1000, toPhysical: (x: number, y: number) => ({ x, y }) },
    clock: { now: () => 9_000_000 },
    outlet,
    screen: { wantStill: count, wantStillAfter: count },
    elements: {
      moved: () => undefined,
      stirred: () => undefined,
      pressed: () => undefined,
      keys: { key: () => undefined, moves: () => undefined },
    },
    shortcuts: parseShortcuts({}),
    displays: () => [],
    cut: () => cut,
    onShortcut: (name: string, t: number) => void heard.push([name, t]),
    frameUs: 33_333,
    pressStepUs: 1000,
  } as unknown as Parameters<typeof createInputLog>[0];
  const real = createInputLog(parts);
  const onHook = (event: HookEvent): void => {
    real.onHook(event);
    outlet.drain();
  };
  log = { ...real, onHook };
});

const at = (type: 'down' | 'up', x: number, y: number, button = 'left'): HookEvent =>
  // The buttons' names are texts.
  ({ type, time: 1, x, y, mods: 0, button }) as HookEvent;
const BAR = { x: 100, y: 600, width: 560, height: 56 };
const own = () => lines.flatMap((line) => (line.type === 'own' ? [[line.reason, line.events]] : []));

test('a click in an own window is the recorder’s: press and release, wherever the release is, and no still is cut for it', () => {
  log.setOwnWindows([BAR]);
  log.onHook(at('down', 120, 620));
  log.onHook(at('up', 900, 100));
  expect(lines.map(({ type }) => type)).toEqual(['down', 'own', 'up', 'own']);
  expect(own()).toEqual([
    ['window', [0]],
    ['window', [2]],
  ]);
  expect(stills).toBe(0);
});

test('a click beside it, or a drag that ends on it, is the person’s', () => {
  log.setOwnWindows([BAR]);
  for (const event of [at('down', 99, 620), at('up', 99, 620), at('down', 10, 10), at('up', 120, 620)])
    log.onHook(event);
  expect(own()).toEqual([]);
  expect(stills).toBeGreaterThan(0);
});

test('the wheel over it is the recorder’s too; a move across it is not', () => {
  log.setOwnWindows([BAR]);
  log.onHook({ type: 'wheel', time: 1, x: 120, y: 620, mods: 0, dx: 0, dy: 1 });
  log.onHook({ type: 'move', time: 2, x: 120, y: 620, mods: 0 });
  expect(own()).toEqual([['window', [0]]]);
});

test('of a pause nothing is written, but a press on it is remembered for its release', () => {
  log.setOwnWindows([BAR]);
  cut = true;
  log.onHook(at('down', 120, 620));
  cut = false;
  log.onHook(at('up', 900, 100));
  expect(lines.map(({ type }) => type)).toEqual(['up', 'own']);
});

test('windows that are gone are nobody’s', () => {
  log.setOwnWindows([BAR]);
  log.setOwnWindows([]);
  log.onHook(at('down', 120, 620));
  expect(own()).toEqual([]);
});

const stroke = (time: number, code: string, type: 'keydown' | 'keyup' = 'keydown') =>
  ({ type, time, mods: 0, code, hookCode: 1 }) as const;

test('a shortcut that is told of before its turn is obeyed then, once, and its keys are the recorder’s in their turn', () => {
  const keys = [stroke(10, 'ControlLeft'), stroke(20, 'ShiftLeft'), stroke(30, 'F11')];
  for (const key of keys) log.onKeyAtOnce(key);
  expect(heard).toEqual([['privacy', 30_000]]);
  expect(lines).toEqual([]);
  // A click from before it comes later, and the keys behind it.
  for (const event of [at('down', 1, 1), ...keys.slice(0, 2)]) log.onHook(event);
  cut = true;
  log.onHook(keys[2] as HookEvent);
  expect(heard).toHaveLength(1);
  expect(lines.map(({ type }) => type)).toEqual(['down', 'keydown', 'keydown', 'own']);
  expect(own()).toEqual([['shortcut', [1, 2]]]);
});

test('a mark stands between actions: it is made in its turn', () => {
  const keys = [stroke(10, 'ControlLeft'), stroke(20, 'ShiftLeft'), stroke(30, 'F9')];
  for (const key of keys) log.onKeyAtOnce(key);
  expect(heard).toEqual([]);
  for (const key of keys) log.onHook(key);
  expect(heard).toEqual([['mark', 30_000]]);
});
