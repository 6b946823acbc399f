/** A line in which those who put many into it take turns with those who put few. */
export type FairLine<T> = {
  put(who: string, one: T): void;
  /** The next, or undefined: the first of whoever was not served for longest. */
  next(): T | undefined;
};

export function fairLine<T>(): FairLine<T> {
  // In the order in which they come to their turn.
  const lines = new Map<string, T[]>();
  return {
    put(who, one) {
      const line = lines.get(who);
      if (line) line.push(one);
      else lines.set(who, [one]);
    },
    next() {
      for (const [who, line] of lines) {
        const one = line.shift();
        lines.delete(who);
        if (line.length > 0) lines.set(who, line);
        return one;
      }
      return undefined;
    },
  };
}
