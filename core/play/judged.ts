/** A score with its reason. */
export type Graded = { score: number; why: string };

export const yes = (why: string): Graded => ({ score: 1, why });
export const no = (why: string): Graded => ({ score: 0, why });

/** A value as a message shows it: short, on one line; where its own lines end stands a sign. */
export function inQuotes(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value !== 'string') return typeof value === 'object' ? 'a list or an object' : String(value);
  const line = value.slice(0, 200).replaceAll(/\r?\n/g, '⏎').replaceAll(/\s+/g, ' ');
  return `“${line.length > 80 ? `${line.slice(0, 80)}…` : line}”`;
}
