import { openX, x11 } from './x11.ts';
import { xlib } from './xlib.ts';

/** Whether DISPLAY is an X server inside a Wayland session. One that does not answer is no screen of its own either. */
export function isXwayland(): boolean {
  try {
    const display = openX();
    const found = xlib().extension(display, 'XWAYLAND') !== null;
    x11().closeDisplay(display);
    return found;
  } catch {
    return true;
  }
}
