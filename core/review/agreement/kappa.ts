/**
 * Cohen's kappa, unweighted (R3): Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and
 * Psychological Measurement 20, 37-46.
 *   kappa = (p_o - p_e) / (1 - p_e), p_o = sum of p_ii, p_e = sum of p_i. p_.i
 * `table[i][j]` counts the units that the first rater put in category i and the second in j; it is square. Null when it is
 * empty, or when p_e = 1: both used one category alone, and nothing can be told from that.
 */
export function cohenKappa(table: readonly (readonly number[])[]): number | null {
  const rows = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  const n = rows.reduce((sum, count) => sum + count, 0);
  if (n === 0) return null;
  let same = 0;
  let expected = 0;
  for (const [i, row] of table.entries()) {
    const column = table.reduce((sum, other) => sum + other[i]!, 0);
    same += row[i]!;
    expected += rows[i]! * column;
  }
  // Whole numbers up to here, so that "all in one category" is an exact comparison.
  if (expected === n * n) return null;
  return (same / n - expected / n ** 2) / (1 - expected / n ** 2);
}

/** A row of a table of counts: how many raters put a unit in each category, and how many units look so. */
type CountRow = { counts: readonly number[]; units: number };

/**
 * Fleiss' kappa (R4): Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76,
 * 378-382.
 *   kappa = (P - P_e) / (1 - P_e), P = mean of P_i, P_i = sum_j n_ij (n_ij - 1) / (m_i (m_i - 1)), P_e = sum_j p_j^2
 * With as many raters for each unit it is Fleiss' own. Where their number m_i varies, units with two or more count alike and
 * p_j is the mean of n_ij / m_i (Gwet, Handbook of Inter-Rater Reliability, 4th ed. 2014, ch. 2). Null when no unit has two
 * ratings, or all ratings are of one category.
 */
export function fleissKappa(rows: readonly CountRow[]): number | null {
  let n = 0;
  let agreed = 0;
  const shares: number[] = [];
  for (const { counts, units } of rows) {
    const raters = counts.reduce((sum, count) => sum + count, 0);
    if (raters < 2 || units === 0) continue;
    n += units;
    let pairs = 0;
    for (const [j, count] of counts.entries()) {
      pairs += count * (count - 1);
      shares[j] = (shares[j] ?? 0) + (units * count) / raters;
    }
    agreed += (units * pairs) / (raters * (raters - 1));
  }
  // How many categories were used is exact; that their shares' squares sum to 1 would not be.
  if (n === 0 || shares.filter((share) => share > 0).length < 2) return null;
  const expected = shares.reduce((sum, share) => sum + (share / n) ** 2, 0);
  return (agreed / n - expected) / (1 - expected);
}
