import { EVENT_BYTES } from './x11.ts';

/** Xlib's XClientMessageEvent on 64 bits, in an XEvent: how programs and window managers speak to each other (ICCCM, EWMH). */

const CLIENT_MESSAGE = 33;
const AT = { type: 0, window: 32, message: 40, format: 48, words: 56 };
const WORDS = 5;

/** `message`: the atom that says what it is about. At most five words. */
export function clientMessage(window: number, message: number, words: readonly number[]): Uint8Array {
  const event = new Uint8Array(EVENT_BYTES);
  const view = new DataView(event.buffer);
  view.setInt32(AT.type, CLIENT_MESSAGE, true);
  view.setBigUint64(AT.window, BigInt(window), true);
  view.setBigUint64(AT.message, BigInt(message), true);
  view.setInt32(AT.format, 32, true);
  for (const [n, word] of words.entries()) view.setBigUint64(AT.words + 8 * n, BigInt(word), true);
  return event;
}

/** Null: the event is no such message. */
export function readClientMessage(event: Uint8Array): { message: number; words: number[] } | null {
  const view = new DataView(event.buffer);
  if ((view.getInt32(AT.type, true) & 0x7f) !== CLIENT_MESSAGE) return null;
  const field = (at: number): number => Number(view.getBigUint64(at, true));
  return { message: field(AT.message), words: Array.from({ length: WORDS }, (_, n) => field(AT.words + 8 * n)) };
}
