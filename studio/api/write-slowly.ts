import { holdsMoreThan } from '../../core/weight.ts';
import { breathe } from '../store/breathe.ts';

/** A large answer as JSON, written piece by piece: others are let in between two of them. */

/** Values that are written in one piece: about a millisecond's work. */
const PIECE = 4000;
/** Entries of a list that are written together, where all of them together are small. */
const TOGETHER = 64;
/** Characters that are sent together. */
const SENT = 1 << 16;

/** An answer that another thread has checked and written: it is passed on as it is. */
export class PassedOn {
  readonly bytes: Uint8Array<ArrayBuffer>;
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }
}

/** For the handler of a procedure, whose answer then is the one that these bytes say. */
export const passedOn = <T>(bytes: Uint8Array<ArrayBuffer>): T => new PassedOn(bytes) as T;

/** Whether `writeSlowly` is to write it. A small answer is written at once by whoever else writes answers. */
export const isLarge = (answer: unknown): answer is object =>
  answer instanceof PassedOn || (isPlain(answer) && holdsMoreThan(answer, PIECE));

/** The text that JSON.stringify gives, between `before` and `after`. Values are those of JSON, and fields that are undefined. */
export function writeSlowly(answer: object, before = '', after = ''): ReadableStream<Uint8Array> {
  const inner = answer instanceof PassedOn ? bytesOf(answer.bytes) : textsOf(answer);
  return sentSlowly(
    (function* () {
      yield before;
      yield* inner;
      yield after;
    })(),
  );
}

/** Texts one after the other, made as they are sent. When making one throws, the answer breaks off there. */
export function sentSlowly(texts: Generator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(to) {
      await breathe();
      let text = '';
      for (let next = texts.next(); ; next = texts.next()) {
        if (next.done || typeof next.value !== 'string') {
          if (text !== '') to.enqueue(encoder.encode(text));
          if (next.done) to.close();
          else to.enqueue(next.value as Uint8Array);
          return;
        }
        text += next.value;
        if (text.length >= SENT) {
          to.enqueue(encoder.encode(text));
          return;
        }
      }
    },
    // The reader went away: what makes the texts may hold a file.
    cancel: () => void texts.return(undefined),
  });
}

function* bytesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SENT) yield bytes.subarray(at, at + SENT);
}

function* textsOf(value: unknown): Generator<string> {
  if (!holdsMoreThan(value, PIECE)) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* listTexts(value);
  else yield* objectTexts(value as object); // Nothing else holds others.
}

function* listTexts(list: readonly unknown[]): Generator<string> {
  let mark = '[';
  for (let at = 0; at < list.length; at += TOGETHER) {
    const part = list.slice(at, at + TOGETHER);
    if (!holdsMoreThan(part, PIECE)) {
      yield mark + JSON.stringify(part).slice(1, -1);
      mark = ',';
      continue;
    }
    for (const one of part) {
      yield mark;
      yield* textsOf(one);
      mark = ',';
    }
  }
  yield ']';
}

function* objectTexts(value: object): Generator<string> {
  let mark = '{';
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    yield `${mark}${JSON.stringify(key)}:`;
    yield* textsOf(field);
    mark = ',';
  }
  yield '}';
}

/** A list or an object of fields; no stream of events. */
function isPlain(value: unknown): value is object {
  return (
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  );
}
