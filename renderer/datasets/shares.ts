import type { SplitPlan } from '../../schemas/dataset.ts';

type SharesTable = {
  splits: string[];
  rows: { software: string; tasks: number[]; total: number }[];
  totals: number[];
  total: number;
};

/** The shares of a plan as a table: a row a software, a column a split, in the rule's order and then by name. */
export function sharesTable(shares: SplitPlan['shares'], order: readonly string[]): SharesTable {
  const named = new Set(shares.map(({ split }) => split));
  const splits = [
    ...order.filter((split) => named.has(split)),
    ...[...named].filter((split) => !order.includes(split)).sort(),
  ];
  const software = [...new Set(shares.map((one) => one.software))].sort();
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const rows = software.map((one) => {
    const tasks = splits.map((split) =>
      sum(shares.filter((share) => share.software === one && share.split === split).map((share) => share.tasks)),
    );
    return { software: one, tasks, total: sum(tasks) };
  });
  const totals = splits.map((_, i) => sum(rows.map(({ tasks }) => tasks[i] ?? 0)));
  return { splits, rows, totals, total: sum(totals) };
}
