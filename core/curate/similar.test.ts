import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connected, groupsAround } from './groups.ts';
import { flip } from './hashes-for-tests.ts';
import { hashDistance, hashWords, SCREEN_BITS, screenHash } from './screen-hash.ts';
import { similarGoals } from './similar-goals.ts';
import { similarGroups, similarScreens } from './similar-screens.ts';
import { wordsOf } from './words.ts';

/** The definition, to hold the index against: the Jaccard index of the words and of the trigrams in `^word$`. */
function jaccardOfGoals(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => {
    const words = wordsOf(text);
    const trigrams = words.flatMap((word) => [...`^${word}$`.matchAll(/(?=(...))/g)].map(([, three]) => `~${three}`));
    return new Set([...words, ...trigrams]);
  });
  const all = new Set([...one!, ...other!]).size;
  return all === 0 ? 0 : (one!.size + other!.size - all) / all;
}

describe('near-duplicate goals', () => {
  test('the same words in another order and case are equal', () => {
    expect(similarGoals(['Insert a picture', 'a PICTURE, insert!'], 1)).toEqual([{ a: 0, b: 1, similarity: 1 }]);
  });

  test('another ending is near, another goal is not', () => {
    expect(similarGoals(['Insert a picture into the slide', 'Insert pictures into the slide'], 0.7)).toHaveLength(1);
    expect(similarGoals(['Insert a picture into the slide', 'Mute the second audio track'], 0.2)).toEqual([]);
  });

  test('goals without a word are like nothing', () => {
    expect(similarGoals(['', '…', ''], 0.5)).toEqual([]);
  });

  const word = fc.constantFrom('insert', 'inserts', 'crop', 'picture', 'pictures', 'the', 'layer', 'Ä', '2');
  test('the index finds exactly the pairs that comparing everything finds', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
          { maxLength: 20 },
        ),
        fc.constantFrom(0.3, 0.5, 0.8, 1),
        (texts, least) => {
          const all = texts.flatMap((one, a) =>
            texts.flatMap((other, b) => {
              const similarity = jaccardOfGoals(one, other);
              return a < b && similarity >= least ? [{ a, b, similarity }] : [];
            }),
          );
          expect(similarGoals(texts, least)).toEqual(all);
        },
      ),
    );
  });
});

describe('near-duplicate screens', () => {
  /** A gradient with a dark square of `side` px at (x, y). */
  function picture(width: number, height: number, square?: { x: number; y: number; side: number }) {
    const rgb = new Uint8Array(width * height * 3);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const dark =
          square && x >= square.x && x < square.x + square.side && y >= square.y && y < square.y + square.side;
        rgb.fill(dark ? 0 : Math.round((x / width) * 255), (y * width + x) * 3, (y * width + x) * 3 + 3);
      }
    }
    return { rgb, width, height };
  }
  const distance = (a: string, b: string): number => hashDistance(hashWords(a), hashWords(b));

  test('the same screen at another size is as good as equal, a dialog on it is not', () => {
    const plain = screenHash(picture(320, 240));
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    expect(distance(plain, screenHash(picture(640, 480)))).toBeLessThanOrEqual(4);
    expect(distance(plain, screenHash(picture(320, 240, { x: 100, y: 80, side: 3 })))).toBeLessThanOrEqual(4);
    expect(distance(plain, screenHash(picture(320, 240, { x: 80, y: 60, side: 150 })))).toBeGreaterThan(12);
  });

  test('a picture smaller than the grid has a hash too', () => {
    expect(screenHash(picture(3, 2))).toMatch(/^[0-9a-f]{64}$/);
  });

  const hash = fc
    .array(fc.integer({ min: 0, max: SCREEN_BITS - 1 }), { maxLength: 14 })
    .map((bits) => flip('0'.repeat(64), bits));
  test('the index finds exactly the pairs that comparing everything finds', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hash, { maxLength: 20 }), fc.integer({ min: 0, max: 32 }), (hashes, most) => {
        const all = hashes.flatMap((one, a) =>
          hashes.flatMap((other, b) =>
            a < b && distance(one, other) <= most ? [{ a, b, distance: distance(one, other) }] : [],
          ),
        );
        expect(similarScreens(hashes, most)).toEqual(all);
      }),
    );
  });

  test('groups are those that all pairs would give', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hash, { maxLength: 40 }), fc.integer({ min: 0, max: 32 }), (hashes, most) => {
        expect(similarGroups(hashes, most)).toEqual(groupsAround(hashes.length, similarScreens(hashes, most)));
      }),
    );
  });
});

describe('groups', () => {
  test('a chain of small differences does not become one group', () => {
    const pairs = [0, 1, 2, 3].map((a) => ({ a, b: a + 1 }));
    expect(groupsAround(5, pairs).map(({ keeper, others }) => [keeper, ...others.map(({ member }) => member)])).toEqual(
      [
        [0, 1],
        [2, 3],
      ],
    );
  });

  test('everyone stands in one group at most, and is alike to its keeper', () => {
    const pair = fc.tuple(fc.nat(9), fc.nat(9)).filter(([a, b]) => a < b);
    fc.assert(
      fc.property(fc.uniqueArray(pair, { selector: String }), (list) => {
        const groups = groupsAround(
          10,
          list.map(([a, b]) => ({ a, b })),
        );
        const members = groups.flatMap(({ keeper, others }) => [keeper, ...others.map(({ member }) => member)]);
        expect(new Set(members).size).toBe(members.length);
        for (const { keeper, others } of groups) {
          for (const { member } of others) {
            expect(list).toContainEqual([Math.min(keeper, member), Math.max(keeper, member)]);
          }
        }
      }),
    );
  });

  test('what hangs together by a chain is connected', () => {
    expect(connected([['d', 'c'], ['a', 'b'], ['c', 'b'], ['x'], ['z', 'y']])).toEqual([
      ['a', 'b', 'c', 'd'],
      ['y', 'z'],
    ]);
  });
});
