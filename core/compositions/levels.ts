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

/** The level that follows; or why none does: never the nearest one. */
export function levelWanted(
  composition: Pick<Composition, 'members'>,
): { level: 1 | 2 | 3; counts: string } | { why: string } {
  const [members, apps] = [composition.members.length, appsOf(composition).length];
  const counts = `${members === 1 ? '1 member' : `${members} members`}, ${apps === 1 ? '1 application' : `${apps} applications`}`;
  const within = (n: number, [least, most]: readonly [number, number]): boolean => n >= least && n <= most;
  const rule = LEVEL_RULES.find((one) => within(members, one.members) && within(apps, one.apps));
  if (rule) return { level: rule.level, counts };
  const rules = LEVEL_RULES.map((one) => `${one.level}: ${one.members.join(' to ')} and ${one.apps.join(' to ')}`);
  return {
    why: `It is of no level with ${counts}. Levels have so many members and applications: ${rules.join('; ')}.`,
  };
}
