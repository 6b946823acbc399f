import { describe, expect, test } from 'vitest';
import { type DucktrackEvent, ducktrackEventSchema } from '../../schemas/import.ts';
import { createStopLook } from './stop-shortcut.ts';

/** `+ctrl` goes down, `-ctrl` up; "click", "scroll", "move" and "pause" are themselves. Lines count from 1. */
function look(system: string, ...what: string[]) {
  const stop = createStopLook(system);
  for (const [at, word] of what.entries()) {
    stop.take(ducktrackEventSchema.parse(eventOf(word, at)), at + 1, at * 1e5);
  }
  const found = stop.finish();
  return found && { keys: found.keys, lines: [...found.lines].sort((a, b) => a - b), presses: found.presses.size };
}

function eventOf(word: string, at: number): DucktrackEvent {
  const head = { time_stamp: at / 10 };
  if (word === 'click') return { ...head, action: 'click', x: 1, y: 1, button: 'left', pressed: true };
  if (word === 'scroll') return { ...head, action: 'scroll', x: 1, y: 1, dx: 0, dy: 1 };
  if (word === 'move') return { ...head, action: 'move', x: 1, y: 1 };
  if (word === 'pause') return { ...head, action: 'pause' };
  return { ...head, action: word.startsWith('+') ? 'press' : 'release', name: word.slice(1) };
}

describe("AgentNet's shortcut that stops", () => {
  test.each([
    ['Linux', 'Ctrl+Alt+T', ['+ctrl', '+alt', '+t']],
    ['Windows', 'Ctrl+Alt+T', ['+ctrl_l', '+alt_l', '+\x14']],
    ['Windows', 'Ctrl+Alt+T', ['+ctrl_l', '+alt_gr', '+T']],
    ['Darwin', 'Cmd+Alt+T', ['+cmd', '+alt', '+†']],
    ['Darwin', 'Cmd+Alt+T', ['+alt', '+cmd_r', '+t']],
  ])('%s: %s at the end, with or without its releases', (system, keys, pressed) => {
    expect(look(system, 'click', ...pressed)).toEqual({ keys, lines: [2, 3, 4], presses: 3 });
    const released = pressed.map((name) => `-${name.slice(1)}`);
    expect(look(system, 'click', ...pressed, 'move', ...released)?.lines).toEqual([2, 3, 4, 6, 7, 8]);
  });

  test('repeats of held keys and a second press of it belong to it', () => {
    const once = ['+ctrl', '+ctrl', '+alt', '+t', '+t', '-t', '-alt', '-ctrl'];
    expect(look('Linux', ...once, ...once)?.lines).toHaveLength(16);
  });

  test('a modifier that served before keeps its press and its release', () => {
    expect(look('Linux', '+ctrl', '+c', '-c', '+alt', '+t', '-t', '-alt', '-ctrl')?.lines).toEqual([4, 5, 6, 7]);
  });

  test.each([
    ['something was done after it', ['+ctrl', '+alt', '+t', '-t', '-alt', '-ctrl', 'click']],
    ['the wheel was turned after it', ['+ctrl', '+alt', '+t', '-t', '-alt', '-ctrl', 'scroll']],
    ['a T was typed after it', ['+ctrl', '+alt', '+t', '-t', '-alt', '-ctrl', '+t']],
    ['the recording was paused after it', ['+ctrl', '+alt', '+t', 'pause']],
    ['Shift is held too', ['+ctrl', '+shift', '+alt', '+t']],
    ['Ctrl+T', ['+ctrl', '+t', '-t', '-ctrl']],
    ['Ctrl was let go', ['+ctrl', '-ctrl', '+alt', '+t']],
    ['another key', ['+ctrl', '+alt', '+r']],
    ["a Mac's shortcut elsewhere", ['+cmd', '+alt', '+t']],
  ])('not when %s', (_why, what) => {
    expect(look('Linux', ...what)).toBeNull();
  });
});
