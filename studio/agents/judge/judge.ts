import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beginJudge, verdictOfAll } from '../../../core/agents/judge/judge.ts';
import {
  JUDGE_FOLDER,
  JUDGE_SCHEMA,
  type Judge,
  type JudgedSubject,
  type JudgeEnd,
  type JudgeHead,
  type JudgeLine,
  type JudgeOpinion,
  judgeLineSchema,
  NEWEST_JUDGE_VERSION,
  type OutcomeSaid,
} from '../../../schemas/judge.ts';
import type { ModelReply, ModelRequest } from '../../../schemas/model-requests.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { aboutJudging, readJudgeLogs } from '../../recordings/judge-log.ts';
import { numberedLog } from '../../recordings/log-lines.ts';
import { ownMark } from '../../store/own-mark.ts';
import type { Workspace } from '../../store/workspace.ts';
import { beginLines } from '../log.ts';
import { type Answered, answerKey, answersIn, endOfAsking, keptAnswers, type PaidModel, paidAsker } from '../paid.ts';

/** Asks a panel of judges about one recording, and keeps what was asked, answered and concluded in its folder. */

export type JudgeWishes = Pick<PaidModel, 'pictures' | 'model' | 'spent' | 'signal'> & {
  workspace: Workspace;
  folder: string;
  head: JudgeHead;
  /** Ask again what was answered before. */
  again: boolean;
  progress(text: string): void;
};

export type PanelReport = {
  recording: string;
  how: JudgeEnd;
  why: string;
  verdict: OutcomeSaid | null;
  judges: { judge: Judge; opinion: JudgeOpinion | null }[];
  /** Requests that were sent, and answers of earlier judgings. */
  asked: number;
  kept: number;
  /** Sentences about answers that were refused. */
  refused: string[];
  cost: number | null;
};

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** By which a judge's answers are known: nothing that was recorded before can say it. */
const codeOf = (subject: JudgedSubject, judge: Judge): string => hashOf([subject, judge]).slice(0, 8);

const judgesOf = ({ models, prompts }: Pick<JudgeHead, 'models' | 'prompts'>): Judge[] =>
  models.flatMap((model) => Array.from({ length: prompts }, (_, at) => ({ model, prompt: at + 1 })));

/** Asks one judge; throws `Ended` where a limit is reached. */
type Ask = (judge: Judge, request: ModelRequest, hash: string) => Promise<Answered>;

/** Never throws for what an endpoint or a model did: that is how it ended. */
export async function askPanel(wishes: JudgeWishes): Promise<PanelReport> {
  const { workspace, folder, head, signal, progress } = wishes;
  return withFolderLock(
    folder,
    'judge',
    async () => {
      const earlier = readJudgeLogs(folder);
      await mkdir(join(folder, JUDGE_FOLDER), { recursive: true });
      const lines: JudgeLine[] = [];
      const number = (earlier.at(-1)?.number ?? 0) + 1;
      const log = beginLines<JudgeLine>(join(folder, JUDGE_FOLDER, numberedLog(number)), (line) => lines.push(line));
      try {
        const at = new Date().toISOString();
        log.write({ type: 'begun', schema: JUDGE_SCHEMA, version: NEWEST_JUDGE_VERSION, at, head });
        const judges: PanelReport['judges'] = [];
        let ended: { how: JudgeEnd; why: string } = { how: 'judged', why: '' };
        try {
          const ask = asker(wishes, wishes.again ? new Map() : keptAnswers(earlier, head));
          for (const one of judgesOf(head)) {
            const opinion = await askJudge(one, head.subject, ask, log.write, lines);
            judges.push({ judge: one, opinion });
            progress(
              `${one.model}, wording ${one.prompt}: ${opinion ? opinion.outcome : 'no answer that could be read'}`,
            );
          }
        } catch (error) {
          ended = endOfAsking(error, signal);
        }
        const verdict = ended.how === 'judged' ? verdictOfAll(judges.map(({ opinion }) => opinion)) : null;
        const answers = answersIn(lines, head.prices);
        const end = { type: 'ended' as const, ...ended, verdict, cost: answers.cost };
        // As it is read again, with its fields in the schema's order.
        const read = [...lines, { ...end, mark: '' }].map((line) => judgeLineSchema.parse(line));
        const mark = await ownMark(workspace.store, aboutJudging(read));
        log.write({ ...end, mark });
        const { recording } = head.subject;
        return { recording, ...ended, verdict, judges, ...answers };
      } finally {
        log.close();
      }
    },
    { signal },
  );
}

async function askJudge(
  judge: Judge,
  subject: JudgedSubject,
  ask: Ask,
  write: (line: JudgeLine) => void,
  lines: readonly JudgeLine[],
): Promise<JudgeOpinion | null> {
  const machine = beginJudge(subject, judge.prompt, codeOf(subject, judge));
  let request = machine.first();
  for (;;) {
    const hash = hashOf(request);
    const n = lines.filter((line) => line.type === 'asked').length + 1;
    write({ type: 'asked', n, judge, hash, request });
    const answered = await ask(judge, request, hash);
    const next = machine.next(answered.reply);
    write({ type: 'answered', n, ...answered, refused: next.refused });
    if ('said' in next) {
      write({ type: 'said', judge, opinion: next.said });
      return next.said;
    }
    request = next.ask;
  }
}

function asker({ head, pictures, model, spent, signal }: JudgeWishes, kept: ReadonlyMap<string, ModelReply>): Ask {
  const ask = paidAsker({ ...head, pictures, model, spent, signal });
  return (judge, request, hash) => ask(judge.model, request, kept.get(answerKey(judge.model, hash)) ?? null);
}

/**
 * What the rules make of a judging's answers, without a model: whether each request and opinion comes out as it was logged. Null:
 * it was judged by other rules, which are not there any more.
 */
export function replayJudging(lines: readonly JudgeLine[], rules: number): boolean | null {
  const head = lines.find((line) => line.type === 'begun')?.head;
  if (!head || head.rules !== rules) return null;
  const said = lines.filter((line) => line.type === 'said');
  return said.every(({ judge, opinion }) => {
    const asked = lines.filter((line) => line.type === 'asked' && hashOf(line.judge) === hashOf(judge));
    const machine = beginJudge(head.subject, judge.prompt, codeOf(head.subject, judge));
    let request: ModelRequest | null = machine.first();
    for (const line of asked) {
      const answer = lines.find((one) => one.type === 'answered' && one.n === (line.type === 'asked' ? line.n : 0));
      if (line.type !== 'asked' || request === null || line.hash !== hashOf(request)) return false;
      if (answer?.type !== 'answered') return false;
      const next = machine.next(answer.reply);
      if ('said' in next) return hashOf(next.said) === hashOf(opinion);
      request = next.ask;
    }
    return false;
  });
}
