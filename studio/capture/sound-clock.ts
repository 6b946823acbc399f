/**
 * When sound was made, of pieces that arrive with a delay that varies. Pure. A piece cannot arrive before it was made, so the
 * least delay of the last seconds tells where on the session's clock the samples lie; the sound card's own clock drifts against it,
 * and samples may be lost.
 */
export type SoundClock = {
  /** The time (µs) of the first of `samples` that arrived now. */
  place(arrived: number, samples: number): number;
};

/** The delays of so long are looked at, µs. */
const LOOK_BACK = 10_000_000;
/** Sound is moved when it lies so far off, µs: nobody hears 15 ms, and every move is a tick in the sound. */
const SLACK = 15_000;

export function soundClock(rate: number): SoundClock {
  let heard = 0;
  /** The times that the first sample of all would have had, by each piece: rising ones alone, as a sliding minimum needs. */
  const zeros: { arrived: number; zero: number }[] = [];
  let begun = Number.POSITIVE_INFINITY;
  let base: number | null = null;
  return {
    place(arrived, samples) {
      const first = heard;
      heard += samples;
      const zero = arrived - (heard * 1e6) / rate;
      begun = Math.min(begun, arrived);
      while (zeros.length > 0 && zeros[zeros.length - 1]!.zero >= zero) zeros.pop();
      zeros.push({ arrived, zero });
      while (zeros[0]!.arrived < arrived - LOOK_BACK) zeros.shift();
      const least = zeros[0]!.zero;
      // Sooner than it can be: it was made earlier. All of the last seconds later: samples were lost, or the card is slow.
      if (base === null || least < base) base = least;
      else if (least > base + SLACK && arrived - begun >= LOOK_BACK) base = least;
      return Math.round(base + (first * 1e6) / rate);
    },
  };
}
