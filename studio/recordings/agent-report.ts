import { join } from 'node:path';
import { personSpans } from '../../core/actions/whose.ts';
import { type AgentLine, type AgentReport, agentReportSchema, NEWEST_AGENT_VERSION } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { hasFile, readIn } from '../files/inside.ts';
import { refuseNewer } from '../files/versioned.ts';
import { readAgentLog } from './agent-log.ts';

/** What came of a model's run, in the folder of its recording; written by studio/agents/run.ts. */

export const AGENT_FILE = 'agent.json';

/** Null where there is none. Throws BAD_FILE, FUTURE_VERSION. */
export function readAgentReport(folder: string): AgentReport | null {
  if (!hasFile(folder, AGENT_FILE)) return null;
  const file = join(folder, AGENT_FILE);
  let value: unknown;
  try {
    value = JSON.parse(readIn(folder, AGENT_FILE).toString('utf8'));
  } catch {
    value = null;
  }
  if (typeof value === 'object' && value !== null && 'version' in value)
    refuseNewer(file, value.version, NEWEST_AGENT_VERSION);
  const { success, data } = agentReportSchema.safeParse(value);
  if (!success) throw new StudioError('BAD_FILE', `${file} is no report of a run.`, { file });
  return data;
}

/** A model's run in a folder: what it was begun with, and how it ended. */
export type ModelRun = {
  head: Extract<AgentLine, { type: 'begun' }>['head'];
  /** `broken-off` where the program was ended in the middle. */
  how: AgentReport['how'] | 'broken-off';
  passed: boolean;
  score: number;
  /** How often a person took it over. */
  helped: number;
  /** Its own answer; null: it gave none. */
  answer: string | null;
  lines: readonly AgentLine[];
};

/** Null where no model did anything: a demonstration, a play, a person's own run. Throws BAD_FILE, FUTURE_VERSION. */
export function modelRunIn(folder: string): ModelRun | null {
  const lines = readAgentLog(folder);
  const begun = lines?.find((line) => line.type === 'begun');
  if (!lines || !begun) return null;
  const { how = 'broken-off' as const, passed = false, score = 0, answer = null } = readAgentReport(folder) ?? {};
  return { head: begun.head, how, passed, score, helped: personSpans(lines).length, answer, lines };
}
