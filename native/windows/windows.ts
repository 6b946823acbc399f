import type { Rect } from '../../schemas/events.ts';
import type { DesktopWindow } from '../platform/platform.ts';
import type { WindowsApi } from './api.ts';
import type { Handle, WinRect } from './api-types.ts';

const GWL_EXSTYLE = -20;
const WS_EX_TOOLWINDOW = 0x80;
/** Store apps are shown inside a window of this class, which belongs to another program. */
const APP_FRAME = 'ApplicationFrameWindow';
const APP_CONTENT = 'Windows.UI.Core.CoreWindow';

/** Windows and the one in front, through user32 and dwmapi. Bounds are physical px (the process is DPI aware). */
export function windowsOf(api: WindowsApi): {
  windows(): DesktopWindow[];
  activeWindow(): DesktopWindow | null;
  describe(window: Handle): DesktopWindow;
} {
  const names = new Map<string, string>();
  /** The program's own name for itself, else its file's name without `.exe`. */
  const programName = (pid: number): string => {
    const path = api.processPath(pid);
    if (path === '') return '';
    let name = names.get(path);
    if (name === undefined) {
      const file = path.slice(path.lastIndexOf('\\') + 1).replace(/\.exe$/i, '');
      name = api.fileDescription(path).trim() || file;
      names.set(path, name);
    }
    return name;
  };
  const describe = (window: Handle): DesktopWindow => {
    const content = api.GetClassNameW(window) === APP_FRAME ? api.FindWindowExW(window, APP_CONTENT) : 0n;
    const { pid } = api.GetWindowThreadProcessId(content === 0n ? window : content);
    return {
      id: `0x${window.toString(16)}`,
      title: api.GetWindowTextW(window),
      app: programName(pid),
      pid,
      bounds: boundsOf(api, window),
    };
  };
  return {
    describe,
    windows: () =>
      api
        .EnumWindows()
        .filter((window) => isForPeople(api, window))
        .map(describe),
    activeWindow: () => {
      const window = api.GetForegroundWindow();
      // Gone between the two questions: no window then.
      return window === 0n || api.GetWindowThreadProcessId(window).pid === 0 ? null : describe(window);
    },
  };
}

/** A window that a person could choose: on the screen, with a title, and no floating palette. */
function isForPeople(api: WindowsApi, window: Handle): boolean {
  return (
    api.IsWindowVisible(window) &&
    !api.isCloaked(window) &&
    (api.GetWindowLongW(window, GWL_EXSTYLE) & WS_EX_TOOLWINDOW) === 0 &&
    api.GetWindowTextW(window) !== ''
  );
}

function boundsOf(api: WindowsApi, window: Handle): Rect | null {
  if (api.IsIconic(window)) return null;
  const rect: WinRect | null = api.frameBounds(window) ?? api.GetWindowRect(window);
  if (rect === null || rect.right <= rect.left || rect.bottom <= rect.top) return null;
  return { x: rect.left, y: rect.top, width: rect.right - rect.left, height: rect.bottom - rect.top };
}
