/** A ranking as it is made: groups of letters, the best first. */
export type RankingMade = readonly (readonly string[])[];

/** Puts an outcome behind all that were placed, or beside the last; one that was placed before moves. */
export function place(ranking: RankingMade, letter: string, isTie: boolean): RankingMade {
  const rest = ranking.map((group) => group.filter((one) => one !== letter)).filter((group) => group.length > 0);
  const last = rest.at(-1);
  return isTie && last ? [...rest.slice(0, -1), [...last, letter]] : [...rest, [letter]];
}

/** Takes the outcome back that was placed last. */
export function takeLastBack(ranking: RankingMade): RankingMade {
  const last = ranking.at(-1);
  if (!last) return ranking;
  return last.length > 1 ? [...ranking.slice(0, -1), last.slice(0, -1)] : ranking.slice(0, -1);
}

/** From 1; ties share the first of their places. Null: not placed yet. */
export function rankOf(ranking: RankingMade, letter: string): number | null {
  const group = ranking.findIndex((one) => one.includes(letter));
  return group < 0 ? null : ranking.slice(0, group).flat().length + 1;
}
