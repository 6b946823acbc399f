import { StudioError } from '../../schemas/errors.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import { nearestPixel } from '../screen/display-geometry.ts';
import type { MacApi } from './api.ts';

const MAX_DISPLAYS = 32;

/**
 * Displays left to right, then top to bottom, in physical px. macOS lays displays out in points, and each has its own px a
 * point, so there is no physical desktop to ask for. Ours: a display keeps its own pixels (its size and scale); its origin
 * is its origin in points times the largest scale, so that no two displays overlap. Where all scales are equal that is the
 * exact desktop. Throws NO_DISPLAY when none is drawn to.
 */
export function readDisplays(api: MacApi): Display[] {
  const main = api.CGMainDisplayID();
  const found = api.CGGetActiveDisplayList(MAX_DISPLAYS).map((display) => {
    const points = api.CGDisplayBounds(display);
    const pixels = api.modePixelWidth(display);
    return { display, points, scale: pixels > 0 && points.width > 0 ? pixels / points.width : 1 };
  });
  if (found.length === 0) {
    throw new StudioError(
      'NO_DISPLAY',
      'macOS lists no active display. Run this in the desktop session of a signed-in user, with the lid open or a display attached.',
    );
  }
  const largest = Math.max(...found.map(({ scale }) => scale));
  return found
    .map(({ display, points, scale }) => ({
      name: `display ${display}`,
      x: Math.round(points.x * largest),
      y: Math.round(points.y * largest),
      width: Math.round(points.width * scale),
      height: Math.round(points.height * scale),
      scale,
      primary: display === main,
    }))
    .sort((a, b) => a.x - b.x || a.y - b.y)
    .map((display, index) => ({ id: index + 1, ...display }));
}

/** avfoundation's name of a display: it numbers screens in CGGetActiveDisplayList's order. */
export function captureScreen(api: MacApi, display: Display): string {
  const ids = api.CGGetActiveDisplayList(MAX_DISPLAYS);
  const number = ids.findIndex((id) => display.name === `display ${id}`);
  return `Capture screen ${Math.max(0, number)}`;
}

const largestScale = (displays: readonly Display[]): number => Math.max(...displays.map(({ scale }) => scale));

/** A display's rectangle in points (the inverse of `readDisplays`). */
function pointsOf(display: Display, largest: number): Rect {
  return {
    x: display.x / largest,
    y: display.y / largest,
    width: display.width / display.scale,
    height: display.height / display.scale,
  };
}

function displayAt(x: number, y: number, displays: readonly Display[]): { display: Display; points: Rect } | null {
  const largest = largestScale(displays);
  let best: { display: Display; points: Rect } | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const display of displays) {
    const points = pointsOf(display, largest);
    const dx = Math.max(points.x - x, 0, x - (points.x + points.width));
    const dy = Math.max(points.y - y, 0, y - (points.y + points.height));
    const inside = x >= points.x && x < points.x + points.width && y >= points.y && y < points.y + points.height;
    const distance = inside ? -1 : dx * dx + dy * dy;
    if (distance < bestDistance) [best, bestDistance] = [{ display, points }, distance];
  }
  return best;
}

/** A position in points as physical px of the virtual desktop (A13); off every display: the nearest pixel of one. */
export function pointToPhysical(x: number, y: number, displays: readonly Display[]): { x: number; y: number } {
  const at = displayAt(x, y, displays);
  if (at === null) return { x: Math.floor(x), y: Math.floor(y) };
  const { display, points } = at;
  return nearestPixel(display.x + (x - points.x) * display.scale, display.y + (y - points.y) * display.scale, [
    display,
  ]);
}

/** A rectangle in points, as windows have, by the scale of the display under its centre; it may reach beyond it. */
export function rectToPhysical(rect: Rect, displays: readonly Display[]): Rect {
  const at = displayAt(rect.x + rect.width / 2, rect.y + rect.height / 2, displays);
  if (at === null) return rect;
  const { display, points } = at;
  return {
    x: Math.round(display.x + (rect.x - points.x) * display.scale),
    y: Math.round(display.y + (rect.y - points.y) * display.scale),
    width: Math.max(1, Math.round(rect.width * display.scale)),
    height: Math.max(1, Math.round(rect.height * display.scale)),
  };
}

/** A physical pixel's top left corner in points. */
export function physicalToPoint(
  x: number,
  y: number,
  displays: readonly Display[],
): { x: number; y: number; scale: number } {
  const largest = largestScale(displays);
  const inside = ({ x: left, y: top, width, height }: Rect): boolean =>
    x >= left && x < left + width && y >= top && y < top + height;
  const display = displays.find(inside) ?? displays[0];
  if (display === undefined) return { x, y, scale: 1 };
  const points = pointsOf(display, largest);
  return {
    x: points.x + (x - display.x) / display.scale,
    y: points.y + (y - display.y) / display.scale,
    scale: display.scale,
  };
}
