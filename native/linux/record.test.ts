import { expect, test } from 'vitest';
import { readRecorded } from './record.ts';

const [FROM_SERVER, FROM_CLIENT, START] = [0, 1, 4];

function event(type: number, detail: number, state: number, x = 0, y = 0): Uint8Array {
  const data = new DataView(new ArrayBuffer(32));
  data.setUint8(0, type);
  data.setUint8(1, detail);
  data.setUint32(4, 123_456, true);
  data.setInt16(20, x, true);
  data.setInt16(22, y, true);
  data.setUint16(28, state, true);
  return new Uint8Array(data.buffer);
}

function change(first: number, width: number, keysyms: readonly number[], little: boolean): Uint8Array {
  const data = new DataView(new ArrayBuffer(8 + keysyms.length * 4));
  data.setUint8(0, 100);
  data.setUint8(1, keysyms.length / width);
  data.setUint8(4, first);
  data.setUint8(5, width);
  keysyms.forEach((keysym, i) => {
    data.setUint32(8 + i * 4, keysym, little);
  });
  return new Uint8Array(data.buffer);
}

test('an event has the key or button, its time and place, and the modifiers and the group before it', () => {
  expect(readRecorded(FROM_SERVER, event(2, 38, 0b0010_0000_0000_0101, -3, 7), false)).toEqual({
    type: 'keydown',
    time: 123_456,
    detail: 38,
    x: -3,
    y: 7,
    mods: 5,
    group: 1,
  });
  const types = [3, 4, 5, 6].map((type) => readRecorded(FROM_SERVER, event(type, 1, 0), false)?.type);
  expect(types).toEqual(['keyup', 'down', 'up', 'move']);
  // Sent by a program with XSendEvent's bit, or of no device: of no interest, or the same.
  expect(readRecorded(FROM_SERVER, event(12, 0, 0), false)).toBeNull();
});

test('a request that maps keys has its keysyms, from a program of either byte order; another change asks for the whole keymap', () => {
  const keysyms = [0x1002603, 0, 0x61, 0x41];
  for (const little of [true, false]) {
    expect(readRecorded(FROM_CLIENT, change(8, 2, keysyms, little), !little)).toEqual({
      type: 'mapping',
      first: 8,
      width: 2,
      keysyms,
    });
  }
  expect(readRecorded(FROM_CLIENT, Uint8Array.of(118, 0, 0, 0, 0, 0, 0, 0), false)).toEqual({ type: 'keymap' });
});

test('data that is cut short or says nothing is nothing', () => {
  expect(readRecorded(START, new Uint8Array(), false)).toBeNull();
  expect(readRecorded(FROM_SERVER, new Uint8Array(12), false)).toBeNull();
  expect(readRecorded(FROM_CLIENT, change(8, 2, [1, 2], true).subarray(0, 12), false)).toBeNull();
});
