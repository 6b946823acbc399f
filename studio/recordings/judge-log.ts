import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import {
  JUDGE_FOLDER,
  JUDGE_SCHEMA,
  type JudgeLine,
  judgeLineSchema,
  NEWEST_JUDGE_VERSION,
} from '../../schemas/judge.ts';
import { findFolder } from '../files/inside.ts';
import { readJsonLines } from '../files/lines.ts';

/** Logs of judges in the folder of a recording; written by studio/agents/judge. */

const NAME = /^(\d{4,6})\.jsonl$/;
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
  return numbers.sort((a, b) => a - b).map((number) => ({ number, lines: linesOf(place, judgeFile(number)) }));
}

function linesOf(place: string, name: string): JudgeLine[] {
  const lines: JudgeLine[] = [];
  const file = join(place, name);
  readJsonLines(
    place,
    name,
    (value, index) => {
      if (index === 0) refuseFuture(file, value);
      const { success, data } = judgeLineSchema.safeParse(value);
      if (success) lines.push(data);
      return success;
    },
    ({ line, torn }) => {
      if (torn) return;
      throw new StudioError('BAD_FILE', `Line ${line} of ${file} is no line of a judge's log.`, { file, line });
    },
  );
  return lines;
}

function refuseFuture(file: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('schema' in value)) return;
  const { schema, version } = value;
  if (schema === JUDGE_SCHEMA && typeof version === 'number' && version > NEWEST_JUDGE_VERSION)
    throw new StudioError('FUTURE_VERSION', `${file} was written by a newer version of this program. Update it.`, {
      file,
      version,
    });
}
