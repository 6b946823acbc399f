import type { BrokenLaw, Composition, Member } from '../../schemas/composition.ts';
import { comesBefore } from './graph.ts';
import { broken } from './law-sentences.ts';
import { stageNameOf } from './stages.ts';

/** Files and folders that go over from the home of one member's stage to that of another (CP33, CP34). */

export type TakenPath = { from: string; path: string; to: string; isFolder: boolean };

/** Those that a member takes, each with where it is put. */
export const filesTaken = ({ takes = [] }: Pick<Member, 'takes'>): TakenPath[] =>
  takes.map(({ from, file, folder, to }) => {
    const path = file ?? folder ?? '';
    return { from, path, to: to ?? path, isFolder: file === undefined };
  });

/** One whose path an editor has not written yet is a fault of its field alone. */
const writtenPaths = (member: Member): TakenPath[] => filesTaken(member).filter(({ path }) => path !== '');

/** CP33 */
export function filesComeBefore(composition: Composition): BrokenLaw[] {
  const isBefore = comesBefore(composition);
  const there = new Set(composition.members.map(({ id }) => id));
  return composition.members.flatMap((member) => {
    const all = writtenPaths(member);
    return all.flatMap(({ from, path, to }, n): BrokenLaw[] => {
      const place = { member: member.id };
      if (!there.has(from)) return [broken('CP33', 'fileOfNobody', { file: path, from }, place)];
      if (!isBefore(from, member.id)) return [broken('CP33', 'fileTooEarly', { file: path, from }, place)];
      if (all.findIndex((one) => one.to === to) < n) return [broken('CP33', 'fileTwice', { file: to }, place)];
      const around = all.find((one) => to.startsWith(`${one.to}/`));
      return around ? [broken('CP33', 'fileInAnother', { file: to, other: around.to }, place)] : [];
    });
  });
}

/** CP34 */
export function filesGoOver(composition: Composition): BrokenLaw[] {
  const stages = new Map(composition.members.map((member) => [member.id, stageNameOf(composition, member)]));
  return composition.members.flatMap((member) =>
    writtenPaths(member)
      .filter(({ from, path, to }) => path === to && stages.get(from) === stages.get(member.id))
      .map(({ from, path }) =>
        broken('CP34', 'fileIsThere', { file: path, from }, { member: member.id, kind: 'note' }),
      ),
  );
}
