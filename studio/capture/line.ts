import type { LineFile } from './append.ts';
import type { GateItem } from './gate.ts';

/** A key as far as withholding goes. `id`: the physical key. */
export type KeyStroke = { id: string; down: boolean; kind: 'letter' | 'modifier' | 'named' | 'chord' };

/** A line on its way through the gate. */
export type Line = GateItem & {
  file: LineFile;
  line: Record<string, unknown>;
  isInput: boolean;
  /** The key's. */
  stroke?: KeyStroke;
  /** Makes the line when it may be written; null: it is not. */
  make?: () => Record<string, unknown> | null;
  /** For a line that names others: they get their numbers when they are written. */
  names?: readonly Line[];
  /** Its number in the file; null until it is written, and for ever when it is not. */
  number: number | null;
};
