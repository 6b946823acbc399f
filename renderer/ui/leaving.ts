import { useEffect, useRef } from 'react';
import type { AroundNavHandler } from 'wouter';

/** Leaving a page that holds what is not stored yet: it is asked first, whichever link or key leads away. */

type Ask = (go: () => void) => void;
let asking: Ask | null = null;

/** For the router: every way from one page to another that the pages themselves take. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const go = (): void => navigate(to, options);
  if (asking === null || to.split(/[?#]/)[0] === window.location.pathname) go();
  else asking(go);
};

/** Goes without being asked: it was just decided. */
export function leaveNow(go: () => void): void {
  asking = null;
  go();
}

/**
 * While `unsaved`, `ask` is called instead of leaving, with the way to go after all; the browser asks by itself before it closes
 * or loads the page. Its own way back cannot be held up: what is unsaved must outlive the page's being hidden.
 */
export function useAskBeforeLeaving(unsaved: boolean, ask: Ask): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!unsaved) return;
    const own: Ask = (go) => latest.current(go);
    asking = own;
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => {
      if (asking === own) asking = null;
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [unsaved]);
}
