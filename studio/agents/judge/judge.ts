import { createHash } from 'node:crypto';
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
import { aboutJudging, readJudgeLogs } from '../../recordings/judge-log.ts';
import { ownMark } from '../../store/own-mark.ts';
import type { Workspace } from '../../store/workspace.ts';
import { type AskedLog, type AskedWishes, askInLog } from '../asked-log.ts';
import { type Answered, answerKey, type PaidModel, paidAsker } from '../paid.ts';

/** Asks a panel of judges about one recording, and keeps what was asked, answered and concluded in its folder. */

export type JudgeWishes = AskedWishes &
  Pick<PaidModel, 'pictures' | 'model' | 'spent'> & {
    workspace: Workspace;
    head: JudgeHead;
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
  const { workspace, head, progress } = wishes;
  const judges: PanelReport['judges'] = [];
  let verdict: OutcomeSaid | null = null;
  const { ended, answers } = await askInLog<JudgeLine, 'judged'>(wishes, {
    place: JUDGE_FOLDER,
    lock: 'judge',
    earlier: readJudgeLogs,
    begun: (at) => ({ type: 'begun', schema: JUDGE_SCHEMA, version: NEWEST_JUDGE_VERSION, at, head }),
    async ask(log) {
      const ask = asker(wishes, log.kept);
      for (const one of judgesOf(head)) {
        const opinion = await askJudge(one, head.subject, ask, log);
        judges.push({ judge: one, opinion });
        progress(`${one.model}, wording ${one.prompt}: ${opinion ? opinion.outcome : 'no answer that could be read'}`);
      }
    },
    done: 'judged',
    async ended(ending, { cost }, lines) {
      verdict = ending.how === 'judged' ? verdictOfAll(judges.map(({ opinion }) => opinion)) : null;
      const end = { type: 'ended' as const, ...ending, verdict, cost };
      // As it is read again, with its fields in the schema's order.
      const read = [...lines, { ...end, mark: '' }].map((line) => judgeLineSchema.parse(line));
      return { ...end, mark: await ownMark(workspace.store, aboutJudging(read)) };
    },
  });
  return { recording: head.subject.recording, ...ended, verdict, judges, ...answers };
}

async function askJudge(
  judge: Judge,
  subject: JudgedSubject,
  ask: Ask,
  { write, lines }: AskedLog<JudgeLine>,
): Promise<JudgeOpinion | null> {
  const machine = beginJudge(subject, judge.prompt, codeOf(subject, judge));
  let request = machine.first();
  for (;;) {
    const hash = hashOf(request);
    const n = lines.filter((line) => line.type === 'asked').length + 1;
    await write({ type: 'asked', n, judge, hash, request });
    const answered = await ask(judge, request, hash);
    const next = machine.next(answered.reply);
    await write({ type: 'answered', n, ...answered, refused: next.refused });
    if ('said' in next) {
      await write({ type: 'said', judge, opinion: next.said });
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
