import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentLine } from '../../schemas/agents.ts';
import { AGENT_LOG } from '../recordings/agent-log.ts';

/**
 * Logs of what was asked of models, in the folder of a recording: each line is on the disk before what it says is gone on with.
 * Only the run that writes waits for the disk; other people of the server do not.
 */

type Log<Line> = { write(line: Line): Promise<void>; close(): Promise<void> };
export type AgentLog = Log<AgentLine>;

/** Begins the log of a run; `onLine`: for who looks at the run. Throws what the file system throws. */
export const beginLog = (folder: string, onLine?: (line: AgentLine) => void): Promise<AgentLog> =>
  beginLines(join(folder, AGENT_LOG), onLine);

/** Begins a file of lines that is not there yet. Throws what the file system throws. */
export async function beginLines<Line>(path: string, onLine?: (line: Line) => void): Promise<Log<Line>> {
  const file = await open(path, 'wx', 0o600);
  return {
    async write(line) {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.sync();
      onLine?.(line);
    },
    close: () => file.close(),
  };
}
