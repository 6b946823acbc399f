import { AGENT_LOG_SCHEMA, type AgentLine, agentLineSchema, NEWEST_AGENT_VERSION } from '../../schemas/agents.ts';
import { hasFile } from '../files/inside.ts';
import { readLogLines } from './log-lines.ts';

/** The log of a model's run, in the folder of its recording; written by studio/agents/log.ts. */

export const AGENT_LOG = 'agent.jsonl';
const FORM = { schema: AGENT_LOG_SCHEMA, newest: NEWEST_AGENT_VERSION, line: agentLineSchema, of: "a run's log" };

/** The lines of a run; null where it has none. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export function readAgentLog(folder: string): AgentLine[] | null {
  if (!hasFile(folder, AGENT_LOG)) return null;
  return readLogLines(folder, AGENT_LOG, FORM);
}
