import type { Rect } from '../../schemas/events.ts';
import { listWindows, numbers } from './windows.ts';
import { openX, x11 } from './x11.ts';

/** Finds windows by their titles and puts them somewhere, on $DISPLAY. Throws NO_DISPLAY, NO_LIBRARY. */
export function openWindows(): {
  managed(): boolean;
  find(title: string): string | null;
  /** The titles of all windows that are shown. */
  titles(): string[];
  place(id: string, to: Rect): void;
} {
  const display = openX();
  const root = x11().root(display);
  return {
    /** A window manager is there. */
    managed: () => numbers(display, root, '_NET_SUPPORTING_WM_CHECK').length > 0,
    find: (title) => listWindows(display).find((window) => window.title.includes(title))?.id ?? null,
    titles: () => listWindows(display).map(({ title }) => title),
    place(id, { x, y, width, height }) {
      x11().moveResize(display, Number(id), x, y, width, height);
      x11().sync(display, 0);
    },
  };
}
