import { createRequire } from 'node:module';
import type { WindowInfo } from '@miniben90/x-win';
import type { Rect } from '../../schemas/events.ts';
import type { DesktopWindow } from '../platform/platform.ts';

/** The two functions of x-win that are used, on macOS alone: Windows and X11 are asked directly. */
export type WindowLister = {
  activeWindow(): Pick<WindowInfo, 'id' | 'title' | 'position' | 'info'>;
  openWindows(): Pick<WindowInfo, 'id' | 'title' | 'position' | 'info'>[];
};

let lister: WindowLister | null = null;
/** Loads x-win at its first use. */
function xWin(): WindowLister {
  // require gives what the package's types say.
  lister ??= createRequire(import.meta.url)('@miniben90/x-win') as WindowLister;
  return lister;
}

/** A window as x-win describes it; `toPhysical` turns its rectangle into physical px. Null when it is no window. */
export function desktopWindow(
  info: ReturnType<WindowLister['activeWindow']>,
  toPhysical: (rect: Rect) => Rect,
): DesktopWindow | null {
  const { id, title, position, info: owner } = info;
  // x-win answers with id 0 when there is no active window.
  if (id === 0) return null;
  const { x, y, width, height } = position;
  const bounds = width > 0 && height > 0 ? toPhysical({ x, y, width, height }) : null;
  return { id: String(id), title, app: owner.name || owner.execName, pid: owner.processId, bounds };
}

/** The active window and all windows through x-win; what it throws counts as none. */
export function windowReader(
  toPhysical: (rect: Rect) => Rect,
  list: () => WindowLister = xWin,
): { windows(): DesktopWindow[]; activeWindow(): DesktopWindow | null } {
  return {
    windows: () => {
      try {
        return list()
          .openWindows()
          .flatMap((info) => desktopWindow(info, toPhysical) ?? []);
      } catch {
        return [];
      }
    },
    activeWindow: () => {
      try {
        return desktopWindow(list().activeWindow(), toPhysical);
      } catch {
        return null;
      }
    },
  };
}
