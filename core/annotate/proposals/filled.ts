import type { Proposal } from '../../../schemas/annotation.ts';
import type { StepView } from '../view.ts';

/**
 * What stands filled in on a step of which nobody has said anything: the recorded element, where its program told both a name
 * and a box. Confirming the step takes it. What is only guessed is not filled in.
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
