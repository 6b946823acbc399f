/** How many two lists have in common, each as often as both have it. */
export function commonCount(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const one of a) left.set(one, (left.get(one) ?? 0) + 1);
  let common = 0;
  for (const one of b) {
    const count = left.get(one) ?? 0;
    if (count > 0) common++;
    left.set(one, count - 1);
  }
  return common;
}
