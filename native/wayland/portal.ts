import { StudioError } from '../../schemas/errors.ts';
import { type Bus, BusError } from '../bus/gio.ts';
import { member, quote, type Variant } from '../bus/gvariant.ts';

/**
 * The ScreenCast portal (org.freedesktop.portal.ScreenCast): asks the person which screen this program may see, and hands
 * over a connection to PipeWire on which that screen is. What was allowed once is kept by a token, so that nobody is asked
 * a second time.
 */
export type SharedScreen = {
  /** A connection to PipeWire; the caller's. */
  fd: number;
  node: number;
  /** The screen's place among the displays and its size, in the desktop's own (logical) pixels; null: not said. */
  position: { x: number; y: number } | null;
  size: { width: number; height: number } | null;
  /** Allows the same screen again without a question; null: the desktop gives none. */
  token: string | null;
};

const NAME = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const FACE = 'org.freedesktop.portal.ScreenCast';
const PORTAL = { name: NAME, path: PATH, face: FACE };
const REQUEST = 'org.freedesktop.portal.Request';
const SESSION = 'org.freedesktop.portal.Session';
const PROPERTIES = { name: NAME, path: PATH, face: 'org.freedesktop.DBus.Properties' };

const MONITOR = 1;
const CURSOR_METADATA = 4;
/** "Permissions persist until explicitly revoked." */
const UNTIL_REVOKED = 2;
/** Since this version of the interface a screen can be allowed for good. */
const PERSISTS_SINCE = 4;
const CANCELLED = 1;

export const NO_PORTAL =
  'This desktop has no ScreenCast portal, by which a Wayland session shows its screen. Install and start it: xdg-desktop-portal with the one of your desktop (xdg-desktop-portal-gnome, -kde, -wlr), log out and in again. Or log in to an X11 session.';
const REFUSED =
  "The screen was not shared: the system's question was answered with no, or closed. Record again and share the display that is to be recorded.";

const FAILED =
  'The desktop could not share its screen, although nobody refused it. Is PipeWire running (systemctl --user status pipewire wireplumber)? Start it, or log out and in again, and record again.';

type Asking = {
  bus: Bus;
  /** The person's earlier permission. */
  token: string | null;
  /** Waits a little; false: nobody wants the screen any more. */
  wait(): boolean;
  /** The person ended the sharing by the desktop's own means. */
  onClosed(): void;
};

/** Whether there is a portal, and which version; null: none. Starts it where it can be started. */
export function portalVersion(bus: Bus): number | null {
  try {
    const [version] = bus.call(PROPERTIES, 'Get', `(${quote(FACE)}, 'version')`).value;
    return typeof version === 'number' ? version : null;
  } catch (error) {
    if (error instanceof BusError) return null;
    throw error;
  }
}

/** The cursor's modes that the portal offers: 1 hidden, 2 in the pictures, 4 beside them. */
function cursorModes(bus: Bus): number {
  const [modes] = bus.call(PROPERTIES, 'Get', `(${quote(FACE)}, 'AvailableCursorModes')`).value;
  return typeof modes === 'number' ? modes : 0;
}

/**
 * Asks for a screen and waits for the answer, as long as `wait` says. Throws NO_PERMISSION (denied or cancelled),
 * UNSUPPORTED_PLATFORM (no portal), CAPTURE_FAILED; CANCELLED when it was no longer wanted.
 */
export function shareScreen(asking: Asking): SharedScreen {
  const { bus, token } = asking;
  const version = portalVersion(bus);
  if (version === null) throw new StudioError('UNSUPPORTED_PLATFORM', NO_PORTAL, {});
  if (!(cursorModes(bus) & CURSOR_METADATA))
    throw new StudioError(
      'UNSUPPORTED_PLATFORM',
      'The desktop cannot say where the pointer is without drawing it into the pictures (its ScreenCast portal has no cursor mode "metadata"). Update the desktop, or log in to an X11 session.',
      {},
    );
  try {
    return share(asking, version, token);
  } catch (error) {
    if (!(error instanceof BusError)) throw error;
    throw new StudioError('CAPTURE_FAILED', `The desktop did not share its screen: ${error.message}`, {
      name: error.name,
    });
  }
}

function share(asking: Asking, version: number, token: string | null): SharedScreen {
  const { bus } = asking;
  const mayPersist = version >= PERSISTS_SINCE;
  const opened = request(asking, 'CreateSession', (handle) => [
    `'handle_token': <${quote(handle)}>, 'session_handle_token': <${quote(`${handle}s`)}>`,
  ]);
  const session = opened.session_handle;
  if (typeof session !== 'string') throw new BusError('', 'it gave no session');
  bus.subscribe({ sender: NAME, path: session, face: SESSION, member: 'Closed' }, asking.onClosed);
  const at = `objectpath ${quote(session)}`;
  const kept = mayPersist
    ? `, 'persist_mode': <uint32 ${UNTIL_REVOKED}>${token === null ? '' : `, 'restore_token': <${quote(token)}>`}`
    : '';
  request(asking, 'SelectSources', (handle) => [
    `'handle_token': <${quote(handle)}>, 'types': <uint32 ${MONITOR}>, 'multiple': <false>, 'cursor_mode': <uint32 ${CURSOR_METADATA}>${kept}`,
    at,
  ]);
  const started = request(asking, 'Start', (handle) => [`'handle_token': <${quote(handle)}>`, at, "''"]);
  const streams = started.streams;
  const [stream] = Array.isArray(streams) ? streams : [];
  const [node, about] = Array.isArray(stream) ? stream : [];
  if (typeof node !== 'number') throw new BusError('', 'it named no picture');
  const { fds } = bus.call(PORTAL, 'OpenPipeWireRemote', `(${at}, @a{sv} {})`);
  const [fd] = fds;
  if (fd === undefined) throw new BusError('', 'it gave no connection to PipeWire');
  const place = pair(member(about, 'position'));
  const size = pair(member(about, 'size'));
  return {
    fd,
    node,
    position: place && { x: place[0], y: place[1] },
    size: size && { width: size[0], height: size[1] },
    token: typeof started.restore_token === 'string' ? started.restore_token : null,
  };
}

function pair(value: Variant | undefined): [number, number] | null {
  if (!Array.isArray(value)) return null;
  const [a, b] = value;
  return typeof a === 'number' && typeof b === 'number' ? [a, b] : null;
}

let requests = 0;

/** One request and its response. `args` gives the options' entries, then what comes before them. */
function request(
  asking: Asking,
  method: string,
  args: (handle: string) => [string, ...string[]],
): { [key: string]: Variant } {
  const { bus, wait } = asking;
  const handle = `studio${process.pid}n${requests++}`;
  // Known beforehand, so that a response that comes at once is not missed.
  const path = `${PATH}/request/${bus.name.slice(1).replaceAll('.', '_')}/${handle}`;
  let response: Variant[] | null = null;
  const done = bus.subscribe({ sender: NAME, path, face: REQUEST, member: 'Response' }, (value) => {
    response = value;
  });
  try {
    const [options, ...before] = args(handle);
    // A tuple of one ends with a comma, no other does.
    bus.call(PORTAL, method, `(${[...before, `{${options}}`].join(', ')}${before.length === 0 ? ',' : ''})`);
    const answer = (): Variant[] | null => response;
    for (bus.turn(); answer() === null; bus.turn()) {
      if (!wait()) throw new StudioError('CANCELLED', 'The recording was stopped before the screen was shared.', {});
      if (!bus.isOpen()) throw new BusError('', 'the session bus is gone');
    }
    const [status, results] = answer() ?? [];
    if (status === CANCELLED) throw new StudioError('NO_PERMISSION', REFUSED, {});
    if (status !== 0)
      throw new StudioError('CAPTURE_FAILED', `${FAILED} (${method} ended with status ${String(status)}.)`, { method });
    return results !== null && typeof results === 'object' && !Array.isArray(results) ? results : {};
  } finally {
    done();
  }
}
