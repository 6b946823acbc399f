import { whyTooMuch } from '../../core/json-depth.ts';
import { StudioError } from '../../schemas/errors.ts';
import { toOrpcError } from './errors.ts';
import type { Principal } from './members/principal.ts';

/** Bodies of procedures are looked at before they are read as JSON: a few MB of empty lists are a GB of memory, and seconds of everybody's time. */

/** The largest, bytes: a gesture over 20,000 records fits. */
const MOST_BODY = 32 * 1024 * 1024;
/** Values in it: such a gesture has 700,000. */
const MOST_VALUES = 1_000_000;
/** The same for a body that is no JSON, which no page sends, bytes. */
const MOST_OTHER = 100_000;
/** So much of one member the server holds at once, bytes. */
const MOST_HELD = 2 * MOST_BODY;

/** Does `work` with a request whose body, as it is read, throws what speaks against it, as oRPC's own error. */
export type Bodies = <T>(request: Request, principal: Principal, work: (request: Request) => Promise<T>) => Promise<T>;

export function createBodies(): Bodies {
  /** By member, bytes. */
  const held = new Map<string, number>();

  return async (request, principal, work) => {
    if (request.body === null) return work(request);
    // On a machine of one's own there is nobody else to keep the memory for.
    const who = principal.kind === 'member' ? principal.id : null;
    let own = 0;
    const hold = (bytes: number): void => {
      if (who === null) return;
      own += bytes;
      const all = (held.get(who) ?? 0) + bytes;
      held.set(who, all);
      if (all > MOST_HELD) {
        const message =
          'Too much of yours is on its way to the server at this moment. Wait for answers, then send more.';
        throw new StudioError('TOO_MANY_TRIES', message, { seconds: 5 });
      }
    };
    let isOver = false;
    // Read when it is asked for: what no procedure takes is none that anybody waits for.
    const pull = async (to: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        const whole = await wholeAndLookedAt(request, (bytes) => !isOver && hold(bytes));
        if (whole.length > 0) to.enqueue(whole);
        to.close();
      } catch (error) {
        to.error(error instanceof StudioError ? toOrpcError(error) : error);
      }
    };
    const looked = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    // `duplex` is the standard's, but not yet in TypeScript's types of it.
    const init: RequestInit & { duplex: 'half' } = { body: looked, duplex: 'half' };
    try {
      return await work(new Request(request, init));
    } finally {
      isOver = true;
      const left = who === null ? 0 : (held.get(who) ?? 0) - own;
      if (who !== null && left > 0) held.set(who, left);
      else if (who !== null) held.delete(who);
    }
  };
}

async function wholeAndLookedAt({ body, headers }: Request, hold: (bytes: number) => unknown): Promise<Buffer> {
  const isJson = /^application\/json\b/i.test((headers.get('content-type') ?? '').trim());
  const most = isJson ? MOST_BODY : MOST_OTHER;
  if (Number(headers.get('content-length')) > most) throw tooLarge(isJson);
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Not by `for await`, which gives the rest of a body up by cutting its connection: the answer would not arrive.
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.byteLength;
    if (size > most) throw tooLarge(isJson);
    hold(next.value.byteLength);
    pieces.push(next.value);
  }
  const whole = Buffer.concat(pieces);
  // Signs of JSON are one byte each, which is no part of any other letter of UTF-8.
  const why = isJson ? whyTooMuch(whole.toString('latin1'), MOST_VALUES) : null;
  if (why !== null) throw new StudioError('USAGE', `The body of the request is not taken: ${why}.`, {});
  return whole;
}

function tooLarge(isJson: boolean): StudioError {
  const message = isJson
    ? `The body of a request has at most ${MOST_BODY / (1024 * 1024)} MB.`
    : 'Send JSON with `Content-Type: application/json`.';
  return new StudioError('USAGE', message, {});
}
