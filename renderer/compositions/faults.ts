import { type CompositionFault, faultsIn } from '../../core/compositions/faults.ts';
import type { Composition } from '../../schemas/composition.ts';
import { tr } from '../language/tr.ts';

/** Why a composition cannot be saved, in words, by the field. `isEmpty`: it is not written yet. */
export type Faults = ReadonlyMap<string, { words: string; isEmpty: boolean }>;

export const faultsOf = (composition: Composition): Faults =>
  new Map(
    faultsIn(composition).map((fault) => [fault.field, { words: wordsOf(fault), isEmpty: fault.kind === 'empty' }]),
  );

function wordsOf({ field, kind, most, least }: CompositionFault): string {
  if (field === 'members' && kind === 'empty') return tr('Add a task: a composition has at least one.');
  switch (kind) {
    case 'empty':
      return tr('Write something here.');
    case 'long':
      return tr('At most {most, number} characters.', { most });
    case 'many':
      return tr('At most {most, number} of them.', { most });
    case 'name':
      return tr('Small letters, digits and “_”, a letter first.');
    case 'time':
      return tr('A time, such as 08:50.');
    case 'date':
      return tr('A date, such as 2026-11-30.');
    case 'number':
      return tr('A number.');
    case 'whole':
      return tr('A whole number from {least, number} to {most, number}.', { least, most });
    case 'line':
      return tr('One line of text.');
    case 'path':
      return tr('A path in the home, such as Downloads/a.txt.');
  }
}

/** The row of the editor that a field belongs to: 0 is the composition itself, then its members, then its events. */
export function rowAtFault(field: string, { members, edges }: Pick<Composition, 'members' | 'edges'>): number {
  const [part, at] = field.split('.');
  if (at === undefined) return 0;
  if (part === 'events') return members.length + Number(at) + 1;
  if (part === 'members') return Number(at) + 1;
  return part === 'edges' ? members.findIndex(({ id }) => id === edges[Number(at)]?.to) + 1 : 0;
}
