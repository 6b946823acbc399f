import { useLayoutEffect, useRef } from 'react';

/** Held with no key but Shift, so that it is a letter or a digit. */
export const isPlain = (event: KeyboardEvent): boolean => !(event.ctrlKey || event.altKey || event.metaKey);

/**
 * Keys of an open dialog, heard wherever the focus is: it may still be outside when somebody types on quickly, or on the
 * dialog's own close button. `handle` gives true when it used the key.
 */
export function useDialogKeys(handle: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(handle);
  latest.current = handle;
  // Before it is painted: a key that is pressed at once is the dialog's, too.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (!latest.current(event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
