/** Widths of the panes, CSS px, kept in this browser. */
export type Panes = { left: number; right: number };

const KEY = 'annotate:panes';

/** The picture has at least half of a window of 1366 × 768. */
const usualPanes = (width: number): Panes =>
  width < 1200
    ? { left: 188, right: 276 }
    : width < 1500
      ? { left: 218, right: 278 }
      : width < 2200
        ? { left: 300, right: 340 }
        : { left: 420, right: 460 };

export function loadPanes(): Panes {
  const usual = usualPanes(innerWidth);
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('left' in kept && 'right' in kept)) return usual;
    const { left, right } = kept;
    // Kept on a larger screen, they must not cover the picture on a smaller one.
    const most = (innerWidth - 320) / 2;
    if (typeof left !== 'number' || typeof right !== 'number') return usual;
    return { left: Math.max(Math.min(left, most), 160), right: Math.max(Math.min(right, most), 240) };
  } catch {
    return usual;
  }
}

export function savePanes(panes: Panes): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(panes));
  } catch {
    // A browser that keeps nothing: the usual widths next time.
  }
}
