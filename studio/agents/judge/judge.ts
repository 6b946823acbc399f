import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beginJudge, verdictOfAll } from '../../../core/agents/judge/judge.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
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
import { type ModelOptions, openModel } from '../../models/model.ts';
import type { spending } from '../../models/spending.ts';
import { type JudgeLog, judgeFile, readJudgeLogs } from '../../recordings/judge-log.ts';
import { ownMark } from '../../store/own-mark.ts';
import type { Workspace } from '../../store/workspace.ts';
import { costOf } from '../counts.ts';
import { beginLines } from '../log.ts';

/** Asks a panel of judges about one recording, and keeps what was asked, answered and concluded in its folder. */

export type JudgeWishes = {
  workspace: Workspace;
  folder: string;
  head: JudgeHead;
  pictures: ReadonlyMap<string, Buffer>;
  /** As a run asks; the model's name is each judge's own. */
  model: Omit<ModelOptions, 'signal' | 'model' | 'endpoint' | 'protocol' | 'tool' | 'maxTokens'>;
  /** Of all that the command asks. */
  spent: ReturnType<typeof spending>;
  /** Ask again what was answered before. */
  again: boolean;
  progress(text: string): void;
  signal: AbortSignal;
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

/** What the mark of a judging is made of. */
export const aboutJudging = (lines: readonly JudgeLine[]): string =>
  `judged ${hashOf(lines.map((line) => (line.type === 'ended' ? { ...line, mark: '' } : line)))}`;

type Answered = { reply: ModelReply; tookMs: number; cost: number | null; kept: boolean };
/** Asks one judge; throws `Ended` where a limit is reached. */
type Ask = (judge: Judge, request: ModelRequest, hash: string) => Promise<Answered>;

/** A limit: not an error, but how it ended. */
class Ended extends Error {
  readonly how: JudgeEnd;
  constructor(how: JudgeEnd, why: string) {
    super(why);
    this.how = how;
  }
}

/** Never throws for what an endpoint or a model did: that is how it ended. */
export async function askPanel(wishes: JudgeWishes): Promise<PanelReport> {
  const { workspace, folder, head, signal, progress } = wishes;
  return withFolderLock(
    folder,
    'judge',
    async () => {
      const earlier = readJudgeLogs(folder);
      mkdirSync(join(folder, JUDGE_FOLDER), { recursive: true });
      const lines: JudgeLine[] = [];
      const number = (earlier.at(-1)?.number ?? 0) + 1;
      const log = beginLines<JudgeLine>(join(folder, JUDGE_FOLDER, judgeFile(number)), (line) => lines.push(line));
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
          ended = endOf(error, signal);
        }
        const verdict = ended.how === 'judged' ? verdictOfAll(judges.map(({ opinion }) => opinion)) : null;
        const answers = lines.filter((line) => line.type === 'answered');
        const cost = head.prices ? answers.reduce((sum, one) => sum + (one.kept ? 0 : (one.cost ?? 0)), 0) : null;
        const end = { type: 'ended' as const, ...ended, verdict, cost };
        // As it is read again, with its fields in the schema's order.
        const read = [...lines, { ...end, mark: '' }].map((line) => judgeLineSchema.parse(line));
        const mark = await ownMark(workspace.store, aboutJudging(read));
        log.write({ ...end, mark });
        const kept = answers.filter((one) => one.kept).length;
        const refused = answers.flatMap((one) => one.refused ?? []);
        const { recording } = head.subject;
        return { recording, ...ended, verdict, judges, asked: answers.length - kept, kept, refused, cost };
      } finally {
        log.close();
      }
    },
    { signal },
  );
}

function endOf(error: unknown, signal: AbortSignal): { how: JudgeEnd; why: string } {
  if (error instanceof Ended) return { how: error.how, why: error.message };
  if (signal.aborted) return { how: 'stopped', why: 'it was stopped' };
  const isEndpoint = error instanceof StudioError && error.code === 'ENDPOINT_FAILED';
  return isEndpoint ? { how: 'endpoint', why: error.message } : { how: 'failed', why: whyNot(error) };
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

const keyOf = ({ model }: Judge, hash: string): string => `${model}\n${hash}`;

/** Answers of the same endpoint that were paid for before, by model and request. */
function keptAnswers(logs: readonly JudgeLog[], { endpoint, protocol }: JudgeHead): Map<string, ModelReply> {
  const kept = new Map<string, ModelReply>();
  for (const { lines } of logs) {
    const head = lines.find((line) => line.type === 'begun')?.head;
    if (head?.endpoint !== endpoint || head.protocol !== protocol) continue;
    const asked = new Map(lines.flatMap((line) => (line.type === 'asked' ? [[line.n, line] as const] : [])));
    for (const line of lines) {
      const of = line.type === 'answered' ? asked.get(line.n) : undefined;
      if (of && line.type === 'answered') kept.set(keyOf(of.judge, of.hash), line.reply);
    }
  }
  return kept;
}

function asker({ head, pictures, model, spent, signal }: JudgeWishes, kept: ReadonlyMap<string, ModelReply>): Ask {
  const { endpoint, protocol, maxTokens, prices, budget } = head;
  const png = (sha256: string): string => {
    const picture = pictures.get(sha256);
    if (!picture) throw new RangeError(`there is no picture ${sha256}`);
    return picture.toString('base64');
  };
  const models = new Map(
    head.models.map((name) => [
      name,
      openModel({ ...model, endpoint, protocol, model: name, tool: null, maxTokens, signal }, png),
    ]),
  );
  return async (judge, request, hash) => {
    signal.throwIfAborted();
    const before = kept.get(keyOf(judge, hash));
    if (before) return { reply: before, tookMs: 0, cost: 0, kept: true };
    if (budget !== null && spent.guessed > 0) throw new Ended('uncounted', UNCOUNTED);
    if (!spent.begin()) throw new Ended('budget', `one more request might go over the budget of ${budget}`);
    const began = performance.now();
    let usage: ModelReply['usage'] = null;
    let answered = false;
    try {
      const reply = await models.get(judge.model)!.ask(request); // One for each model of the head.
      answered = true;
      usage = reply.usage;
      return { reply, tookMs: Math.round(performance.now() - began), cost: costOf(reply, prices), kept: false };
    } finally {
      spent.end(answered ? { input: usage?.input ?? 0, output: usage?.output ?? 0, told: usage !== null } : null);
    }
  };
}

const UNCOUNTED = 'the endpoint does not say how many tokens its answers take, so that the budget cannot be held';

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
