import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameReader, rgbaOf } from './frame-reader.ts';
import { framed } from './live-frames.ts';

test('frames come back whole, however the body is cut', () => {
  const frame = fc.record({
    n: fc.integer({ min: 0, max: 1e6 }),
    picture: fc.uint8Array({ maxLength: 300 }),
    moved: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 400 })), (frames, cuts) => {
      const heads = frames.map(({ n, moved }) => ({
        n,
        width: 800,
        height: 600,
        rect: moved ? { x: 1, y: 2, width: 3, height: 4 } : null,
        pointer: null,
      }));
      const pieces = frames.map(({ picture }, i) => framed(heads[i]!, picture));
      let body = new Uint8Array(pieces.flatMap((piece) => [...piece]));
      const read = frameReader();
      const got = [];
      for (const cut of [...cuts, body.length]) {
        got.push(...read(body.slice(0, cut)));
        body = body.slice(cut);
      }
      got.push(...read(body));
      expect(got.map(({ picture, ...head }) => ({ ...head, picture: [...picture] }))).toEqual(
        frames.map(({ picture }, i) => ({ ...heads[i], picture: [...picture] })),
      );
    }),
  );
});

test('a body that is something else is refused', () => {
  expect(() => frameReader()(new TextEncoder().encode('<!doctype html>'))).toThrow(RangeError);
});

test('plain pixels come back with alpha; where they do not fill the rectangle there is no picture', () => {
  const rect = { x: 5, y: 6, width: 2, height: 1 };
  const rgb = new Uint8Array([1, 2, 3, 250, 251, 252]);
  const [frame] = frameReader()(framed({ n: 2, width: 9, height: 9, rect, plain: true, pointer: null }, rgb));
  expect(frame?.plain).toBe(true);
  expect([...(rgbaOf(frame!) ?? [])]).toEqual([1, 2, 3, 255, 250, 251, 252, 255]);
  expect(rgbaOf({ rect, picture: rgb.slice(1) })).toBeNull();
  expect(rgbaOf({ rect: null, picture: new Uint8Array() })).toBeNull();
});
