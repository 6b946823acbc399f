import { createContext, useContext } from 'react';
import type { NamedServices } from '../../core/compositions/laws.ts';
import type { TaskContent } from '../../core/compositions/places.ts';
import type { LawShown } from '../../schemas/api/compositions.ts';
import type { Composition } from '../../schemas/composition.ts';
import type { InstructionLevel } from '../../schemas/instruction-levels.ts';

/** Shared by all fields of the editor. */
export type Editing = {
  composition: Composition;
  /** `writing`: the field that it is written in, with its text: a word of it is one step back. */
  change: (next: Composition | ((now: Composition) => Composition), writing?: { field: string; text: string }) => void;
  /** The fault of a field, in words. */
  fault: (field: string) => string | undefined;
  /** `null`: of the composition itself, but not of one of its events. */
  lawsOf: (member: string | null, level?: InstructionLevel) => readonly LawShown[];
  lawsOfEvent: (event: string) => readonly LawShown[];
  /** Services of the recipes of its tasks, as far as they are known, with the changes that events can make. */
  services: NamedServices;
  /** Contents of its tasks, as far as they are known; asked for only where a value varies. */
  contents: ReadonlyMap<string, TaskContent>;
  /** Nothing can be kept in this workspace. */
  isLocked: boolean;
};

const context = createContext<Editing | null>(null);
export const EditingProvider = context.Provider;

export function useEditing(): Editing {
  const editing = useContext(context);
  if (!editing) throw new Error('A field of the editor stands outside of it.');
  return editing;
}
