import type { Edge } from '../../schemas/composition.ts';
import { edgesOf, type Joined } from './graph.ts';

/**
 * The graph of a composition beside the rows of its members: everything that hands on one thing (an output; that it was done; its
 * time) is one line down a lane, from the member that gives it to all that take it.
 */
export type JoiningLine = {
  kind: Edge['kind'];
  from: string;
  /** Of a data edge; else null. */
  output: string | null;
  to: string[];
  /** The rows that it runs over, from 0, both included. */
  first: number;
  last: number;
  /** From 0, the one that is nearest to the rows. */
  lane: number;
};

/** Lines that share a row never share a lane, and there are no more lanes than lines over one row. `rows`: members in their order. */
export function linesBeside(composition: Joined, rows: readonly string[]): JoiningLine[] {
  const at = new Map(rows.map((id, row) => [id, row]));
  const lines = new Map<string, Omit<JoiningLine, 'lane'>>();
  for (const edge of edgesOf(composition)) {
    const [from, to] = [at.get(edge.from), at.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    const output = edge.kind === 'data' ? edge.output : null;
    const key = `${edge.kind} ${edge.from} ${output ?? ''}`;
    const there = lines.get(key) ?? { kind: edge.kind, from: edge.from, output, to: [], first: from, last: from };
    if (!there.to.includes(edge.to)) there.to.push(edge.to);
    lines.set(key, { ...there, first: Math.min(there.first, to), last: Math.max(there.last, to) });
  }
  /** The last row that each lane is taken to. */
  const taken: number[] = [];
  return [...lines.values()]
    .sort((a, b) => a.first - b.first || a.last - b.last)
    .map((line) => {
      const free = taken.findIndex((last) => last < line.first);
      const lane = free === -1 ? taken.length : free;
      taken[lane] = line.last;
      return { ...line, lane };
    });
}
