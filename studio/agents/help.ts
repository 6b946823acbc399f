import { personSpans } from '../../core/actions/whose.ts';
import type { AgentLine, AgentReport } from '../../schemas/agents.ts';

/** A person's part in a model's run, from the lines of its log. */

/** Nothing where nobody took it over. */
export function helpIn(lines: readonly AgentLine[]): Pick<AgentReport, 'helped'> {
  const spans = personSpans(lines);
  if (spans.length === 0) return {};
  const last = lines.at(-1);
  const end = last && 't' in last ? last.t : 0;
  const us = spans.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? end) - from), 0);
  return { helped: { times: spans.length, ms: Math.round(us / 1000) } };
}
