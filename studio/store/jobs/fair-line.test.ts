import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairLine } from './fair-line.ts';

const all = (line: ReturnType<typeof fairLine<string>>): string[] => {
  const found: string[] = [];
  for (let one = line.next(); one !== undefined; one = line.next()) found.push(one);
  return found;
};

test('whoever put one into the line waits for one of each other, not for all of theirs', () => {
  const line = fairLine<string>();
  for (const one of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) line.put(one[0]!, one);
  expect(all(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(line.next()).toBe(undefined);
});

test('each comes once, those of one person in their order, and nobody is passed over by twice the same', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (people) => {
      const line = fairLine<string>();
      for (const [n, who] of people.entries()) line.put(who, `${who}${n}`);
      const found = all(line);
      expect(found.toSorted()).toEqual(people.map((who, n) => `${who}${n}`).sort());
      for (const who of ['a', 'b', 'c']) {
        const own = found.filter((one) => one.startsWith(who));
        expect(own).toEqual(people.flatMap((one, n) => (one === who ? [`${one}${n}`] : [])));
      }
      for (const [n, one] of found.entries()) {
        const again = found[n + 1]?.[0] === one[0];
        if (again) expect(found.slice(n + 1).every((later) => later[0] === one[0])).toBe(true);
      }
    }),
  );
});
