import { StudioError } from '../../schemas/errors.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import type { WindowsApi } from './api.ts';

const EFFECTIVE_DPI = 0;
const PRIMARY = 1;
const DPI_AT_100_PERCENT = 96;

/**
 * Displays left to right, then top to bottom, in physical px (the process is per-monitor DPI aware).
 * Throws NO_DISPLAY when Windows lists none (a service session, a locked-down remote session).
 */
export function readDisplays(api: WindowsApi): Display[] {
  const monitors = api.EnumDisplayMonitors().flatMap((monitor) => {
    const info = api.GetMonitorInfoW(monitor);
    if (info === null) return [];
    const { left, top, right, bottom } = info.rect;
    if (right <= left || bottom <= top) return [];
    const dpi = api.GetDpiForMonitor(monitor, EFFECTIVE_DPI)?.x ?? DPI_AT_100_PERCENT;
    return {
      name: info.device,
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      scale: dpi / DPI_AT_100_PERCENT,
      primary: (info.flags & PRIMARY) !== 0,
    };
  });
  if (monitors.length === 0) {
    throw new StudioError(
      'NO_DISPLAY',
      'Windows lists no display. Run this in the desktop session of a signed-in user, not in a service or over SSH.',
    );
  }
  return monitors.sort((a, b) => a.x - b.x || a.y - b.y).map((monitor, index) => ({ id: index + 1, ...monitor }));
}

/** SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN. */
const VIRTUAL_SCREEN = [76, 77, 78, 79] as const;

/** The rectangle around all displays, physical px. */
export function virtualScreen(api: Pick<WindowsApi, 'GetSystemMetrics'>): Rect {
  const [x, y, width, height] = VIRTUAL_SCREEN.map((index) => api.GetSystemMetrics(index)) as [
    number,
    number,
    number,
    number,
  ];
  return { x, y, width, height };
}

/**
 * ddagrab's output index of a display: DXGI lists the output with the primary desktop first, then the others by device
 * number (`\\.\DISPLAY2`). Outputs of a second graphics card are not reachable so; the sync check (C4) finds that out.
 */
export function dxgiOutput(display: Display, displays: readonly Display[]): number {
  const number = ({ name }: Display): number => Number(/(\d+)$/.exec(name)?.[1] ?? 0);
  const inOrder = [...displays].sort((a, b) => Number(b.primary) - Number(a.primary) || number(a) - number(b));
  return Math.max(
    0,
    inOrder.findIndex(({ id }) => id === display.id),
  );
}
