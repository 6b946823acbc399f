import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A bus that answers what it is told to, in bytes: also what a real one would never let through (D-Bus specification). */

/** A type of D-Bus and a value of it. */
export type Typed =
  | { type: 's' | 'o'; value: string }
  | { type: 'g'; value: string }
  | { type: 'y'; value: number }
  | { type: 'b' | 'n' | 'q' | 'i' | 'u' | 'd'; value: number }
  | { type: 'x' | 't'; value: bigint }
  | { type: 'a'; of: string; value: readonly Typed[] }
  | { type: 'r' | 'e'; value: readonly Typed[] }
  | { type: 'v'; value: Typed };

export function signatureOf(one: Typed): string {
  if (one.type === 'a') return `a${one.of}`;
  if (one.type === 'r') return `(${one.value.map(signatureOf).join('')})`;
  if (one.type === 'e') return `{${one.value.map(signatureOf).join('')}}`;
  return one.type;
}

const ALIGN: Readonly<Record<string, number>> = { y: 1, g: 1, v: 1, n: 2, q: 2, x: 8, t: 8, d: 8, '(': 8, '{': 8 };
const alignOf = (signature: string): number => ALIGN[signature[0] ?? ''] ?? 4;

class Writer {
  #bytes = Buffer.alloc(1024);
  length = 0;
  /** Room for so many bytes, aligned. */
  room(size: number, to: number): { bytes: Buffer; at: number } {
    const at = this.length + ((to - (this.length % to)) % to);
    while (at + size > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.length = at + size;
    return { bytes: this.#bytes, at };
  }
  uint32(value: number): void {
    const { bytes, at } = this.room(4, 4);
    bytes.writeUInt32LE(value, at);
  }
  byte(value: number): void {
    const { bytes, at } = this.room(1, 1);
    bytes[at] = value;
  }
  text(value: string): void {
    const { bytes, at } = this.room(Buffer.byteLength(value) + 1, 1);
    bytes.write(value, at);
  }
  array(of: string, write: () => void): void {
    const before = this.room(4, 4).at;
    const { at: start } = this.room(0, alignOf(of));
    write();
    this.#bytes.writeUInt32LE(this.length - start, before);
  }
  whole = (): Buffer => this.#bytes.subarray(0, this.length);
}

function write(to: Writer, one: Typed): void {
  switch (one.type) {
    case 's':
    case 'o':
      to.uint32(Buffer.byteLength(one.value));
      to.text(one.value);
      break;
    case 'g':
      to.byte(one.value.length);
      to.text(one.value);
      break;
    case 'y':
      to.byte(one.value);
      break;
    case 'v':
      write(to, { type: 'g', value: signatureOf(one.value) });
      write(to, one.value);
      break;
    case 'a':
      to.array(one.of, () => {
        for (const each of one.value) write(to, each);
      });
      break;
    case 'r':
    case 'e':
      to.room(0, 8);
      for (const each of one.value) write(to, each);
      break;
    default:
      writeNumber(to, one);
  }
}

function writeNumber(to: Writer, { type, value }: Extract<Typed, { type: keyof typeof SIZES }>): void {
  const { bytes, at } = to.room(SIZES[type], SIZES[type]);
  if (type === 'n') bytes.writeInt16LE(value, at);
  else if (type === 'q') bytes.writeUInt16LE(value, at);
  else if (type === 'i') bytes.writeInt32LE(value, at);
  else if (type === 'd') bytes.writeDoubleLE(value, at);
  else if (typeof value === 'number') bytes.writeUInt32LE(value, at);
  else bytes.writeBigUInt64LE(BigInt.asUintN(64, value), at);
}
const SIZES = { n: 2, q: 2, b: 4, i: 4, u: 4, d: 8, x: 8, t: 8 } as const;

export type Message = {
  kind: 'answer' | 'error' | 'signal';
  sender?: string;
  /** Signals only. */
  about?: { path: string; face: string; member: string };
  values: readonly Typed[];
};

/** Its bytes; the number of the call that it answers stands at `replyAt` (0: nowhere). */
export function messageOf({ kind, sender, about, values }: Message): { bytes: Buffer; replyAt: number } {
  const body = new Writer();
  for (const one of values) write(body, one);
  const head = new Writer();
  const number = { answer: 2, error: 3, signal: 4 }[kind];
  for (const value of ['l'.charCodeAt(0), number, 1, 1]) write(head, { type: 'y', value });
  head.uint32(body.length);
  head.uint32(7);
  let replyAt = 0;
  const field = (code: number, value: Typed): void => {
    write(head, {
      type: 'r',
      value: [
        { type: 'y', value: code },
        { type: 'v', value },
      ],
    });
    if (code === 5) replyAt = head.length - 4;
  };
  head.array('(', () => {
    if (about) {
      field(1, { type: 'o', value: about.path });
      field(2, { type: 's', value: about.face });
      field(3, { type: 's', value: about.member });
    }
    if (kind === 'error') field(4, { type: 's', value: 'org.example.Error.Refused' });
    if (kind !== 'signal') field(5, { type: 'u', value: 0 });
    if (sender !== undefined) field(7, { type: 's', value: sender });
    field(8, { type: 'g', value: values.map(signatureOf).join('') });
  });
  head.room(0, 8);
  return { bytes: Buffer.concat([head.whole(), body.whole()]), replyAt };
}

/** In a thread of its own: who asks waits in hers. Answers the greeting itself, and every other call with what `tell` set. */
export async function startFakeBus(): Promise<{
  address: string;
  tell(...answers: Message[]): void;
  tellBytes: Tell;
  stop(): Promise<void>;
}> {
  const worker = new Worker(new URL('./fake-bus-worker-for-tests.ts', import.meta.url));
  const [address] = (await once(worker, 'message')) as [string];
  const greeting = messageOf({
    kind: 'answer',
    sender: 'org.freedesktop.DBus',
    values: [{ type: 's', value: ':1.9' }],
  });
  worker.postMessage({ greeting });
  const tellBytes: Tell = (answers) => worker.postMessage({ answers });
  return {
    address,
    tell: (...answers) => tellBytes(answers.map(messageOf)),
    tellBytes,
    stop: async () => void (await worker.terminate()),
  };
}
type Tell = (answers: readonly { bytes: Buffer; replyAt: number }[]) => void;
