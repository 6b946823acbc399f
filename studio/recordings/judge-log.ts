import {
  JUDGE_FOLDER,
  JUDGE_SCHEMA,
  type JudgeLine,
  judgeLineSchema,
  NEWEST_JUDGE_VERSION,
} from '../../schemas/judge.ts';
import { type NumberedLog, readNumberedLogs } from './log-lines.ts';

/** Logs of judges in the folder of a recording; written by studio/agents/judge. */

const FORM = { schema: JUDGE_SCHEMA, newest: NEWEST_JUDGE_VERSION, line: judgeLineSchema, of: "a judge's log" };
export type JudgeLog = NumberedLog<JudgeLine>;

/** The oldest first. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export const readJudgeLogs = (folder: string): JudgeLog[] => readNumberedLogs(folder, JUDGE_FOLDER, FORM);
