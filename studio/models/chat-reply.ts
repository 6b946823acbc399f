import { z } from 'zod';
import { isTooDeep } from '../../core/json-depth.ts';

/** The answer of an OpenAI-compatible endpoint: one JSON document, or a stream of server-sent events. */

/** Tokens; `told` is false where the endpoint does not count them and we guess four characters a token. */
export type Usage = { input: number; output: number; told: boolean };

type Read = { text: string; usage: Usage } | { problem: string };

const contentSchema = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()]);
/** A count that is none is not told: it must not spoil the sum of a whole run. */
const tokensSchema = z.number().min(0).max(1e9).transform(Math.round).optional().catch(undefined);
const usageSchema = z.looseObject({ prompt_tokens: tokensSchema, completion_tokens: tokensSchema });
const replySchema = z.looseObject({
  choices: z
    .array(z.looseObject({ message: z.looseObject({ content: contentSchema, refusal: z.string().nullish() }) }))
    .min(1),
  usage: usageSchema.nullish(),
});
const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: contentSchema.optional() }).optional(),
        finish_reason: z.string().nullish(),
      }),
    )
    .optional(),
  usage: usageSchema.nullish(),
  error: z.unknown().optional(),
});

/** More than any answer to our questions; a server that never stops must not fill the memory. */
const MOST_CHARACTERS = 4_000_000;
/** One event of a stream holds a few words; all of them with their frames are some fifty times as long as the answer. */
const LONGEST_EVENT = 1_000_000;
const LONGEST_STREAM = 50 * MOST_CHARACTERS;

/** By the answer's own type, not by what was asked for: some endpoints stream unasked, some never do. */
export async function readReply(response: Response): Promise<Read> {
  const stream = (response.headers.get('content-type') ?? '').toLowerCase().includes('text/event-stream');
  return stream ? readStream(response) : readDocument(await readText(response));
}

async function readText(response: Response): Promise<string | null> {
  const { text, whole } = await readBeginning(response, MOST_CHARACTERS);
  return whole ? text : null;
}

/** At most so many characters of an answer; the rest is neither waited for nor kept. */
export async function readBeginning(response: Response, most: number): Promise<{ text: string; whole: boolean }> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of decoded(response)) {
    parts.push(part);
    length += part.length;
    if (length > most) return { text: parts.join('').slice(0, most), whole: false };
  }
  return { text: parts.join(''), whole: true };
}

/** The lines of a stream, each looked at once. Null in place of one that has no end. */
async function* linesOf(response: Response): AsyncGenerator<string | null> {
  let begun: string[] = [];
  let [length, total] = [0, 0];
  for await (const part of decoded(response)) {
    total += part.length;
    let from = 0;
    for (let end = part.indexOf('\n'); end >= 0; end = part.indexOf('\n', from)) {
      begun.push(part.slice(from, end));
      const line = begun.join('');
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
      begun = [];
      length = 0;
      from = end + 1;
    }
    begun.push(part.slice(from));
    length += part.length - from;
    if (length > LONGEST_EVENT || total > LONGEST_STREAM) yield null;
  }
  // A last line without its end is an event that breaks off.
}

async function* decoded(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  for await (const chunk of response.body) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function readDocument(text: string | null): Read {
  if (text === null) return { problem: 'an answer without end' };
  if (isTooDeep(text)) return { problem: 'an answer whose values lie too deep in each other' };
  const value = json(text);
  if (value === undefined) return { problem: 'an answer that is no JSON' };
  const { success, data } = replySchema.safeParse(value);
  if (!success) return { problem: 'JSON without choices[0].message.content' };
  const { message } = data.choices[0]!; // At least one, as its schema says.
  const answer = textOf(message.content) || (message.refusal ?? '');
  return { text: answer, usage: usageOf(data.usage, answer) };
}

async function readStream(response: Response): Promise<Read> {
  const texts: string[] = [];
  let length = 0;
  let usage: z.infer<typeof usageSchema> | null = null;
  let ended = false;
  try {
    for await (const line of linesOf(response)) {
      if (line === null) return { problem: 'a stream without end' };
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === '') continue;
      // Nothing comes after it, and some servers keep the connection.
      if (data === '[DONE]') {
        ended = true;
        break;
      }
      const { success, data: chunk } = chunkSchema.safeParse(isTooDeep(data) ? undefined : json(data));
      if (!success) return { problem: 'a stream with an event that is no JSON of a chat' };
      if (chunk.error !== undefined && chunk.error !== null) return { problem: 'a stream that ends in an error' };
      usage = chunk.usage ?? usage;
      for (const choice of (chunk.choices ?? []).slice(0, 1)) {
        const part = textOf(choice.delta?.content ?? null);
        texts.push(part);
        length += part.length;
        if (choice.finish_reason) ended = true;
      }
      if (length > MOST_CHARACTERS) return { problem: 'a stream without end' };
    }
  } catch (error) {
    // The answer is whole: it is not asked and paid for again because a server only closes by the time-out, or breaks off.
    if (!ended) throw error;
  }
  const text = texts.join('');
  return ended ? { text, usage: usageOf(usage, text) } : { problem: 'a stream that breaks off' };
}

function textOf(content: z.infer<typeof contentSchema>): string {
  if (content === null) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

function usageOf(usage: z.infer<typeof usageSchema> | null | undefined, text: string): Usage {
  const told = usage?.prompt_tokens !== undefined && usage.completion_tokens !== undefined;
  return {
    input: usage?.prompt_tokens ?? 0,
    output: usage?.completion_tokens ?? Math.ceil(text.length / 4),
    told,
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
