import type { BrokenLaw, Composition, Member } from '../../schemas/composition.ts';
import { comesBefore } from './graph.ts';
import { broken } from './law-sentences.ts';
import { stageNameOf } from './stages.ts';

/** Files that go over from the home of one member's stage to that of another (CP33, CP34). */

type TakenFile = { from: string; file: string; to: string };

/** Those that a member takes, each with where it is put. */
export const filesTaken = ({ takes = [] }: Pick<Member, 'takes'>): TakenFile[] =>
  takes.map(({ from, file, to = file }) => ({ from, file, to }));

/** CP33 */
export function filesComeBefore(composition: Composition): BrokenLaw[] {
  const isBefore = comesBefore(composition);
  const there = new Set(composition.members.map(({ id }) => id));
  return composition.members.flatMap((member) =>
    filesTaken(member).flatMap(({ from, file }, n): BrokenLaw[] => {
      const place = { member: member.id };
      if (!there.has(from)) return [broken('CP33', 'fileOfNobody', { file, from }, place)];
      if (!isBefore(from, member.id)) return [broken('CP33', 'fileTooEarly', { file, from }, place)];
      const { to } = filesTaken(member)[n] ?? { to: file };
      const first = filesTaken(member).findIndex((one) => one.to === to);
      return first < n ? [broken('CP33', 'fileTwice', { file: to }, place)] : [];
    }),
  );
}

/** CP34 */
export function filesGoOver(composition: Composition): BrokenLaw[] {
  const stages = new Map(composition.members.map((member) => [member.id, stageNameOf(composition, member)]));
  return composition.members.flatMap((member) =>
    filesTaken(member)
      .filter(({ from, file, to }) => file === to && stages.get(from) === stages.get(member.id))
      .map(({ from, file }) => broken('CP34', 'fileIsThere', { file, from }, { member: member.id, kind: 'note' })),
  );
}
