import { createHash } from 'node:crypto';
import type { JudgementShown } from '../../schemas/api/judges.ts';
import {
  JUDGE_FOLDER,
  JUDGE_SCHEMA,
  type JudgeHead,
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

/** Those who are asked the same way: figures of others are not theirs. */
const panelOf = ({ endpoint, protocol, models, prompts, rules }: JudgeHead): JudgementShown['panel'] => ({
  models: [...models].sort(),
  prompts,
  protocol,
  origin: new URL(endpoint).origin,
  rules,
});

export const keyOfPanel = (panel: JudgementShown['panel']): string => JSON.stringify(panel);

/** A judging that came to an end. */
type Judging = Omit<JudgementShown, 'recording' | 'task' | 'replays'>;

/**
 * The newest judging of each panel that came to an end, the newest first, with its log. `own`: this workspace made it, of this very
 * recording. Throws BAD_FILE, FUTURE_VERSION.
 */
export async function judgingsIn(
  store: Store,
  { id, folder }: { id: string; folder: string },
): Promise<{ judging: Judging; lines: readonly JudgeLine[] }[]> {
  const newest = new Map<string, { judging: Judging; lines: readonly JudgeLine[] }>();
  for (const { lines } of readJudgeLogs(folder)) {
    const begun = lines.find((line) => line.type === 'begun');
    const ended = lines.find((line) => line.type === 'ended');
    if (!begun || !ended || ended.verdict === null) continue;
    const { head, at } = begun;
    const judging: Judging = {
      kind: head.subject.kind,
      at,
      panel: panelOf(head),
      verdict: ended.verdict,
      cost: ended.cost,
      // A copied folder speaks of another recording.
      own: head.subject.recording === id && (await isOwnMark(store, aboutJudging(lines), ended.mark)),
      judges: lines.flatMap((line) => (line.type === 'said' ? [{ judge: line.judge, opinion: line.opinion }] : [])),
      refused: lines.flatMap((line) => (line.type === 'answered' && line.refused !== null ? [line.refused] : [])),
    };
    newest.set(keyOfPanel(judging.panel), { judging, lines });
  }
  return [...newest.values()].sort((a, b) => (a.judging.at < b.judging.at ? 1 : -1));
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
