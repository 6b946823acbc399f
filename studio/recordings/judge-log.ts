import { createHash } from 'node:crypto';
import {
  JUDGE_FOLDER,
  JUDGE_SCHEMA,
  type JudgeLine,
  judgeLineSchema,
  NEWEST_JUDGE_VERSION,
  type OutcomeSaid,
} from '../../schemas/judge.ts';
import { isOwnMark } from '../store/own-mark.ts';
import type { Store } from '../store/store.ts';
import { type NumberedLog, readNumberedLogs } from './log-lines.ts';

/** Logs of judges in the folder of a recording; written by studio/agents/judge. */

const FORM = { schema: JUDGE_SCHEMA, newest: NEWEST_JUDGE_VERSION, line: judgeLineSchema, of: "a judge's log" };
export type JudgeLog = NumberedLog<JudgeLine>;

/** The oldest first. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export const readJudgeLogs = (folder: string): JudgeLog[] => readNumberedLogs(folder, JUDGE_FOLDER, FORM);

/** What the mark of a judging is made of. */
export function aboutJudging(lines: readonly JudgeLine[]): string {
  const unmarked = lines.map((line) => (line.type === 'ended' ? { ...line, mark: '' } : line));
  return `judged ${createHash('sha256').update(JSON.stringify(unmarked)).digest('hex')}`;
}

/** What a panel said last of a recording, in a judging that this workspace made; null: none did. Throws BAD_FILE, FUTURE_VERSION. */
export async function lastVerdict(
  store: Store,
  { id, folder }: { id: string; folder: string },
): Promise<OutcomeSaid | null> {
  let last: { at: string; verdict: OutcomeSaid } | null = null;
  for (const { lines } of readJudgeLogs(folder)) {
    const begun = lines.find((line) => line.type === 'begun');
    const ended = lines.find((line) => line.type === 'ended');
    const verdict = ended?.verdict ?? null;
    // A copied folder speaks of another recording.
    if (!begun || !ended || verdict === null || begun.head.subject.recording !== id) continue;
    if ((last?.at ?? '') > begun.at || !(await isOwnMark(store, aboutJudging(lines), ended.mark))) continue;
    last = { at: begun.at, verdict };
  }
  return last?.verdict ?? null;
}
