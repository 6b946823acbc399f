import koffi from 'koffi';
import type { Display } from '../../schemas/events.ts';
import { type XDisplay, x11, xrandr } from './x11.ts';

const MONITOR = koffi.struct({
  name: 'unsigned long',
  primary: 'int',
  automatic: 'int',
  outputs: 'int',
  x: 'int',
  y: 'int',
  width: 'int',
  height: 'int',
  mmWidth: 'int',
  mmHeight: 'int',
  outputIds: 'void *',
});
// The struct above as koffi decodes it.
type Monitor = { name: number; primary: number; x: number; y: number; width: number; height: number };

/**
 * Displays by RandR, left to right then top to bottom, in physical px of the virtual desktop. X11 has no logical pixels
 * of its own: scale is 1 and positions of events are physical already.
 */
export function readDisplays(display: XDisplay): Display[] {
  const root = x11().root(display);
  const count: number[] = [0];
  const found = xrandr().getMonitors(display, root, 1, count);
  const n = count[0] ?? 0;
  const monitors: Monitor[] = found && n > 0 ? koffi.decode(found, koffi.array(MONITOR, n)) : [];
  if (found) xrandr().freeMonitors(found);
  if (monitors.length === 0) {
    const { width, height } = rootSize(display);
    monitors.push({ name: 0, primary: 1, x: 0, y: 0, width, height });
  }
  const sorted = [...monitors].sort((a, b) => a.x - b.x || a.y - b.y);
  const primary = sorted.findIndex((m) => m.primary !== 0);
  return sorted.map((m, i) => ({
    id: i + 1,
    name: nameOf(display, m.name) ?? `display ${i + 1}`,
    x: m.x,
    y: m.y,
    width: m.width,
    height: m.height,
    scale: 1,
    primary: i === Math.max(0, primary),
  }));
}

/** The output's own name (`HDMI-1`), which it keeps while others come and go. */
function nameOf(display: XDisplay, atom: number): string | null {
  const pointer = atom === 0 ? null : x11().atomName(display, atom);
  if (!pointer) return null;
  const name = koffi.decode(pointer, 'char', -1) as string; // NUL-terminated
  x11().free(pointer);
  return name || null;
}

/** The size of the whole virtual desktop. */
export function rootSize(display: XDisplay): { width: number; height: number } {
  const width = [0];
  const height = [0];
  const rest = () => [0];
  x11().getGeometry(display, x11().root(display), rest(), rest(), rest(), width, height, rest(), rest());
  return { width: width[0] ?? 0, height: height[0] ?? 0 };
}
