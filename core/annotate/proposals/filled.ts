import type { Proposal } from '../../../schemas/annotation.ts';
import type { StepView } from '../view.ts';

/**
 * The recorded element with which an untouched step is filled in, where its program told both a name and a box. Confirming the
 * step takes it. Guesses are not filled in.
 */
export function filledIn(
  { label, target, state }: Pick<StepView, 'label' | 'target' | 'state'>,
  proposals: readonly Proposal[] | undefined,
): Proposal | null {
  const first = proposals?.[0];
  if (first?.source !== 'accessibility' || first.name === null || first.box === null) return null;
  const isOpen = state !== 'done' && state !== 'removed';
  return isOpen && target === null && (label?.element ?? null) === null ? first : null;
}
