import type { SimulatedUser } from '../../schemas/agents.ts';
import type { Composition, Member } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';
import { bind, GIVEN, slotKey, slotsIn, truthOf } from './slots.ts';
import { type SaidValue, valuesBeside } from './values.ts';

/** Words by which a value in plain text is asked for, by what it is. */
const ASKED_BY: Readonly<Record<SaidValue['kind'], readonly string[]>> = {
  time: ['time', 'when', 'clock', 'hour', 'early', 'late'],
  minutes: ['long', 'minute', 'hour', 'duration', 'early', 'before', 'after'],
  money: ['much', 'amount', 'price', 'cost', 'pay', 'money', 'sum'],
  quoted: ['text', 'called', 'call', 'name', 'title', 'word', 'label', 'message', 'write'],
  name: ['who', 'whom', 'where', 'name', 'person', 'place', 'which'],
};

/** The exact instruction with its true values, for a model that plays the user; where there is no L0, the base. */
export function exactText(composition: Composition, { instructions }: Member): string {
  const truth = truthOf(composition);
  return bind(instructions.L0 ?? instructions.base, (slot) => truth(slot) ?? '…');
}

/**
 * What the simulated user knows of a task that was told at a level: every slot of L0 by its names, and every value that L0 says in
 * plain text by what it is. A member without L0 leaves it nothing to say.
 */
export function knownOf(composition: Composition, member: Member, level: InstructionLevel): SimulatedUser['knows'] {
  const { L0: exact } = member.instructions;
  if (exact === undefined) return [];
  const text = member.instructions[level] ?? member.instructions.base;
  const truth = truthOf(composition);
  const said = new Set(slotsIn(text).map(slotKey));
  const told = bind(text, truth);
  const slots = [...new Map(slotsIn(exact).map((slot) => [slotKey(slot), slot])).values()].flatMap((slot) => {
    const value = truth(slot);
    if (value === null) return [];
    const name = slot.output.replaceAll('_', ' ');
    // `meeting.time` is the time, and the time of the meeting; given.room is the room.
    const words = slot.of === GIVEN ? [name] : [name, `${slot.of.replaceAll('_', ' ')} ${name}`];
    const kinds = valuesBeside(value, '').flatMap(({ said: { kind } }) => ASKED_BY[kind]);
    return [
      {
        words: [...words, ...kinds],
        value,
        isTold: said.has(slotKey(slot)) || (value.length > 2 && told.includes(value)),
      },
    ];
  });
  const plain = bind(exact, () => '…');
  const lacking = new Set(valuesBeside(plain, told).map((one) => one.said.words));
  const values = valuesBeside(plain, '').map(({ said: { kind, words } }) => {
    return { words: [...ASKED_BY[kind]], value: words, isTold: !lacking.has(words) };
  });
  const all = [...slots, ...values];
  return all.filter(({ value }, n) => all.findIndex((one) => one.value === value) === n);
}
