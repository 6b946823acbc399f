import { StudioError } from '../../schemas/errors.ts';
import type { DesktopWatch } from './desktop-watch.ts';
import type { CaptureOrder } from './protocol.ts';

const XWAYLAND =
  'This is a Wayland session, which shows this program neither the screen nor the input of others: the recording would be black. ' +
  'Log in to an X11 session ("Xorg" on the login screen), or record with the desktop app, which asks the system for the screen.';
const FRONT_UNKNOWN =
  'A Wayland session does not tell which window is in front, so nothing can be left out by its name: what was to be left out would be recorded. ' +
  'Record without --exclude and --only (the privacy shortcut pauses), or log in to an X11 session.';
const WINDOWS_UNKNOWN =
  'A Wayland session does not tell where windows are. Record a display (--display) or a rectangle of it (--region), or log in to an X11 session.';

/** Throws where the order needs what this system does not show. `watching`: something is to be left out by its name. */
export function refuseUnseen(
  ready: Pick<DesktopWatch['ready'], 'xwayland' | 'knowsFront'>,
  order: Pick<CaptureOrder, 'outside' | 'target'>,
  watching: boolean,
): void {
  if (ready.xwayland && !order.outside) throw new StudioError('UNSUPPORTED_PLATFORM', XWAYLAND, {});
  if (ready.knowsFront) return;
  if (watching) throw new StudioError('UNSUPPORTED_PLATFORM', FRONT_UNKNOWN, {});
  if (order.target.kind !== 'window') return;
  throw new StudioError('UNKNOWN_WINDOW', WINDOWS_UNKNOWN, { title: order.target.title });
}
