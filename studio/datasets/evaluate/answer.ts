import { StudioError } from '../../../schemas/errors.ts';
import {
  PREDICTIONS_SCHEMA,
  QUESTIONS_SCHEMA,
  type Question,
  type QuestionsHead,
  questionSchema,
  questionsHeadSchema,
} from '../../../schemas/questions.ts';
import { badFile, textLines } from '../../files/text-lines.ts';
import { type ChatOptions, type ChatPart, createChat, endpointUrl, type Reply } from '../../models/chat.ts';
import { pause } from '../../models/endpoint.ts';
import { type Prices, spending } from '../../models/spending.ts';
import { openCache } from './answer-cache.ts';
import { sha256 } from './data-set.ts';
import { headOf, isHead, problemOf } from './inputs.ts';
import { openPredictionLog } from './prediction-log.ts';
import { questionPictures } from './question-pictures.ts';

export type AnswerRequest = ChatOptions & {
  questions: string;
  out: string;
  /** Answers by content; default beside `out`. */
  cache: string;
  concurrency: number;
  /** No picture is sent: for models that read text alone. */
  textOnly?: boolean;
  prices: Prices;
  /** Stops before it is gone over; null: no limit. */
  maxCost: number | null;
  onProgress?: (progress: AnswerProgress) => void;
};

type AnswerProgress = { done: number; total: number; cost: number; tokens: { input: number; output: number } };

export type AnswerResult = {
  out: string;
  model: string;
  questions: number;
  /** Answered before this run; in this run; of those, from the cache. */
  before: number;
  answered: number;
  cached: number;
  /** Questions that the endpoint would not answer. */
  failed: { id: string; message: string }[];
  remaining: number;
  /** Why it ended before the last question. */
  stopped: 'max-cost' | null;
  tokens: { input: number; output: number };
  /** Requests whose tokens the endpoint did not count. */
  guessed: number;
  cost: number;
};

const MOST_FAILURES_TOLD = 100;

/**
 * Asks a model every question that has no answer in `out` yet. Each answer is in the cache and in `out` before the next
 * begins, so a kill costs at most the requests under way. The truth is never sent.
 * Throws BAD_FILE, CONFLICT, USAGE, CANCELLED, and ENDPOINT_FAILED when the endpoint refuses everything (no access).
 */
export async function answerQuestions(request: AnswerRequest): Promise<AnswerResult> {
  const { questions: file, model, signal } = request;
  const { head, count } = checkQuestions(file);
  const url = endpointUrl(request.endpoint);
  const asked = {
    temperature: 0,
    ...(request.maxTokens === null ? {} : { maxTokens: request.maxTokens }),
    ...(request.textOnly ? { pictures: false } : {}),
  };
  const log = openPredictionLog(request.out, {
    schema: PREDICTIONS_SCHEMA,
    version: head.version,
    model,
    dataset: head.dataset,
    prompts: head.prompts,
    aid: head.aid,
    asked,
  });
  try {
    const cache = openCache(request.cache);
    // One that fails for good ends the others too.
    const control = new AbortController();
    const chat = createChat({
      ...request,
      signal: signal ? AbortSignal.any([signal, control.signal]) : control.signal,
    });
    const spent = spending(request.prices, request.maxCost);
    const result: AnswerResult = {
      out: request.out,
      model,
      questions: count,
      before: log.size,
      answered: 0,
      cached: 0,
      failed: [],
      remaining: 0,
      stopped: null,
      tokens: spent.tokens,
      guessed: 0,
      cost: 0,
    };
    const put = ({ id }: Question, { text, usage }: Reply): void => {
      log.append({ id, prediction: text, tokens: { input: usage.input, output: usage.output } });
      result.answered++;
      request.onProgress?.({ done: log.size, total: count, cost: spent.cost, tokens: spent.tokens });
    };
    const one = async (question: Question): Promise<void> => {
      const { parts, hashes } = questionPictures(file, question.id, request.textOnly ? [] : question.images);
      const key = sha256(JSON.stringify([url, model, asked, question.prompt, hashes]));
      const known = cache.get(key);
      if (known) {
        result.cached++;
        put(question, known);
        return;
      }
      // Requests under way may turn out cheaper than feared: then there is room again.
      while (!spent.begin()) {
        if (underWay === 0) {
          result.stopped = 'max-cost';
          return;
        }
        await pause(20, signal);
        if (result.stopped) return;
      }
      underWay++;
      try {
        const content: ChatPart[] = [...parts, { type: 'text', text: question.prompt }];
        const reply = await chat.ask(content);
        cache.put(key, reply);
        spent.end(reply.usage);
        put(question, reply);
      } catch (error) {
        spent.end(null);
        if (!(error instanceof StudioError) || error.code !== 'ENDPOINT_FAILED' || error.details.everything === true) {
          control.abort(error);
          throw error;
        }
        if (result.failed.length < MOST_FAILURES_TOLD) result.failed.push({ id: question.id, message: error.message });
      } finally {
        underWay--;
      }
    };
    let underWay = 0;
    const list = questionsOf(file);
    const worker = async (): Promise<void> => {
      for (const question of list) {
        signal?.throwIfAborted();
        if (control.signal.aborted || result.stopped) return;
        if (!log.has(question.id)) await one(question);
      }
    };
    // Every worker takes from the same generator; the first error is told when all have come to rest.
    const ends = await Promise.allSettled(Array.from({ length: request.concurrency }, worker));
    signal?.throwIfAborted();
    if (control.signal.aborted) throw control.signal.reason;
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return {
      ...result,
      remaining: count - log.size,
      guessed: spent.guessed,
      cost: spent.cost,
      tokens: { ...spent.tokens },
    };
  } finally {
    log.close();
  }
}

/** Looks at every line before the first question is paid for. Throws BAD_FILE, FUTURE_VERSION. */
function checkQuestions(file: string): { head: QuestionsHead; count: number } {
  let head: QuestionsHead | null = null;
  const ids = new Set<string>();
  for (const { text, line, torn } of textLines(file)) {
    const value = json(text);
    if (value === undefined)
      throw badFile(file, `line ${line} ${torn ? 'is torn off' : 'is no JSON'}. Write the questions again`);
    if (head === null) {
      if (!isHead(value, QUESTIONS_SCHEMA)) throw badFile(file, 'it has no head; give the file that `questions` wrote');
      head = headOf(file, value, questionsHeadSchema);
      if (head.holds === 'truth') throw badFile(file, 'it holds the truth, not the questions');
      continue;
    }
    const { success, data, error } = questionSchema.safeParse(value);
    if (!success) throw badFile(file, `line ${line}: ${problemOf(error)}`);
    if (ids.has(data.id)) throw badFile(file, `line ${line}: the id "${data.id}" stands there twice`);
    ids.add(data.id);
  }
  if (head === null || ids.size === 0) throw badFile(file, 'there is no question in it');
  return { head, count: ids.size };
}

function* questionsOf(file: string): Generator<Question> {
  for (const { text, line } of textLines(file)) if (line > 1) yield questionSchema.parse(JSON.parse(text));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
