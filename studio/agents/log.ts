import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentLine } from '../../schemas/agents.ts';
import { AGENT_LOG } from '../recordings/agent-log.ts';

/** Logs of what was asked of models, in the folder of a recording: each line is on the disk before what it says is gone on with. */

type Log<Line> = { write(line: Line): void; close(): void };
export type AgentLog = Log<AgentLine>;

/** Begins the log of a run; `onLine`: for who looks at the run. Throws what the file system throws. */
export const beginLog = (folder: string, onLine?: (line: AgentLine) => void): AgentLog =>
  beginLines(join(folder, AGENT_LOG), onLine);

/** Begins a file of lines that is not there yet. Throws what the file system throws. */
export function beginLines<Line>(path: string, onLine?: (line: Line) => void): Log<Line> {
  const file = openSync(path, 'wx', 0o600);
  return {
    write(line) {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      onLine?.(line);
    },
    close: () => closeSync(file),
  };
}
