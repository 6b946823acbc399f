import type { StageWindows } from '../platform/stage-display.ts';
import { clientMessage } from './client-message.ts';
import { rootSize } from './displays.ts';
import { attributesOf, boundsOf, listWindows, nameOf, numbers } from './windows.ts';
import { openX, type XDisplay, x11 } from './x11.ts';

/** The events that reach a window manager. */
const TO_MANAGER = (1 << 19) | (1 << 20);

/** Finds windows by their titles and puts them somewhere, on $DISPLAY. Throws NO_DISPLAY, NO_LIBRARY. */
export function openWindows(): StageWindows {
  const display = openX();
  const root = x11().root(display);
  return {
    managed: () => numbers(display, root, '_NET_SUPPORTING_WM_CHECK').length > 0,
    find: (title) => listWindows(display).find((window) => window.title.includes(title))?.id ?? null,
    titles: () => listWindows(display).map(({ title }) => title),
    titleAt: (x, y) => titleAt(display, root, x, y),
    list: () => listShown(display),
    screen: () => ({ x: 0, y: 0, ...rootSize(display) }),
    place(id, { x, y, width, height }) {
      takeBack(display, root, Number(id));
      x11().moveResize(display, Number(id), x, y, width, height);
      x11().sync(display, 0);
    },
    raise(id) {
      // By a pager, which window managers follow at any time (EWMH).
      const message = clientMessage(Number(id), x11().atom(display, '_NET_ACTIVE_WINDOW', 0), [2, 0, 0]);
      x11().sendEvent(display, root, 0, TO_MANAGER, message);
      x11().sync(display, 0);
    },
    bounds: (id) => boundsOf(display, Number(id)),
  };
}

function listShown(display: XDisplay): ReturnType<StageWindows['list']> {
  return listWindows(display).flatMap(({ id, title, app, bounds }) => {
    if (!bounds || !attributesOf(display, Number(id))?.isViewable) return [];
    // The window manager's word (EWMH): left, right, top, bottom.
    const [left = 0, right = 0, top = 0, bottom = 0] = numbers(display, Number(id), '_NET_FRAME_EXTENTS');
    const { x, y, width, height } = bounds;
    const frame = { x: x - left, y: y - top, width: width + left + right, height: height + top + bottom };
    return [{ title, app, bounds, frame }];
  });
}

/** Windows are in windows; what a person sees is at most a few below the root. */
const MOST_NESTED = 8;

function titleAt(display: XDisplay, root: number, x: number, y: number): string | null {
  for (let depth = 0, window = root; depth < MOST_NESTED; depth++) {
    const child = [0];
    if (x11().translate(display, root, window, x, y, [0], [0], child) === 0 || !child[0]) break;
    window = child[0];
    const { title } = nameOf(display, window);
    if (title !== '') return title;
  }
  return null;
}

/** A window that is as large as the screen stays so, wherever it is put: the window manager is asked to take that back (EWMH). */
function takeBack(display: XDisplay, root: number, window: number): void {
  const atom = (name: string): number => x11().atom(display, name, 0);
  const [remove, byPager] = [0, 2];
  const words = [remove, atom('_NET_WM_STATE_MAXIMIZED_VERT'), atom('_NET_WM_STATE_MAXIMIZED_HORZ'), byPager];
  x11().sendEvent(display, root, 0, TO_MANAGER, clientMessage(window, atom('_NET_WM_STATE'), words));
}
