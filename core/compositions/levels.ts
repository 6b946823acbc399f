import type { Composition } from '../../schemas/composition.ts';

/** The level of a pathway, by its members and applications (naturalgaia.txt 3 and D.3, table 5; CP8). */

type Rule = { level: 1 | 2 | 3; members: readonly [number, number]; apps: readonly [number, number] };
export const LEVEL_RULES: readonly Rule[] = [
  { level: 1, members: [1, 2], apps: [1, 2] },
  { level: 2, members: [3, 4], apps: [2, 5] },
  { level: 3, members: [5, 7], apps: [3, 7] },
];

/** Different applications of a pathway on the platform on which it needs most of them. */
export function appsOf({ members }: Pick<Composition, 'members'>): string[] {
  const platforms = new Set(members.flatMap(({ apps }) => Object.keys(apps)));
  const all = [...platforms].map((platform) => [...new Set(members.flatMap(({ apps }) => apps[platform] ?? []))]);
  return all.sort((a, b) => b.length - a.length)[0] ?? [];
}

/** The rules as a law says them, in no language: `1: 1–2, 1–2` are the members and the applications of level 1. */
export const LEVEL_RULES_TEXT = LEVEL_RULES.map(
  ({ level, members, apps }) => `${level}: ${members.join('–')}, ${apps.join('–')}`,
).join('; ');

/** The level that follows from so many members and applications; null where none does: never the nearest one. */
export function levelWanted(composition: Pick<Composition, 'members'>): {
  level: 1 | 2 | 3 | null;
  members: number;
  apps: number;
} {
  const [members, apps] = [composition.members.length, appsOf(composition).length];
  const within = (n: number, [least, most]: readonly [number, number]): boolean => n >= least && n <= most;
  const rule = LEVEL_RULES.find((one) => within(members, one.members) && within(apps, one.apps));
  return { level: rule?.level ?? null, members, apps };
}
