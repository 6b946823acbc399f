/** Widths of the panes, CSS px, kept in this browser. */
export type Panes = { left: number; right: number };

const KEY = 'annotate:panes';

export function loadPanes(): Panes {
  const usual = { left: innerWidth < 1500 ? 270 : 330, right: innerWidth < 1500 ? 330 : 380 };
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('left' in kept && 'right' in kept)) return usual;
    const { left, right } = kept;
    // Kept on a larger screen, they must not cover the picture on a smaller one.
    const most = (innerWidth - 320) / 2;
    if (typeof left !== 'number' || typeof right !== 'number') return usual;
    return { left: Math.max(Math.min(left, most), 180), right: Math.max(Math.min(right, most), 260) };
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
