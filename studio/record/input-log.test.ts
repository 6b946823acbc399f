import { beforeEach, expect, test } from 'vitest';
import type { HookEvent } from '../../native/hook.ts';
import { createInputLog, type InputLog } from './input-log.ts';
import { parseShortcuts } from './shortcuts.ts';

type Line = { type: string; events?: number[]; reason?: string };
let lines: Line[];
let stills: number;
let log: InputLog;
let cut: boolean;
beforeEach(() => {
  [lines, stills, cut] = [[], 0, false];
  const count = () => void stills++;
  // Of each part only what a log asks of it is played.
  const parts = {
    host: { eventTime: (time: number) => time * 1000, toPhysical: (x: number, y: number) => ({ x, y }) },
    clock: { now: () => 9_000_000 },
    events: { add: (line: Line) => lines.push(line) - 1 },
    screen: { wantStill: count, wantStillAfter: count },
    desktop: {},
    shortcuts: parseShortcuts({}),
    displays: () => [],
    cut: () => cut,
    onShortcut: () => undefined,
    frameUs: 33_333,
  } as unknown as Parameters<typeof createInputLog>[0];
  log = createInputLog(parts);
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
