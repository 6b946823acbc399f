import type { FocusKind } from '../../native/elements/focus.ts';
import type { WithheldWhy } from '../../schemas/events.ts';
import type { Cut } from './gate.ts';

/**
 * Which keys went into a field for passwords (I6). Pure. A program takes a key, moves its focus and tells so only some time
 * after the key was pressed: a key is judged when the program that has the keyboard was asked `SETTLES` later and answered at
 * once, so that it had the time to tell of a move that came before the key.
 */
export type KeyJudge = {
  /** A key went down or up and waits to be judged. */
  key(t: number): void;
  /** A press that can move the focus, of a button or a key. */
  moves(t: number): void;
  /**
   * The field that has the keyboard: since some time between `after` and `asked`, and still at `done`. `slowest`: the longest
   * that its program took for a single answer.
   */
  told(look: FocusLook): void;
  /** Keys up to here are judged; those that have waited too long by now count as if they had gone into such a field. */
  judgedTo(now: number): number;
  /** Why a key of this time is withheld; null: it is not. */
  secretAt(t: number): WithheldWhy | null;
  /** All times of which keys are withheld, as far as that is known; the last may go on. */
  secrets(): readonly Secret[];
  /** The recording is to end: from now on keys wait no longer than `MOST_WAIT_LAST`, however long they have waited before. */
  hasten(now: number): void;
  /** Nobody will answer any more. What was not judged counts as secret, also what is still on its way; what is typed later is let out. */
  end(now: number): void;
};
export type Secret = Cut & { why: WithheldWhy };
/** µs on the session clock. */
export type FocusLook = {
  after: number;
  asked: number;
  done: number;
  kind: FocusKind;
  slowest: number;
  /** A program told of the move just now, and what had the keyboard before was known. */
  reported: boolean;
  /** What had the keyboard meanwhile did not say so, and may be something else: until the last move was heard of. Null: it is known. */
  unknown: Cut | null;
  /** How a field for passwords is known. Absent: it says so. */
  why?: Exclude<WithheldWhy, 'on-screen' | 'unanswered'>;
  /** The program that got keys and does not tell of its fields. Absent: none. */
  silent?: string | null;
};

/** A program that runs has told of a move of its focus so long after the key that made it, µs. */
export const SETTLES = 150_000;
/** A program that took longer for an answer may have keys waiting, µs. */
export const AT_ONCE = 120_000;
/** The longest that a key waits to be judged, µs: a program that loads a page, or a busy machine, may be silent for some seconds. */
export const MOST_WAIT = 10_000_000;
/** The longest that is waited once the recording is to end, µs. */
export const MOST_WAIT_LAST = 3_000_000;
/** Presses that may have moved the focus, and what was secret, are remembered for so long, µs: keys may wait for other reasons, too. */
const REMEMBERED = 10_000_000;
const SECRETS_REMEMBERED = 600_000_000;

export function judgeKeys(): KeyJudge {
  let cuts: Secret[] = [];
  let movers: number[] = [];
  let waiting: number[] = [];
  let judged = Number.NEGATIVE_INFINITY;
  /** When nothing is waited for any more. */
  let deadline = Number.POSITIVE_INFINITY;
  let secret: Secret | null = null;

  function cutFrom(from: number, why: WithheldWhy, to = Number.POSITIVE_INFINITY): Secret {
    const cut = { from, to, why };
    // Those that are long over judge nothing any more.
    cuts = [...cuts.filter(({ to }) => to > from - SECRETS_REMEMBERED), cut];
    return cut;
  }
  function judge(to: number): void {
    judged = Math.max(judged, to);
    waiting = waiting.filter((t) => t > judged);
  }

  return {
    key(t) {
      if (t > judged) waiting.push(t);
    },
    moves(t) {
      movers = [...movers.filter((one) => one > t - REMEMBERED), t];
    },
    told({ after, asked, done, kind, slowest, reported, unknown, why = 'field' }) {
      if (kind === 'unanswered') return;
      const earliest = after - SETTLES;
      // An answer of what has the keyboard now says nothing of what had it before, and was silent.
      if (unknown) cutFrom(unknown.from - SETTLES, 'unanswered', unknown.to);
      if (kind === 'password' && secret && secret.why !== why) {
        // The same secret, or the next: not a moment lies between.
        secret.to = done;
        secret = cutFrom(done, why);
      }
      if (kind === 'password' && !secret) {
        // Keys before the press that moved the focus went where it was; without one it is not known since when.
        const cause = reported ? movers.find((t) => t >= earliest && t <= done) : undefined;
        secret = cutFrom(cause ?? earliest, why);
      }
      if (kind === 'open' && secret) {
        secret.to = done;
        secret = null;
      }
      if (slowest > AT_ONCE) return;
      judge(asked - SETTLES);
    },
    judgedTo(now) {
      const late = now >= deadline ? now : now - MOST_WAIT;
      const [oldest] = waiting;
      if (oldest !== undefined && oldest <= late) {
        cutFrom(oldest, 'unanswered', late + 1);
        judge(late);
      }
      return judged;
    },
    secretAt(t) {
      const at = cuts.filter(({ from, to }) => from <= t && t < to);
      // What is known says more than that something is not.
      return (at.find(({ why }) => why !== 'unanswered') ?? at[0])?.why ?? null;
    },
    secrets: () => cuts,
    hasten(now) {
      deadline = Math.min(deadline, now + MOST_WAIT_LAST);
    },
    end(now) {
      if (judged !== Number.POSITIVE_INFINITY) cutFrom(judged + 1, 'unanswered', now);
      if (secret) secret.to = now;
      secret = null;
      judge(Number.POSITIVE_INFINITY);
    },
  };
}
