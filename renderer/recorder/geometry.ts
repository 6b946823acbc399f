import { largestOf, smallestOf } from '../../core/lists.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import { tr } from '../language/tr.ts';

/** The desktop drawn small: `scale` map px a desktop px, and the desktop position of the map's top left. */
type DesktopMap = { scale: number; x: number; y: number; width: number; height: number };

/** The rectangle around all displays, physical px of the desktop. Displays may lie left of or above 0. */
export function desktopBounds(displays: readonly Display[]): Rect {
  const left = smallestOf(displays.map((one) => one.x));
  const top = smallestOf(displays.map((one) => one.y));
  const right = largestOf(displays.map((one) => one.x + one.width));
  const bottom = largestOf(displays.map((one) => one.y + one.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A map of all displays in proportion that fits into `width` x `height` CSS px. */
export function fitMap(displays: readonly Display[], width: number, height: number): DesktopMap {
  const { x, y, width: w, height: h } = desktopBounds(displays);
  const scale = Math.min(width / w, height / h);
  return { scale, x, y, width: w * scale, height: h * scale };
}

/** A desktop rectangle's place on the map, CSS px. */
export function toMap(map: DesktopMap, rect: Rect): { left: number; top: number; width: number; height: number } {
  return {
    left: (rect.x - map.x) * map.scale,
    top: (rect.y - map.y) * map.scale,
    width: rect.width * map.scale,
    height: rect.height * map.scale,
  };
}

/** A map position (CSS px from its top left) as a whole desktop px, inside the map. */
export function toDesktop(map: DesktopMap, left: number, top: number): { x: number; y: number } {
  const inside = (value: number, most: number): number => Math.max(0, Math.min(most, value));
  return {
    x: Math.round(map.x + inside(left, map.width) / map.scale),
    y: Math.round(map.y + inside(top, map.height) / map.scale),
  };
}

/** The region between two corners, in any order; null when it has no area. */
export function regionBetween(a: { x: number; y: number }, b: { x: number; y: number }): Rect | null {
  const rect = {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  };
  return rect.width > 0 && rect.height > 0 ? rect : null;
}

/** Smaller ones show nothing one could annotate. */
const LEAST_PX = 16;

/** Why a region cannot be recorded, in words; null when it can: it must be on displays with every pixel. */
export function regionProblem(region: Rect, displays: readonly Display[]): string | null {
  if (region.width < LEAST_PX || region.height < LEAST_PX)
    return tr('The region is too small: at least {least} by {least} pixels.', { least: LEAST_PX });
  const covered = displays.reduce((sum, display) => sum + overlap(region, display), 0);
  if (covered === 0) return tr('The region lies outside every display. Drag it on the map, or change its numbers.');
  if (covered < region.width * region.height)
    return tr('A part of the region lies outside the displays. Make it smaller or move it.');
  return null;
}

/** The area two rectangles share, px². */
function overlap(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** A first region on a display: its middle two thirds. */
export function middleOf(display: Display): Rect {
  return {
    x: display.x + Math.round(display.width / 6),
    y: display.y + Math.round(display.height / 6),
    width: Math.round((display.width * 2) / 3),
    height: Math.round((display.height * 2) / 3),
  };
}

type Place = Pick<Window, 'screenX' | 'screenY' | 'outerWidth' | 'outerHeight' | 'devicePixelRatio'>;

/**
 * Whether a page's window may be on this part of the desktop. Browsers tell their place in px of their own: with a scale of
 * the system they are fewer than the desktop's, with a zoom of the page they are as many. Either may be meant.
 */
export function mayLieOn(place: Place, view: Rect): boolean {
  const { screenX, screenY, outerWidth, outerHeight, devicePixelRatio } = place;
  return [1, devicePixelRatio].some((scale) => {
    const rect = { x: screenX, y: screenY, width: outerWidth, height: outerHeight };
    const scaled = { x: rect.x * scale, y: rect.y * scale, width: rect.width * scale, height: rect.height * scale };
    return overlap(scaled, view) > 0;
  });
}
