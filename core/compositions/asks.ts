import type { Composition, InstructionLevel, Member } from '../../schemas/composition.ts';
import { askableAt, bind, slotKey, truthOf } from './slots.ts';
import { valuesBeside } from './values.ts';

/**
 * What a level leaves out of what L0 says, which whoever does the task may ask for: its slots by their names, and values that stand
 * in its plain text. Empty where there is no L0, or no such level.
 */
export function asksAt(composition: Composition, member: Member, level: InstructionLevel): string[] {
  const { L0: exact, [level]: text } = member.instructions;
  if (exact === undefined || text === undefined) return [];
  const truth = truthOf(composition);
  const slots = askableAt(member, level);
  const names = slots.map((slot) => `${slotKey(slot)} (${truth(slot) ?? 'not known'})`);
  // What slots say is asked for by their names.
  const plain = bind(exact, () => '…');
  const values = valuesBeside(plain, bind(text, truth)).map(({ said }) => said.words);
  return [...new Set([...names, ...values])];
}
