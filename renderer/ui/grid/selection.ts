/** Several rows of a list, chosen for one act. What a filter hides stays selected and is left alone: nobody sees it. */
export type Selection<R> = {
  /** The selected rows that are shown. */
  picked: readonly R[];
  /** What an act is about: the selected rows, else the highlighted one. */
  target: readonly R[];
  every: boolean;
  toggle: (id: string) => void;
  toggleAll: () => void;
  clear: () => void;
};

/** Selects what comes of the ids that are selected now. */
export type SelectRows = (next: (now: ReadonlySet<string>) => ReadonlySet<string>) => void;

/** The acts are about what is selected when they are called, so a row may keep the one that it was drawn with. */
export function selectionOf<R>(
  rows: readonly R[],
  at: number,
  selected: ReadonlySet<string>,
  select: SelectRows,
  idOf: (row: R) => string,
): Selection<R> {
  const picked = rows.filter((one) => selected.has(idOf(one)));
  const row = rows[at];
  const every = rows.length > 0 && picked.length === rows.length;
  return {
    picked,
    target: picked.length > 0 ? picked : row ? [row] : [],
    every,
    toggle: (id) =>
      select((now) => {
        const next = new Set(now);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    toggleAll: () => select(() => (every ? new Set() : new Set(rows.map(idOf)))),
    clear: () => select(() => new Set()),
  };
}
