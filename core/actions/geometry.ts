import type { ActionPoint } from '../../schemas/actions.ts';
import type { Display } from '../../schemas/events.ts';
import { holdsPoint } from '../rect.ts';

/** Where a physical px of the virtual desktop falls: the display that holds it, or null for none (A13). */
function displayAt(displays: readonly Display[], x: number, y: number): Display | null {
  return displays.find((display) => holdsPoint(display, x, y)) ?? null;
}

/** A moment at which nobody knows where the pointer is. */
export const placeless = (t: number): ActionPoint => ({ x: null, y: null, display: null, t });

export function pointAt(displays: readonly Display[], x: number, y: number, t: number): ActionPoint {
  return { x, y, display: displayAt(displays, x, y)?.id ?? null, t };
}

/** Default of the OS's drag threshold, px at 100 % scale (A3). */
const DRAG_THRESHOLD_PX = 4;

/** Physical px that the pointer may travel in a click that is pressed at (x, y) (A3). */
export function dragThreshold(
  displays: readonly Display[],
  settingPx: number | undefined,
  x: number,
  y: number,
): number {
  return (settingPx ?? DRAG_THRESHOLD_PX) * (displayAt(displays, x, y)?.scale ?? 1);
}

export function distanceSquared(ax: number, ay: number, bx: number, by: number): number {
  return (ax - bx) * (ax - bx) + (ay - by) * (ay - by);
}
