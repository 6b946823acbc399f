import { readdirSync } from 'node:fs';
import {
  JUDGE_FOLDER,
  JUDGE_SCHEMA,
  type JudgeLine,
  judgeLineSchema,
  NEWEST_JUDGE_VERSION,
} from '../../schemas/judge.ts';
import { findFolder } from '../files/inside.ts';
import { readLogLines } from './log-lines.ts';

/** Logs of judges in the folder of a recording; written by studio/agents/judge. */

const NAME = /^(\d{4,6})\.jsonl$/;
const FORM = { schema: JUDGE_SCHEMA, newest: NEWEST_JUDGE_VERSION, line: judgeLineSchema, of: "a judge's log" };
/** The file of the judging with this number. */
export const judgeFile = (number: number): string => `${String(number).padStart(4, '0')}.jsonl`;

export type JudgeLog = { number: number; lines: JudgeLine[] };

/** The oldest first. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export function readJudgeLogs(folder: string): JudgeLog[] {
  const place = findFolder(folder, JUDGE_FOLDER);
  if (place === null) return [];
  const numbers = readdirSync(place).flatMap((name) => {
    const number = NAME.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers
    .sort((a, b) => a - b)
    .map((number) => ({ number, lines: readLogLines(place, judgeFile(number), FORM) }));
}
