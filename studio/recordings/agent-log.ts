import { join } from 'node:path';
import { AGENT_LOG_SCHEMA, type AgentLine, agentLineSchema, NEWEST_AGENT_VERSION } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { hasFile } from '../files/inside.ts';
import { readJsonLines } from '../files/lines.ts';

/** The log of a model's run, in the folder of its recording; written by studio/agents/log.ts. */

export const AGENT_LOG = 'agent.jsonl';

/** The lines of a run; null where it has none. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export function readAgentLog(folder: string): AgentLine[] | null {
  if (!hasFile(folder, AGENT_LOG)) return null;
  const lines: AgentLine[] = [];
  const file = join(folder, AGENT_LOG);
  readJsonLines(
    folder,
    AGENT_LOG,
    (value, index) => {
      if (index === 0) refuseFuture(file, value);
      const { success, data } = agentLineSchema.safeParse(value);
      if (success) lines.push(data);
      return success;
    },
    ({ line, torn }) => {
      if (torn) return;
      throw new StudioError('BAD_FILE', `Line ${line} of ${file} is no line of a run's log.`, { file, line });
    },
  );
  return lines;
}

function refuseFuture(file: string, value: unknown): void {
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  const isOurs = typeof value === 'object' && value !== null && 'schema' in value && value.schema === AGENT_LOG_SCHEMA;
  if (isOurs && typeof version === 'number' && version > NEWEST_AGENT_VERSION)
    throw new StudioError('FUTURE_VERSION', `${file} was written by a newer version of this program. Update it.`, {
      file,
      version,
    });
}
