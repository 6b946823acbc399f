export type NameCount = { name: string; count: number };

const RANKS = 4;

/**
 * Names for completion (pattern 4), best first: those that begin with what was typed, then those with a word that does,
 * then those that hold it, then those that hold its letters in order; in each, those that often follow the name before
 * (`followers`), then the more used. Nothing typed: followers, then the most used. Letters' case does not matter.
 */
export function rankNames(
  vocabulary: readonly NameCount[],
  { typed = '', followers = [], limit = 9 }: { typed?: string; followers?: readonly NameCount[]; limit?: number } = {},
): NameCount[] {
  const wanted = fold(typed);
  const follows = new Map(followers.map(({ name, count }) => [name, count]));
  const known = new Set(vocabulary.map(({ name }) => name));
  const all = [...vocabulary, ...followers.filter(({ name }) => !known.has(name))];
  return all
    .map((entry) => ({ entry, rank: rankOf(fold(entry.name), wanted), follows: follows.get(entry.name) ?? 0 }))
    .filter(({ rank }) => rank < RANKS)
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        b.follows - a.follows ||
        b.entry.count - a.entry.count ||
        (a.entry.name < b.entry.name ? -1 : a.entry.name > b.entry.name ? 1 : 0),
    )
    .slice(0, limit)
    .map(({ entry }) => entry);
}

function rankOf(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0;
  const at = name.indexOf(wanted);
  if (at > 0) return words(name).some((word) => word.startsWith(wanted)) || name.includes(` ${wanted}`) ? 1 : 2;
  return hasInOrder(name, wanted) ? 3 : RANKS;
}

const words = (name: string): string[] => name.split(/[^\p{L}\p{N}]+/u);

function hasInOrder(name: string, wanted: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    const found = name.indexOf(letter, at);
    if (found < 0) return false;
    at = found + letter.length;
  }
  return true;
}

/** Without case and accents: "resume" finds "Résumé". */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
