import type { Composition, Member } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { askableAt, bind, slotKey, truthOf } from './slots.ts';
import { valuesBeside } from './values.ts';

/**
 * The values that L0 gives and a level leaves out, so that the agent may ask for them: slots by their names, and values in L0's
 * plain text. Empty where there is no L0, or no such level. `truth`: of who asks for many members, which is the same for all.
 */
export function asksAt(
  composition: Composition,
  member: Member,
  level: InstructionLevel,
  truth: ReturnType<typeof truthOf> = truthOf(composition),
): string[] {
  const { L0: exact, [level]: text } = member.instructions;
  if (exact === undefined || text === undefined) return [];
  const slots = askableAt(member, level);
  const names = slots.map((slot) => `${slotKey(slot)} (${truth(slot) ?? 'not known'})`);
  // Values of slots are asked for by the slots' names.
  const plain = bind(exact, () => '…');
  const values = valuesBeside(plain, bind(text, truth)).map(({ said }) => said.words);
  return [...new Set([...names, ...values])];
}
