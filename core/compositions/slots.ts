import type { Composition, Member, MemberOutput } from '../../schemas/composition.ts';
import { INSTRUCTION_LEVELS, type InstructionLevel } from '../../schemas/instruction-levels.ts';

/** Slots of texts, `{{meeting.time}}`: the output `time` of the member `meeting`, or of `given`, what is known before the first. */

const SLOT = /\{\{\s*([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\s*\}\}/g;
/** Text in double braces whose name is no slot's. */
const ODD = /\{\{(?!\s*[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\s*\}\})[^}]{0,80}\}?\}?/g;
export const GIVEN = 'given';

export type TextSlot = { of: string; output: string };

export const slotsIn = (text: string): TextSlot[] =>
  [...text.matchAll(SLOT)].map(([, of = '', output = '']) => ({ of, output }));

export const oddSlotsIn = (text: string): string[] => [...text.matchAll(ODD)].map(([odd]) => odd);

/** The texts of a member's levels, as far as they are written. */
export const levelsOf = ({ instructions }: Pick<Member, 'instructions'>): [InstructionLevel, string][] =>
  INSTRUCTION_LEVELS.flatMap((level): [InstructionLevel, string][] => {
    const text = instructions[level];
    return text === undefined ? [] : [[level, text]];
  });

/** `{{…}}` of the same name written twice is one slot. */
export const slotKey = ({ of, output }: TextSlot): string => `${of}.${output}`;

export function slotsOfMember(member: Pick<Member, 'instructions'>): Map<string, TextSlot> {
  const all = levelsOf(member).flatMap(([, text]) => slotsIn(text));
  return new Map(all.map((slot) => [slotKey(slot), slot]));
}

/** Fills slots; one without a value stays as it is. */
export const bind = (text: string, values: (slot: TextSlot) => string | null): string =>
  text.replaceAll(SLOT, (whole, of: string, output: string) => values({ of, output }) ?? whole);

/** A text in pieces: what is written, and its slots by their names. Together they are the text. */
export function textPieces(text: string): { text: string; slot: string | null }[] {
  const pieces: { text: string; slot: string | null }[] = [];
  let at = 0;
  for (const found of text.matchAll(SLOT)) {
    const [whole, of = '', output = ''] = found;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), slot: null });
    pieces.push({ text: whole, slot: slotKey({ of, output }) });
    at = found.index + whole.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), slot: null });
  return pieces;
}

export const wordsOfValue = (value: MemberOutput['value']): string =>
  Array.isArray(value) ? value.join(', ') : String(value);

/** The values that slots have when everything before was done right. */
export function truthOf({
  members,
  context,
}: Pick<Composition, 'members' | 'context'>): (slot: TextSlot) => string | null {
  const known = new Map(context.given.map(({ name, value }) => [slotKey({ of: GIVEN, output: name }), value]));
  for (const { id, outputs } of members)
    for (const { name, value } of outputs) known.set(slotKey({ of: id, output: name }), wordsOfValue(value));
  return (slot) => known.get(slotKey(slot)) ?? null;
}

/** The slots of L0 that a level leaves out: the simulated user may be asked for them. */
export function askableAt(member: Pick<Member, 'instructions'>, level: InstructionLevel): TextSlot[] {
  const said = new Set(slotsIn(member.instructions[level] ?? '').map(slotKey));
  const all = new Map(slotsIn(member.instructions.L0 ?? '').map((slot) => [slotKey(slot), slot]));
  return [...all].filter(([key]) => !said.has(key)).map(([, slot]) => slot);
}
