import type { HostDisplay, Rect } from './api.ts';

/** A display in DIP, as windows are placed, and in px of the virtual desktop, as recordings are (A13). */
export type Screen = { dip: Rect; workArea: Rect; px: Rect; scale: number };

/**
 * Every display in both measures. Windows converts by itself (`toPx`); X11 says the origin in px; macOS has no desktop in
 * px, so its origin is that in points times the largest scale, as native/macos/displays.ts has it.
 */
export function screensOf(displays: readonly HostDisplay[], platform: string, toPx: (dip: Rect) => Rect): Screen[] {
  const largest = Math.max(1, ...displays.map(({ scaleFactor }) => scaleFactor));
  return displays.map(({ bounds, workArea, scaleFactor, nativeOrigin }) => {
    const size = { width: Math.round(bounds.width * scaleFactor), height: Math.round(bounds.height * scaleFactor) };
    const px =
      platform === 'win32'
        ? toPx(bounds)
        : platform === 'darwin'
          ? { x: Math.round(bounds.x * largest), y: Math.round(bounds.y * largest), ...size }
          : { x: nativeOrigin.x, y: nativeOrigin.y, ...size };
    return { dip: bounds, workArea, px, scale: scaleFactor };
  });
}

export function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

const inside = (inner: Rect, outer: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** The screen that shows most of a rectangle; the first when none shows any of it. */
function screenOf(rect: Rect, screens: readonly Screen[], measure: 'px' | 'dip'): Screen | undefined {
  let best = screens[0];
  let most = 0;
  for (const screen of screens) {
    const area = overlap(rect, screen[measure]);
    if (area > most) [best, most] = [screen, area];
  }
  return best;
}

/** A rectangle of the virtual desktop in px as DIP, by the display that shows most of it. */
export function toDip(rect: Rect, screens: readonly Screen[]): Rect {
  const screen = screenOf(rect, screens, 'px');
  if (!screen) return rect;
  const { dip, px, scale } = screen;
  return {
    x: Math.round(dip.x + (rect.x - px.x) / scale),
    y: Math.round(dip.y + (rect.y - px.y) / scale),
    width: Math.round(rect.width / scale),
    height: Math.round(rect.height / scale),
  };
}

/** A window's bounds (DIP) in px of the virtual desktop. Grown to whole pixels, so that no click at its edge is missed. */
export function toPx(rect: Rect, screens: readonly Screen[]): Rect {
  const screen = screenOf(rect, screens, 'dip');
  if (!screen) return rect;
  const { dip, px, scale } = screen;
  const x = Math.floor(px.x + (rect.x - dip.x) * scale);
  const y = Math.floor(px.y + (rect.y - dip.y) * scale);
  return { x, y, width: Math.ceil(rect.width * scale) + 1, height: Math.ceil(rect.height * scale) + 1 };
}

/** Between the bar and what is recorded, DIP. */
const GAP = 12;

/**
 * Where the recording bar goes (DIP): beside what is recorded, else on another display, else over it where the system
 * leaves the bar out of captures (`isLeftOut`). Null: there is no place where it would not be recorded.
 */
export function placeBar(
  view: Rect,
  screens: readonly Screen[],
  size: { width: number; height: number },
  isLeftOut: boolean,
): Rect | null {
  const own = screenOf(view, screens, 'dip');
  if (!own) return null;
  const { workArea } = own;
  const clampX = (x: number): number => Math.max(workArea.x, Math.min(x, workArea.x + workArea.width - size.width));
  const clampY = (y: number): number => Math.max(workArea.y, Math.min(y, workArea.y + workArea.height - size.height));
  const middleX = clampX(Math.round(view.x + (view.width - size.width) / 2));
  const middleY = clampY(Math.round(view.y + (view.height - size.height) / 2));
  const beside: Rect[] = [
    { x: middleX, y: view.y + view.height + GAP, ...size },
    { x: middleX, y: view.y - GAP - size.height, ...size },
    { x: view.x + view.width + GAP, y: middleY, ...size },
    { x: view.x - GAP - size.width, y: middleY, ...size },
  ];
  const free = beside.find((place) => inside(place, workArea) && overlap(place, view) === 0);
  if (free) return free;
  const other = screens.find((screen) => screen !== own && overlap(screen.dip, view) === 0);
  if (other) return bottomOf(other.workArea, size);
  return isLeftOut ? bottomOf(workArea, size) : null;
}

const bottomOf = (area: Rect, size: { width: number; height: number }): Rect => ({
  x: Math.round(area.x + (area.width - size.width) / 2),
  y: area.y + area.height - size.height - GAP,
  ...size,
});

/**
 * The four sides of a frame around what is recorded (DIP), outside it, each cut to the displays. Sides that no display
 * shows are left out: around a whole display nothing is left.
 */
export function frameSides(view: Rect, screens: readonly Screen[], thickness: number): Rect[] {
  const { x, y, width, height } = view;
  const wide = { x: x - thickness, width: width + 2 * thickness, height: thickness };
  const high = { y, width: thickness, height };
  const sides: Rect[] = [
    { ...wide, y: y - thickness },
    { ...wide, y: y + height },
    { ...high, x: x - thickness },
    { ...high, x: x + width },
  ];
  const own = screenOf(view, screens, 'dip');
  if (!own) return [];
  return sides.flatMap((side) => {
    const left = Math.max(side.x, own.dip.x);
    const top = Math.max(side.y, own.dip.y);
    const right = Math.min(side.x + side.width, own.dip.x + own.dip.width);
    const bottom = Math.min(side.y + side.height, own.dip.y + own.dip.height);
    return right > left && bottom > top ? [{ x: left, y: top, width: right - left, height: bottom - top }] : [];
  });
}

/**
 * True where a window can be kept out of screen captures. Windows 10 2004 (build 19041) leaves it out of every capture.
 * macOS did until 14; from 15 (Darwin 24) on, captures by ScreenCaptureKit show it all the same. X11 has no such thing.
 */
export function leavesOut(platform: string, release: string): boolean {
  const [major = 0, , build = 0] = release.split('.').map(Number);
  if (platform === 'win32') return major > 10 || (major === 10 && build >= 19_041);
  return platform === 'darwin' && major < 24;
}

const LEAST = 120;

/** Remembered bounds, moved and shrunk so that the window can be reached on the displays of today; null: let the system place it. */
export function fitWindow(bounds: Rect | null, screens: readonly Screen[]): Rect | null {
  if (!bounds || bounds.width < LEAST || bounds.height < LEAST) return null;
  const screen = screens.find(({ workArea }) => overlap(bounds, workArea) >= LEAST * LEAST);
  if (!screen) return null;
  const { workArea: area } = screen;
  const width = Math.min(bounds.width, area.width);
  const height = Math.min(bounds.height, area.height);
  const clamp = (value: number, from: number, most: number): number => Math.max(from, Math.min(value, from + most));
  // Its title bar must be in reach; the rest may hang over an edge, as a person may have put it.
  const x = clamp(bounds.x, area.x - width + LEAST, area.width + width - 2 * LEAST);
  return { x, y: clamp(bounds.y, area.y, area.height - LEAST), width, height };
}
