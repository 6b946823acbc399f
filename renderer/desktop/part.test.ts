import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, changedPart, type Part, type Pixels, wholeOf } from './part.ts';

const picture = (width: number, height: number): Pixels => ({
  width,
  height,
  bytes: new Uint8Array(width * height * 4),
});

/** As the other side puts a part into the picture that it has. */
function put(into: Pixels, part: Part, bytes: Uint8Array): void {
  for (let row = 0; row < part.rows; row++) {
    const line = bytes.subarray(row * part.columns * 4, (row + 1) * part.columns * 4);
    into.bytes.set(line, ((part.top + row) * into.width + part.left) * 4);
  }
}

test('pictures that are the same have no changed part', () => {
  expect(changedPart(picture(7, 5), picture(7, 5))).toBeNull();
});

test('handing over the changed part alone makes the new picture of the old one, and no edge of it is needless', () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }));
  const changes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(sizes, changes, ([width, height], all) => {
      const before = picture(width, height);
      const now = picture(width, height);
      for (const [at, value] of all) now.bytes[at % now.bytes.length] = value;
      const part = changedPart(before, now);
      if (!part) throw new Error('a change was missed');
      const made = picture(width, height);
      put(made, part, bytesOf(now, part));
      expect([...made.bytes]).toEqual([...now.bytes]);
      const { left, top, columns, rows } = part;
      const edges: Part[] = [
        { left, top, columns, rows: 1 },
        { left, top: top + rows - 1, columns, rows: 1 },
        { left, top, columns: 1, rows },
        { left: left + columns - 1, top, columns: 1, rows },
      ];
      for (const edge of edges) expect(bytesOf(now, edge).some((value) => value !== 0)).toBe(true);
    }),
  );
});

test('a whole picture is handed over as it lies, without a copy', () => {
  const one = picture(4, 3);
  expect(bytesOf(one, wholeOf(one)).buffer).toBe(one.bytes.buffer);
  expect(bytesOf(one, wholeOf(one))).toHaveLength(48);
});
