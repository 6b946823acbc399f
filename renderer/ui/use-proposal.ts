import { type RefObject, useLayoutEffect } from 'react';

/**
 * A text that is proposed for a field some time after the field was shown. Where the person is in the field by then it is
 * selected, so that what they type takes its place, as if it had been there from the beginning. Once they typed, nothing is done.
 */
export function useProposal(
  field: RefObject<HTMLInputElement | null>,
  proposed: string | undefined,
  typed: boolean,
): void {
  useLayoutEffect(() => {
    const shown = field.current;
    if (proposed !== undefined && !typed && shown !== null && document.activeElement === shown) shown.select();
  }, [field, proposed, typed]);
}
