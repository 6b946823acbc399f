/** The levels in which an instruction is written, from what is asked for as it is to what is only wished (docs/compositions.md). */
export const INSTRUCTION_LEVELS = ['base', 'L0', 'L1', 'L2'] as const;
export type InstructionLevel = (typeof INSTRUCTION_LEVELS)[number];
