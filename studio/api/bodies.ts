import { whyTooMuchSoFar } from '../../core/json-depth.ts';
import { StudioError } from '../../schemas/errors.ts';
import { fairTurns } from '../recordings/fair-turns.ts';
import { breathe } from '../store/breathe.ts';
import { toOrpcError } from './errors.ts';
import type { Principal } from './members/principal.ts';

/** Bodies of procedures are looked at before they are read as JSON: a few MB of empty lists are a GB of memory, and seconds of everybody's time. */

/** The largest, bytes: a gesture over 20,000 records fits. */
const MOST_BODY = 32 * 1024 * 1024;
/** Values in it: such a gesture has 700,000. */
const MOST_VALUES = 1_000_000;
/** The same for a body that is no JSON, which no page sends, bytes. */
const MOST_OTHER = 100_000;
/** Longer than what pages send all the time, bytes: it is read as JSON in one piece, so of one member one at a time. */
const LARGE = 1024 * 1024;
/** Up to here a body is read before it is known whether its call may be made, bytes. */
const SMALL = 100_000;
/** So much of one member the server holds at once, bytes. */
const MOST_HELD = 2 * MOST_BODY;

type Asked = {
  principal: Principal;
  /** Throws where nothing of what follows would be taken from the caller. Asked before a large body is read. */
  mayAsk?: () => Promise<void>;
};
/** Does `work` with a request whose body, as it is read, throws what speaks against it, as oRPC's own error. */
export type Bodies = <T>(request: Request, asked: Asked, work: (request: Request) => Promise<T>) => Promise<T>;

export function createBodies(): Bodies {
  /** By member, bytes. */
  const held = new Map<string, number>();
  /** A request that nobody holds is forgotten with its signal, and then nothing ends its stream: it is held as long as the first one. */
  const whole = new WeakMap<Request, Request>();
  const turns = fairTurns(Number.POSITIVE_INFINITY, 1);

  return async (request, { principal, mayAsk }, work) => {
    if (request.body === null) return work(request);
    // On a machine of one's own there is nobody else to keep the memory and the processor for.
    const who = principal.kind === 'member' ? principal.id : null;
    let own = 0;
    let release = (): void => undefined;
    const hold = async (bytes: number): Promise<void> => {
      if (who === null || isOver) return;
      if (own <= SMALL && own + bytes > SMALL) await mayAsk?.();
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
        const pieces = await lookedAt(request, hold);
        if (who !== null && own > LARGE) {
          const turn = await turns.take(who);
          if (isOver) turn();
          else release = turn;
        }
        for (const piece of pieces) to.enqueue(piece);
        to.close();
      } catch (error) {
        to.error(error instanceof StudioError ? toOrpcError(error) : error);
      }
    };
    const looked = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    // `duplex` is the standard's, but not yet in TypeScript's types of it.
    const init: RequestInit & { duplex: 'half' } = { body: looked, duplex: 'half' };
    try {
      const asked = new Request(request, init);
      whole.set(request, asked);
      return await work(asked);
    } finally {
      isOver = true;
      release();
      const left = who === null ? 0 : (held.get(who) ?? 0) - own;
      if (who !== null && left > 0) held.set(who, left);
      else if (who !== null) held.delete(who);
    }
  };
}

async function lookedAt(
  { body, headers }: Request,
  hold: (bytes: number) => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const isJson = /^application\/json\b/i.test((headers.get('content-type') ?? '').trim());
  const most = isJson ? MOST_BODY : MOST_OTHER;
  const length = Number(headers.get('content-length'));
  if (length > most) throw tooLarge(isJson);
  const whyTooMuch = whyTooMuchSoFar(MOST_VALUES);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  // Not by `for await`, which gives the rest of a body up by cutting its connection: the answer would not arrive.
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const piece = next.value;
    size += piece.byteLength;
    if (size > most) throw tooLarge(isJson);
    await hold(piece.byteLength);
    if (size > LARGE) await breathe();
    // Signs of JSON are one byte each, which is no part of any other letter of UTF-8.
    const why = isJson
      ? whyTooMuch(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1'))
      : null;
    if (why !== null) throw new StudioError('USAGE', `The body of the request is not taken: ${why}.`, {});
    pieces.push(piece);
  }
  return pieces;
}

function tooLarge(isJson: boolean): StudioError {
  const message = isJson
    ? `The body of a request has at most ${MOST_BODY / (1024 * 1024)} MB.`
    : 'Send JSON with `Content-Type: application/json`.';
  return new StudioError('USAGE', message, {});
}
