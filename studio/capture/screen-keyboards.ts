import { largestOf } from '../../core/lists.ts';
import { holdsPoint } from '../../core/rect.ts';
import type { PictureJudgement } from '../../native/screen/contract.ts';
import type { Rect } from '../../schemas/events.ts';
import type { Cut } from './gate.ts';
import type { Secret } from './key-judge.ts';

/**
 * On-screen keyboards (I6). Pure. Where one is on the screen while a secret is asked for, the presses on it say as much as its keys, and so
 * do the pictures of it: both wait until it is known where the keys went.
 */
export type ScreenKeyboards = {
  /** They lay so since some time between `since` and `t`, µs. */
  told(look: KeyboardsLook): void;
  /** One is on the screen: what has the keyboard is to be known all the time. */
  isShown(): boolean;
  /** Whether a place lay on one at this time. */
  holds(t: number, x: number, y: number): boolean;
  /** Which pictures may be kept. */
  pictures(): PictureJudgement;
  /** No picture is to be taken at `t`, which is now: after a cut a new one is. */
  cutsPictures(t: number): boolean;
  /** From when to when no picture was kept, that is over by `t` and not handed out yet, µs. Short doubts are left out. */
  over(t: number): HiddenPictures[];
};
/** `isKnown`: a secret was asked for; without, it was only not known what had the keyboard. */
export type HiddenPictures = Cut & { isKnown: boolean };
export type KeyboardsLook = { since: number; t: number; rects: Rect[] };

type Parts = {
  /** When secrets were typed, or may have been; the last may go on. */
  secrets(): readonly Secret[];
  /** Up to when that is known. */
  judgedTo(): number;
};

/** The key that was pressed last is drawn as pressed for a while, µs. */
const FADES = 250_000;
/** A cut that is over when it becomes known: so long no picture is taken all the same, that a new one is taken after it, µs. */
const LEAST = 50_000;
/**
 * What has the keyboard is not known when a recording begins and ends, nor where a program is slow: so short a gap in the pictures is no
 * news, µs.
 */
const SHORT_DOUBT = 1_000_000;
/** Pictures are judged long before, µs. */
const REMEMBERED = 600_000_000;

export function followScreenKeyboards({ secrets, judgedTo }: Parts): ScreenKeyboards {
  let spans: (Cut & { rects: Rect[] })[] = [];
  let saidTo = Number.NEGATIVE_INFINITY;
  let lastCut = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  const shown = (): (typeof spans)[number] | undefined => spans.find(({ to }) => to === Number.POSITIVE_INFINITY);

  function hidden(): HiddenPictures[] {
    const cut = spans.flatMap((span) =>
      secrets().flatMap(({ from, to, why }) => {
        const both = { from: Math.max(from, span.from), to: Math.min(to, span.to) };
        return both.from < both.to ? [{ from: both.from, to: both.to + FADES, isKnown: why !== 'unanswered' }] : [];
      }),
    );
    return joined(cut);
  }
  const cuts = (): Cut[] => hidden().map(({ from, to }) => ({ from, to }));
  /** What was on the screen is judged, though it is gone by now. */
  function to(): number {
    const last = largestOf(spans.map((span) => span.to));
    const judged = judgedTo();
    return last > judged ? judged : Number.POSITIVE_INFINITY;
  }

  return {
    told({ since, t, rects }) {
      const before = shown();
      if (before) before.to = t;
      spans = spans.filter((span) => span.to > t - REMEMBERED);
      if (rects.length > 0) spans.push({ from: since, to: Number.POSITIVE_INFINITY, rects });
    },
    isShown: () => shown() !== undefined,
    holds: (t, x, y) =>
      spans.some(({ from, to, rects }) => from <= t && t < to && rects.some((rect) => holdsPoint(rect, x, y))),
    pictures: () => ({ to: to(), cuts: cuts() }),
    cutsPictures(t) {
      const last = cuts().at(-1);
      if (!last) return false;
      if (last.from !== lastCut.from) lastCut = { from: last.from, until: t + LEAST };
      return t < last.to || t < lastCut.until;
    },
    over(t) {
      // One that was handed out may go on: of a secret that began before its end.
      const done = hidden().flatMap((cut) =>
        cut.to <= t && cut.to > saidTo ? [{ ...cut, from: Math.max(cut.from, saidTo) }] : [],
      );
      saidTo = Math.max(saidTo, largestOf(done.map((cut) => cut.to)));
      return done.filter(({ from, to, isKnown }) => isKnown || to - from - FADES > SHORT_DOUBT);
    },
  };
}

/** Those that touch, as one. */
function joined(cuts: readonly HiddenPictures[]): HiddenPictures[] {
  const all: HiddenPictures[] = [];
  for (const cut of cuts.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && cut.from <= last.to) {
      last.to = Math.max(last.to, cut.to);
      last.isKnown ||= cut.isKnown;
    } else all.push({ ...cut });
  }
  return all;
}
