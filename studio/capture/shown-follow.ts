/**
 * In the thread that asks for elements: whether letters of a field for passwords can be read on the screen, as by "show password".
 * Told whenever that changes, with the time since which it may be so.
 */
export type ShownChange = { shown: boolean; from: number; t: number };

type Parts = {
  /** Null: there is no such field, or nobody says. Takes a limited time. */
  isShown(): boolean | null;
  now(): number;
  tell(change: ShownChange): void;
};

/** How often it is asked while there is such a field, µs; and while there is none. */
const AGAIN = 250_000;

export function followShown({ isShown, now, tell }: Parts): { turn(): void } {
  let shown = false;
  let asked = Number.NEGATIVE_INFINITY;
  return {
    turn() {
      const t = now();
      if (t - asked < AGAIN) return;
      const since = Math.max(0, Number.isFinite(asked) ? asked : t);
      asked = t;
      const next = isShown() === true;
      if (next === shown) return;
      shown = next;
      tell({ shown, from: since, t });
    },
  };
}
