import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentLine } from '../../schemas/agents.ts';
import { AGENT_LOG } from '../recordings/agent-log.ts';

/** A run's log, agent.jsonl in the folder of its recording: each line is on the disk before what it says is gone on with. */

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
