import type { AgentLine } from '../../schemas/agents.ts';

/** Whose an act of a run is: the agent's, or a person's who had taken it over. */

/** Times, µs, in which a person had the mouse and the keyboard, in their order; the last may be without an end. */
export function personSpans(lines: readonly AgentLine[]): { from: number; to: number | null }[] {
  const spans: { from: number; to: number | null }[] = [];
  for (const line of lines) {
    if (line.type !== 'person') continue;
    const open = spans.at(-1);
    if (line.what === 'took-over') spans.push({ from: line.t, to: null });
    else if (open?.to === null) open.to = line.t;
  }
  return spans;
}

/** Whose what happened at a time is, µs on the recording's clock. */
export function whoseAt(lines: readonly AgentLine[]): (t: number) => 'agent' | 'person' {
  const spans = personSpans(lines);
  return (t) => (spans.some(({ from, to }) => t >= from && (to === null || t < to)) ? 'person' : 'agent');
}
