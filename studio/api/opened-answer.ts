import { z } from 'zod';
import { openedInput } from '../../schemas/api/contract.ts';
import { openedFor } from './routes/recordings.ts';
import type { Studio } from './studio.ts';

const PATH = '/rpc/recordings/open';
/** Longer than any such question, bytes. */
const MOST_BODY = 10_000;
const inputSchema = z.object({ json: openedInput });

/**
 * The page's `recordings.open`: what the procedure says, but with the text of steps and frames kept from the last time. Of
 * 10,000 steps they are megabytes; checked, walked and written anew at each opening they keep the page waiting, and with it
 * whatever else it asks for meanwhile. Null: not this request, or the answer is an error; then the procedure is asked.
 */
export function openedAnswers(studio: Studio): (request: Request) => Promise<Response | null> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== PATH || request.method !== 'POST') return null;
    try {
      const { json } = inputSchema.parse(JSON.parse(await shortText(request.clone())));
      const { steps, frames, ...rest } = await openedFor(studio, json);
      const body = `{"json":{"steps":${textOf(steps)},"frames":${textOf(frames)},${JSON.stringify(rest).slice(1)}}`;
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    } catch {
      return null; // The procedure says what is wrong, in the way of the API.
    }
  };
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
