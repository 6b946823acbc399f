import type { Composition, CompositionStage, Member } from '../../schemas/composition.ts';
import type { MemberResult } from '../../schemas/composition-run.ts';
import { STAGE_PLATFORM } from '../../schemas/composition-terms.ts';

/** The stages of a composition (CP30 to CP32): which member is done where, and with which homes a run is gone on with. */

/** The stage of a composition that names none. */
const ONLY_STAGE: CompositionStage = { name: 'stage', platform: STAGE_PLATFORM };

/** Those that it declares; the only one, where it declares none. */
export const stagesOf = ({ stages }: Pick<Composition, 'stages'>): readonly CompositionStage[] =>
  stages === undefined || stages.length === 0 ? [ONLY_STAGE] : stages;

/** The name of the stage that a member is done on, or that an event happens on: the first, where it names none. */
export const stageNameOf = (composition: Pick<Composition, 'stages'>, { stage }: Pick<Member, 'stage'>): string =>
  stage ?? stagesOf(composition)[0]?.name ?? ONLY_STAGE.name;

/** Those that these members are done on, in the order in which they are declared. */
export function stagesNeeded(composition: Pick<Composition, 'stages' | 'members'>, order: readonly string[]): string[] {
  const used = new Set(
    composition.members.filter(({ id }) => order.includes(id)).map((member) => stageNameOf(composition, member)),
  );
  return stagesOf(composition).flatMap(({ name }) => (used.has(name) ? [name] : []));
}

/** The copy of a stage's home as it was after these results; null: none was made of it, so that it begins anew. */
export function copyAfter(results: readonly Pick<MemberResult, 'copy' | 'copies'>[], stage: string): string | null {
  const one = results.findLast(({ copy, copies }) =>
    copies === undefined ? copy !== null : copies[stage] !== undefined,
  );
  return one?.copies === undefined ? (one?.copy ?? null) : (one.copies[stage] ?? null);
}

/** The values of earlier members, on other stages, that a member is told: what is handed over to its stage (CP32). */
export function handedOver(
  composition: Pick<Composition, 'stages' | 'members'>,
  member: Member,
  slots: readonly { of: string; output: string }[],
): { of: string; output: string; from: string }[] {
  const here = stageNameOf(composition, member);
  return slots.flatMap(({ of, output }) => {
    const source = composition.members.find(({ id }) => id === of);
    const from = source && stageNameOf(composition, source);
    return from === undefined || from === here ? [] : [{ of, output, from }];
  });
}
