import { expect, test } from 'vitest';
import { agreedFormat, wantedBuffers, wantedFormat } from './cast-params.ts';
import { fraction, id, object, readObject, rectangle } from './pod.ts';

const format = (pixels: number, width: number, height: number): Buffer =>
  object(0x40003, 4, [
    [1, id(2)],
    [2, id(1)],
    [0x20001, id(pixels)],
    [0x20003, rectangle(width, height)],
    [0x20004, fraction(0, 1)],
  ]);

test('BGRx and RGBA are taken, what has other pixels is not', () => {
  expect(agreedFormat(format(8, 1280, 720))).toEqual({ width: 1280, height: 720, redFirst: false });
  expect(agreedFormat(format(11, 3840, 2160))).toEqual({ width: 3840, height: 2160, redFirst: true });
  expect(agreedFormat(format(2, 1280, 720))).toBeNull();
});

test('sizes that no screen has are refused, and bytes that are no format', () => {
  expect(agreedFormat(format(8, 0, 720))).toBeNull();
  expect(agreedFormat(format(8, 1_000_000, 720))).toBeNull();
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(40, 255), format(8, 10, 10).subarray(0, 50)])
    expect(agreedFormat(bytes)).toBeNull();
});

test('what is asked for: at most so many pictures a second, one when something changed', () => {
  const { id: param, properties } = readObject(wantedFormat(30));
  expect(param).toBe(3);
  expect(properties.get(0x20005)).toEqual([30, 1]);
  expect(properties.get(0x20004)).toEqual([0, 1]);
});

test('pods are whole: the size in the head is the size of the rest', () => {
  for (const pod of [wantedFormat(60), ...wantedBuffers()]) {
    expect(pod.length % 8).toBe(0);
    expect(pod.readUInt32LE(0)).toBe(pod.length - 8);
  }
});
