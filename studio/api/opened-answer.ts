import { z } from 'zod';
import { openedInput } from '../../schemas/api/contract.ts';
import { previewInput } from '../../schemas/api/datasets.ts';
import { openedFor } from './routes/recordings.ts';
import type { Studio } from './studio.ts';

const OPEN = '/rpc/recordings/open';
const PREVIEW = '/rpc/exports/preview';
/** Longer than any such question, bytes. */
const MOST_BODY = 10_000;
const openSchema = z.object({ json: openedInput });
const previewSchema = z.object({ json: previewInput });

/**
 * The pages' two questions with the longest answers, answered as the procedures do, but without checking, walking and writing
 * megabytes anew on the thread that answers everybody else. Null: another request, or the answer is an error; then the
 * procedure is asked.
 */
export function openedAnswers(studio: Studio): (request: Request) => Promise<Response | null> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const answer = pathname === OPEN ? opened : pathname === PREVIEW ? preview : null;
    if (answer === null || request.method !== 'POST') return null;
    try {
      const body = await answer(studio, JSON.parse(await shortText(request.clone())), request.signal);
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    } catch {
      return null; // The procedure says what is wrong, in the way of the API.
    }
  };
}

/** The text of steps and frames is kept from the last time: of 10,000 steps they are megabytes. */
async function opened(studio: Studio, question: unknown): Promise<string> {
  const { steps, frames, ...rest } = await openedFor(studio, openSchema.parse(question).json);
  return `{"json":{"steps":${textOf(steps)},"frames":${textOf(frames)},${JSON.stringify(rest).slice(1)}}`;
}

/** Written by the thread that made it: with long recordings in it, it names thousands of steps, format by format. */
async function preview(studio: Studio, question: unknown, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { ws, person, wishes } = previewSchema.parse(question).json;
  const text = await (await studio.workspaces.get(ws)).as(person).dataset.previewText(wishes, { signal });
  return new ReadableStream({
    start(to) {
      for (const piece of [Buffer.from('{"json":'), ...piecesOf(text), Buffer.from('}')]) to.enqueue(piece);
      to.close();
    },
  });
}

/** Pieces of one turn of the loop each, bytes. */
const PIECE = 1 << 18;

function piecesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, n) => bytes.subarray(n * PIECE, (n + 1) * PIECE));
}

async function shortText(request: Request): Promise<string> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    bytes += next.value.byteLength;
    if (bytes > MOST_BODY) {
      // Not awaited: of a body read twice it ends when both are.
      void reader?.cancel();
      throw new Error('This is no question for a recording.');
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Kept as long as the studio keeps the recording itself: what was derived of it is never changed, only made anew. */
const texts = new WeakMap<object, string>();

function textOf(list: object): string {
  const known = texts.get(list);
  if (known !== undefined) return known;
  const text = JSON.stringify(list);
  texts.set(list, text);
  return text;
}
