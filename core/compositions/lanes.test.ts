import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compositionSchema, type Edge } from '../../schemas/composition.ts';
import { linesBeside } from './lanes.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const joined = (edges: readonly Edge[]) =>
  compositionSchema.parse({
    schema: 'trajectory-studio/composition',
    version: 1,
    id: 'x',
    kind: 'scenario',
    title: 'X',
    members: IDS.map((id) => ({ id, instructions: { base: id }, outputs: [{ name: 'o', value: '1' }] })),
    edges,
  });

const end = fc.constantFrom(...IDS);
const edge: fc.Arbitrary<Edge> = fc.oneof(
  fc.record({ kind: fc.constant('data'), from: end, to: end, output: fc.constantFrom('o', 'p') }),
  fc.record({ kind: fc.constant('hard'), from: end, to: end }),
  fc.record({ kind: fc.constant('time'), from: end, to: end, atLeast: fc.constant(0) }),
);

test('what one output feeds is one line, from its source to the last that takes it', () => {
  const composition = joined([
    { kind: 'data', from: 'a', to: 'd', output: 'o' },
    { kind: 'data', from: 'a', to: 'b', output: 'o' },
    { kind: 'hard', from: 'b', to: 'c' },
  ]);
  expect(linesBeside(composition, IDS)).toEqual([
    { kind: 'data', from: 'a', output: 'o', to: ['d', 'b'], first: 0, last: 3, lane: 0 },
    { kind: 'hard', from: 'b', output: null, to: ['c'], first: 1, last: 2, lane: 1 },
  ]);
});

test('no two lines of a lane share a row, every edge is in one line, and there are as few lanes as can be', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 25 }), fc.shuffledSubarray(IDS, { minLength: 7 }), (edges, rows) => {
      const lines = linesBeside(joined(edges), rows);
      for (const [n, one] of lines.entries())
        for (const other of lines.slice(n + 1))
          if (one.lane === other.lane) expect(one.last < other.first || other.last < one.first).toBe(true);
      for (const { kind, from, to, ...rest } of edges) {
        const output = 'output' in rest ? rest.output : null;
        const its = lines.filter((line) => line.kind === kind && line.from === from && line.output === output);
        expect(its).toHaveLength(1);
        expect(its[0]?.to).toContain(to);
        for (const id of [from, to]) {
          expect(rows.indexOf(id)).toBeGreaterThanOrEqual(its[0]?.first ?? -1);
          expect(rows.indexOf(id)).toBeLessThanOrEqual(its[0]?.last ?? -1);
        }
      }
      const most = Math.max(0, ...rows.map((_, row) => lines.filter((l) => l.first <= row && l.last >= row).length));
      expect(new Set(lines.map(({ lane }) => lane)).size).toBe(most);
    }),
    { numRuns: 300 },
  );
});

test('an edge that names no member, or no row, is no line', () => {
  expect(linesBeside(joined([{ kind: 'hard', from: 'a', to: 'z' }]), IDS)).toEqual([]);
  expect(linesBeside(joined([{ kind: 'hard', from: 'a', to: 'b' }]), ['a'])).toEqual([]);
});
