/**
 * The one-to-one assignment of least total cost (M14): the Hungarian method with potentials, one shortest augmenting path a
 * row. Kuhn, H. W. (1955). The Hungarian method for the assignment problem. Naval Research Logistics Quarterly 2, 83-97;
 * Jonker & Volgenant (1987), Computing 38, 325-340. O(rows² columns).
 * `cost[row][column]` is finite and rectangular. Gives each row's column; -1 for rows that are left when there are more rows
 * than columns.
 */
export function assign(cost: readonly (readonly number[])[]): number[] {
  const rows = cost.length;
  const columns = cost[0]?.length ?? 0;
  if (columns === 0) return cost.map(() => -1);
  if (rows > columns) {
    const result = cost.map(() => -1);
    const transposed = Array.from({ length: columns }, (_, column) => cost.map((row) => row[column]!));
    for (const [column, row] of assign(transposed).entries()) result[row] = column;
    return result;
  }
  // From 1; column 0 stands for "no column yet", row 0 for "no row".
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const cameFrom = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    const least = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(columns + 1);
    rowOf[0] = row;
    let column = 0;
    do {
      done[column] = 1;
      const from = rowOf[column]!;
      let step = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= columns; j++) {
        if (done[j]) continue;
        const reduced = cost[from - 1]![j - 1]! - rowPotential[from]! - columnPotential[j]!;
        if (reduced < least[j]!) {
          least[j] = reduced;
          cameFrom[j] = column;
        }
        if (least[j]! < step) {
          step = least[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= columns; j++) {
        if (done[j]) {
          rowPotential[rowOf[j]!]! += step;
          columnPotential[j]! -= step;
        } else least[j]! -= step;
      }
      column = next;
    } while (rowOf[column] !== 0);
    // Turns the path: each column on it goes to the row before.
    while (column !== 0) {
      const before = cameFrom[column]!;
      rowOf[column] = rowOf[before]!;
      column = before;
    }
  }
  const result: number[] = new Array(rows).fill(-1);
  for (let j = 1; j <= columns; j++) if (rowOf[j]! > 0) result[rowOf[j]! - 1] = j - 1;
  return result;
}
