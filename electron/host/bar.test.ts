import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HostApi, PlainWindow, Rect } from './api.ts';
import { createOverlay, type OverlayOptions } from './bar.ts';
import type { Screen } from './geometry.ts';
import { readRecorder } from './recorder-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The part of a window that the bar and the frame need. */
class Window extends EventEmitter {
  bounds: Rect;
  colour: string;
  webContents = { on: () => undefined };
  constructor({ x = 0, y = 0, width, height, backgroundColor }: Partial<Rect> & { backgroundColor: string }) {
    super();
    this.bounds = { x, y, width: width ?? 0, height: height ?? 0 };
    this.colour = backgroundColor;
  }
  isDestroyed = (): boolean => false;
  getBounds = (): Rect => this.bounds;
  setBounds(bounds: Rect): void {
    this.bounds = { ...bounds };
    this.emit('move');
  }
  setBackgroundColor(colour: string): void {
    this.colour = colour;
  }
  loadURL = async (): Promise<void> => undefined;
  destroy(): void {}
  showInactive(): void {}
  setAlwaysOnTop(): void {}
  setContentProtection(): void {}
  setVisibleOnAllWorkspaces(): void {}
  setIgnoreMouseEvents(): void {}
}

const DISPLAY = { x: 0, y: 0, width: 1280, height: 800 };
const screen: Screen = { dip: DISPLAY, workArea: DISPLAY, px: DISPLAY, scale: 1 };
const VIEW = { x: 100, y: 60, width: 800, height: 500 };
const state = (more: object = {}) =>
  readRecorder({ recording: 'r', task: 'T', phase: 'recording', paused: null, view: VIEW, ...more });

function overlay(more: Partial<OverlayOptions> = {}) {
  const bars: Window[] = [];
  const sides: Window[] = [];
  const moved: Rect[][] = [];
  const kept = (into: Window[]) =>
    function made(given: ConstructorParameters<typeof Window>[0]): Window {
      const window = new Window(given);
      into.push(window);
      return window;
    };
  // Constructors that give what the tests look at; only the functions above are called.
  const api = { BrowserWindow: kept(bars), BaseWindow: kept(sides) } as unknown as HostApi;
  const made = createOverlay({
    api,
    preload: '',
    screens: () => [screen],
    leavesOut: false,
    mayPlace: true,
    onMoved: (rects) => void moved.push(rects),
    ...more,
  });
  const rest = (): void => void vi.advanceTimersByTime(1000);
  return { made, bars, sides: sides as unknown as (Window & PlainWindow)[], moved, rest };
}

test('a bar that is dragged says where it lies now, once it rests, and stays there', () => {
  const { made, bars, moved, rest } = overlay();
  const first = made.follow(state());
  expect(first).toEqual([{ x: 180, y: 572, width: 641, height: 57 }]);
  rest();
  const [bar] = bars;
  for (const x of [300, 400, 500]) bar?.setBounds({ x, y: 700, width: 640, height: 56 });
  moved.length = 0;
  rest();
  expect(moved).toEqual([[{ x: 500, y: 700, width: 641, height: 57 }]]);
  // News about the recording does not put it back.
  expect(made.follow(state({ t: 5 }))).toBeNull();
  expect(made.follow(state({ paused: 'user' }))).toBeNull();
  expect(bar?.bounds).toMatchObject({ x: 500, y: 700 });
});

test('one that is dragged into what is recorded goes back, unless the system leaves it out', () => {
  const into = { x: 300, y: 300, width: 640, height: 56 };
  const seen = overlay();
  seen.made.follow(state());
  seen.bars[0]?.setBounds(into);
  seen.rest();
  expect(seen.bars[0]?.bounds).toMatchObject({ x: 180, y: 572 });
  expect(seen.moved.at(-1)).toEqual([{ x: 180, y: 572, width: 641, height: 57 }]);

  const leftOut = overlay({ leavesOut: true });
  leftOut.made.follow(state());
  leftOut.bars[0]?.setBounds(into);
  leftOut.rest();
  expect(leftOut.bars[0]?.bounds).toEqual(into);
});

test('the frame is red while something is recorded and yellow while nothing is kept', () => {
  const { made, sides } = overlay();
  const colours = (): string[] => [...new Set(sides.map(({ colour }) => colour))];
  made.follow(state());
  expect(sides).toHaveLength(4);
  expect(colours()).toEqual(['#e5484d']);
  made.follow(state({ paused: 'privacy' }));
  expect(colours()).toEqual(['#e8b23a']);
  made.follow(state());
  expect(colours()).toEqual(['#e5484d']);
  made.follow(state({ paused: 'sync' }));
  expect(colours()).toEqual(['#e5484d']);
});

test('nothing is told of a bar after its recording', () => {
  const { made, bars, moved, rest } = overlay();
  made.follow(state());
  bars[0]?.setBounds({ x: 500, y: 700, width: 640, height: 56 });
  moved.length = 0;
  expect(made.follow(state({ phase: 'done' }))).toBeNull();
  rest();
  expect(moved).toEqual([]);
});
