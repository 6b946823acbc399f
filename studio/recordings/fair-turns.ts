/** Turns for work that is dear, for several askers at the same time. */
export type FairTurns = {
  /** Resolves when it is this asker's turn; call what it gives when the work is over. */
  take(asker: string): Promise<() => void>;
};

/**
 * At most `most` turns are taken at the same time, and at most `ofOne` by one asker; whoever waits comes round in a circle of
 * askers, so that somebody who asks a thousand times keeps nobody else waiting for a thousand turns.
 */
export function fairTurns(most: number, ofOne = most): FairTurns {
  // In the order in which they come to their turn.
  const lines = new Map<string, (() => void)[]>();
  const taken = new Map<string, number>();
  let all = 0;

  function begin(): void {
    for (const [asker, line] of [...lines]) {
      if (all >= most) return;
      const own = taken.get(asker) ?? 0;
      if (own >= ofOne) continue;
      const go = line.shift();
      lines.delete(asker);
      if (line.length > 0) lines.set(asker, line);
      all++;
      taken.set(asker, own + 1);
      go?.();
    }
  }

  function release(asker: string): void {
    all--;
    const own = (taken.get(asker) ?? 0) - 1;
    if (own > 0) taken.set(asker, own);
    else taken.delete(asker);
    begin();
  }

  return {
    take: (asker) =>
      new Promise((resolve) => {
        let isOver = false;
        const once = (): void => {
          if (isOver) return;
          isOver = true;
          release(asker);
        };
        lines.set(asker, [...(lines.get(asker) ?? []), () => resolve(once)]);
        begin();
      }),
  };
}
