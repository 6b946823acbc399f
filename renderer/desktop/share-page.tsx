import { type ReactNode, useEffect } from 'react';
import { tr } from '../language/tr.ts';
import { usePageTitle } from '../ui/parts.tsx';
import { createSharing, type Sharing } from './share.ts';

declare global {
  interface Window {
    /** For the host, in the hidden window that shares the screen (Wayland). */
    screenSharing?: Sharing;
  }
}

/** The hidden window that shares the screen: nothing to be seen, two functions for the host. */
export function ScreenShare(): ReactNode {
  usePageTitle(tr('Screen'));
  useEffect(() => {
    window.screenSharing = createSharing();
    return () => {
      delete window.screenSharing;
    };
  }, []);
  return null;
}
