import { expect, test } from 'vitest';
import type { LineFile } from './append.ts';
import { createGate } from './gate.ts';
import type { Line } from './line.ts';
import { askPointer, createOutlet } from './outlet.ts';

/** An outlet whose lines are written when what completes them is settled. */
function made({ watching = false, place = { x: 40, y: -3 } as { x: number; y: number } | null } = {}) {
  const written: object[] = [];
  let asked = 0;
  let now = 0;
  const pending: Promise<void>[] = [];
  const add: LineFile['add'] = (line, complete) => {
    written.push(line);
    if (complete) pending.push(complete);
    return written.length - 1;
  };
  const events = { add } as LineFile; // nothing else of it is used
  const gate = createGate<Line>({ watching });
  const desktop = {
    async pointer() {
      asked++;
      return place;
    },
  };
  const ask = askPointer({ now: () => now }, desktop, gate);
  const outlet = createOutlet(gate, { events, windows: events, elements: events }, ask);
  return {
    gate,
    at(t: number, what: () => void) {
      now = t;
      what();
      outlet.drain();
    },
    asked: () => asked,
    async lines() {
      await Promise.all(pending);
      return written;
    },
  };
}

test('a line that says that recording begins or goes on says where the pointer rests', async () => {
  const { gate, at, lines } = made();
  at(1, () => gate.pause(1, 'sync'));
  at(5, () => gate.resume(5, 'sync'));
  expect(await lines()).toEqual([
    { t: 1, type: 'pause', reason: 'sync' },
    { t: 5, type: 'resume', reason: 'sync', pointer: { x: 40, y: -3 } },
  ]);
});

test('where the system does not tell, the line says that nobody knows', async () => {
  const { gate, at, lines } = made({ place: null });
  at(1, () => gate.pause(1, 'user'));
  at(5, () => gate.resume(5, 'user'));
  expect((await lines())[1]).toEqual({ t: 5, type: 'resume', reason: 'user', pointer: null });
});

test('between two pauses nobody asks for it', async () => {
  const { gate, at, asked, lines } = made();
  at(1, () => gate.pause(1, 'user'));
  at(2, () => gate.pause(2, 'privacy'));
  at(5, () => gate.resume(5, 'user'));
  expect((await lines())[1]).toEqual({ t: 5, type: 'resume', reason: 'user' });
  expect(asked()).toBe(0);
});

test('of a time that turns out to lie in a pause no place is told', async () => {
  const { gate, at, lines } = made({ watching: true });
  at(1, () => gate.look({ asked: 1, done: 2, allowed: true }));
  at(3, () => gate.pause(3, 'user'));
  at(5, () => gate.resume(5, 'user'));
  // The next look finds a window that is left out, since the last good one.
  at(9, () => gate.look({ asked: 9, done: 10, allowed: false }));
  const resumes = (await lines()).filter((line) => 'type' in line && line.type === 'resume');
  for (const line of resumes) expect(line).toMatchObject({ pointer: null });
});
