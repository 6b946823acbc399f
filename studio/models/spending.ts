import type { Usage } from './chat-reply.ts';

/** Prices of a million tokens, in whatever currency the user counts. */
export type Prices = { input: number; output: number };

/** The money spent so far, and whether one more request may begin. */
type Spending = {
  readonly tokens: { input: number; output: number };
  readonly cost: number;
  /** Requests whose endpoint did not say how many tokens they took. */
  readonly guessed: number;
  /** Takes place for a request; false when it might go over the limit. */
  begin(): boolean;
  end(usage: Usage | null): void;
};

/** `most` null: no limit. Requests under way are taken for as dear as the dearest so far. */
export function spending(prices: Prices, most: number | null): Spending {
  const tokens = { input: 0, output: 0 };
  let cost = 0;
  let guessed = 0;
  let underWay = 0;
  let dearest = 0;
  return {
    get tokens() {
      return tokens;
    },
    get cost() {
      return cost;
    },
    get guessed() {
      return guessed;
    },
    begin() {
      // Before the first price is known, one request at a time shows what they cost.
      const unknown = most !== null && dearest === 0 && (prices.input > 0 || prices.output > 0);
      if (most !== null && (cost >= most || cost + (underWay + 1) * dearest > most)) return false;
      if (unknown && underWay > 0) return false;
      underWay++;
      return true;
    },
    end(usage) {
      underWay--;
      if (usage === null) return;
      tokens.input += usage.input;
      tokens.output += usage.output;
      if (!usage.told) guessed++;
      const price = (usage.input * prices.input + usage.output * prices.output) / 1e6;
      dearest = Math.max(dearest, price);
      cost += price;
    },
  };
}
