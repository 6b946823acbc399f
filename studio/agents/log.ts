import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_LOG_SCHEMA, type AgentLine, agentLineSchema, NEWEST_AGENT_VERSION } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { hasFile } from '../files/inside.ts';
import { readJsonLines } from '../files/lines.ts';

/** A run's log, agent.jsonl in the folder of its recording: each line is on the disk before what it says is gone on with. */

export const AGENT_LOG = 'agent.jsonl';

export type AgentLog = { write(line: AgentLine): void; close(): void };

/** Begins a log; `onLine`: for who looks at the run. Throws what the file system throws. */
export function beginLog(folder: string, onLine?: (line: AgentLine) => void): AgentLog {
  const file = openSync(join(folder, AGENT_LOG), 'wx', 0o600);
  return {
    write(line) {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      onLine?.(line);
    },
    close: () => closeSync(file),
  };
}

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
