/** Fills the array with whole numbers from 0 to `n` - 1, each as likely. `n` is at most 2^32. */
type Draw = (into: Uint32Array, n: number) => void;

/**
 * A seeded generator: sfc32 (Chris Doty-Humphrey, PractRand 2014; public domain). The same seed gives the same numbers on
 * every machine, so a figure's interval does not change from one look to the next. A number below n is the high word of
 * n times 32 random bits: the most likely one is more likely than the least by n / 2^32, which is nothing here.
 */
export function seeded(seed: number): Draw {
  const state = new Int32Array([0x9e3779b9, 0x243f6a88, seed, 1]);
  const draw: Draw = (into, n) => {
    // In locals while it runs: it draws millions.
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let counter = state[3]!;
    for (let i = 0; i < into.length; i++) {
      const mixed = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + mixed) | 0;
      into[i] = ((mixed >>> 0) * n) / 2 ** 32;
    }
    state.set([a, b, c, counter]);
  };
  // Neighbouring seeds begin alike; after a few rounds nothing is left of that.
  draw(new Uint32Array(15), 1);
  return draw;
}
