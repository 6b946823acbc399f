import type { AgentLine, AgentReport } from '../../schemas/agents.ts';

/** A person's part in a model's run, from the lines of its log. */

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

/** Nothing where nobody took it over. */
export function helpIn(lines: readonly AgentLine[]): Pick<AgentReport, 'helped'> {
  const spans = personSpans(lines);
  if (spans.length === 0) return {};
  const last = lines.at(-1);
  const end = last && 't' in last ? last.t : 0;
  const us = spans.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? end) - from), 0);
  return { helped: { times: spans.length, ms: Math.round(us / 1000) } };
}
