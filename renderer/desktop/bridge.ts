import type { DesktopBridge } from '../../schemas/desktop.ts';

declare global {
  interface Window {
    /** Put there by the desktop app's preload script. */
    desktop?: DesktopBridge;
  }
}

/** The functions that the desktop app adds; null in a browser. */
export const desktop: DesktopBridge | null = typeof window === 'undefined' ? null : (window.desktop ?? null);
