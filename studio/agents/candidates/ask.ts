import { createHash } from 'node:crypto';
import { askedSteps, candidateRequest, judgeRequest, readJudged } from '../../../core/agents/candidates/ask.ts';
import type { Refused } from '../../../core/agents/one-answer.ts';
import type { ModelRequest } from '../../../schemas/model-requests.ts';
import {
  CANDIDATE_FOLDER,
  CANDIDATE_SCHEMA,
  type CandidateEnd,
  type CandidateHead,
  type CandidateLine,
  type CandidateStep,
  NEWEST_CANDIDATE_VERSION,
} from '../../../schemas/step-candidates.ts';
import { readCandidateLogs } from '../../recordings/candidate-log.ts';
import { type AskedLog, type AskedWishes, askInLog } from '../asked-log.ts';
import { answerKey, type PaidModel, paidAsker } from '../paid.ts';

/** Asks a model several times for each step of a recording, and keeps what was asked and answered in its folder. */

export type CandidateWishes = AskedWishes &
  Pick<PaidModel, 'pictures' | 'model' | 'spent'> & {
    head: CandidateHead;
    /** How many of the candidates that are wished for are there. */
    progress(done: number, of: number): void;
  };

export type CandidateReport = {
  recording: string;
  how: CandidateEnd;
  why: string;
  steps: number;
  candidates: number;
  /** Those that a judge said something of. */
  judged: number;
  /** Requests that were sent, and answers of earlier times. */
  asked: number;
  kept: number;
  /** Sentences about answers of the judge that were refused. */
  refused: string[];
  cost: number | null;
};

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

type Log = AskedLog<CandidateLine>;
/** `read` gives what the answer says, or why it is refused. */
type Ask = <T extends object>(
  model: string,
  request: ModelRequest,
  hash: string,
  read: (text: string) => T | Refused,
) => Promise<T | Refused>;

/** Never throws for what an endpoint or a model did: that is how it ended. Throws BAD_FILE, FUTURE_VERSION, and what the disk throws. */
export async function askForCandidates(wishes: CandidateWishes): Promise<CandidateReport> {
  const { head } = wishes;
  const { ended, answers, lines } = await askInLog<CandidateLine, 'sampled'>(wishes, {
    place: CANDIDATE_FOLDER,
    lock: 'candidates',
    earlier: readCandidateLogs,
    begun: (at) => ({ type: 'begun', schema: CANDIDATE_SCHEMA, version: NEWEST_CANDIDATE_VERSION, at, head }),
    ask: (log) => askAll(wishes, askWith(wishes, log), log),
    done: 'sampled',
    ended: (ending, { cost }) => ({ type: 'ended', ...ending, cost }),
  });
  return { recording: head.subject.recording, ...ended, ...counts(lines), ...answers };
}

function counts(lines: readonly CandidateLine[]) {
  const candidates = lines.filter((line) => line.type === 'candidate');
  return {
    steps: new Set(candidates.map(({ action }) => action)).size,
    candidates: candidates.length,
    judged: lines.filter((line) => line.type === 'judged').length,
  };
}

function askWith({ head, pictures, model, spent, signal }: CandidateWishes, { write, lines, kept }: Log): Ask {
  const { judge } = head;
  const models = [...new Set([head.model, ...(judge === null ? [] : [judge])])];
  // A judge is asked without chance, whatever the candidates are sampled with.
  const sampled = paidAsker({
    ...head,
    models,
    pictures,
    model: { ...model, temperature: head.temperature },
    spent,
    signal,
  });
  const judging = paidAsker({ ...head, models, pictures, model, spent, signal });
  return async <T extends object>(
    name: string,
    request: ModelRequest,
    hash: string,
    read: (text: string) => T | Refused,
  ): Promise<T | Refused> => {
    const n = lines.filter((line) => line.type === 'asked').length + 1;
    await write({ type: 'asked', n, model: name, hash, request });
    const paid = request.role === 'candidate' ? sampled : judging;
    const answered = await paid(name, request, kept.get(answerKey(name, hash)) ?? null);
    const value = read(answered.reply.text);
    await write({ type: 'answered', n, ...answered, refused: 'refused' in value ? value.refused : null });
    return value;
  };
}

async function askAll({ head, progress }: CandidateWishes, ask: Ask, log: Log): Promise<void> {
  const { subject, each, model, temperature, judge } = head;
  const steps = askedSteps(subject);
  for (const [at, step] of steps.entries()) {
    const request = candidateRequest(subject, step);
    const candidates: { id: string; text: string }[] = [];
    for (let n = 1; n <= each; n++) {
      const came = await ask(model, request, hashOf([request, temperature, n]), (said) => ({ said }));
      const text = 'said' in came ? came.said : '';
      const id = hashOf([step.action, model, n, text]).slice(0, 12);
      await log.write({ type: 'candidate', id, action: step.action, n, text });
      candidates.push({ id, text });
      progress(at * each + n, steps.length * each);
    }
    if (judge !== null) await judgeStep(head, step, candidates, judge, ask, log);
  }
}

/** Asks about each text once, however often it came, and once more where the answer is refused. */
async function judgeStep(
  { subject }: CandidateHead,
  step: CandidateStep,
  candidates: readonly { id: string; text: string }[],
  judge: string,
  ask: Ask,
  log: Log,
): Promise<void> {
  const texts = [...new Set(candidates.map(({ text }) => text))];
  // By which an answer is known for one to this question: nothing that was recorded or answered before can say it.
  const code = hashOf([subject.recording, step, texts, judge]).slice(0, 8);
  let again: string | null = null;
  for (;;) {
    const request = judgeRequest(subject, step, texts, code, again);
    const read = await ask(judge, request, hashOf(request), (text) => readJudged(text, texts.length, code));
    if ('said' in read) {
      for (const { id, text } of candidates) {
        const word = read.said[texts.indexOf(text)]!; // One for each text.
        await log.write({ type: 'judged', candidate: id, by: judge, ...word });
      }
      return;
    }
    if (again !== null) return;
    again = read.refused;
  }
}
