import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameReader } from './frame-reader.ts';
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
