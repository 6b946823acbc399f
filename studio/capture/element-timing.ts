import type { FoundElement } from '../../native/elements/contract.ts';

/**
 * When the element under the pointer is asked for, and which answer from before a press belongs to it. Times in µs of the
 * session's clock.
 */

/** A pointer that stands still for so long rests. */
export const REST_US = 40_000;
/** A window or menu that a press or a key opens is there after so long. */
const OPENED_US = 300_000;
/** An answer that is older may be of something that is no longer shown. */
const FRESH_US = 2_000_000;
/** While the pointer goes on resting the answer is renewed this often, and for so long: a person may look before pressing. */
const RENEW_US = 1_200_000;
const RENEW_FOR_US = 10_000_000;
/** So often one place is asked about, and how long after an answer that did not come. */
const TRIES = 3;
const AGAIN_US = 120_000;
/** A larger element (px²) holds other elements. */
const LARGE = 60_000;
/** Answers that are kept: a press may be heard of only when the next questions have been asked. */
const KEPT = 4;

/** `window`: the id of the one at that place. `stirs`: how often something had been pressed or typed when it was asked. */
export type Asked = {
  asked: number;
  done: number;
  x: number;
  y: number;
  stirs: number;
  window: string | null;
  found: FoundElement | null;
};

/** Where the pointer is, since when, how often something was pressed or typed, and when that was last noticed. */
export type Resting = { now: number; x: number; y: number; movedAt: number; stirs: number; stirredAt: number };

/** A press as it was heard of: `stirs` counts what was pressed and typed before it. */
export type HeardPress = { t: number; x: number; y: number; stirs: number };

/** The last answers about the place where the pointer is. */
export class PointerAnswers {
  #kept: Asked[] = [];
  #tries = 0;

  /** Whether the place is to be asked about now: it is new, was stirred, was not answered, or its answer grows old. */
  isDue({ now, x, y, movedAt, stirs, stirredAt }: Resting): boolean {
    if (now - movedAt < REST_US) return false;
    const last = this.#kept.at(-1);
    if (!last || last.x !== x || last.y !== y) return true;
    if (last.stirs !== stirs && now - stirredAt >= OPENED_US) return true;
    // On a busy machine an answer may not come in time; the person still looks.
    if (last.found === null) return this.#tries < TRIES && now - last.done >= AGAIN_US;
    return now - last.done >= RENEW_US && now - movedAt < RENEW_FOR_US;
  }

  add(answer: Asked): void {
    const last = this.#kept.at(-1);
    const isSame = last && last.x === answer.x && last.y === answer.y && last.stirs === answer.stirs;
    this.#tries = isSame && answer.found === null ? this.#tries + 1 : 1;
    this.#kept = [...this.#kept, answer].slice(-KEPT);
  }

  clear(): void {
    this.#kept = [];
  }

  /**
   * The element that was known of the place before the press; `isSure`: it is young and nothing was pressed or typed since,
   * otherwise it may be of something that stood there then.
   */
  before({ t, x, y, stirs }: HeardPress): { answer: Asked & { found: FoundElement }; isSure: boolean } | null {
    const known = this.#kept.filter((one) => one.done <= t);
    const last = known.at(-1);
    // A program that did not answer in time has taken nothing back, as long as its window lies there.
    const answer = known.findLast((one) => one.found !== null || one.window !== last?.window);
    if (!answer?.found || !holds(answer, x, y)) return null;
    return {
      answer: { ...answer, found: answer.found },
      isSure: answer.done >= t - FRESH_US && answer.stirs === stirs,
    };
  }

  /** The window that lay there when the place was last asked about before the press; null when nobody knows. */
  windowBefore({ t, x, y }: HeardPress): string | null {
    return this.#kept.findLast((one) => one.asked <= t && one.x === x && one.y === y)?.window ?? null;
  }
}

function holds({ x, y, found }: Asked, px: number, py: number): boolean {
  if (!found) return false;
  if (x === px && y === py) return true;
  const box = found.bounds;
  // A large element holds others, and another of them may be at this place.
  if (!box || box.width * box.height > LARGE) return false;
  return px >= box.x && py >= box.y && px < box.x + box.width && py < box.y + box.height;
}
