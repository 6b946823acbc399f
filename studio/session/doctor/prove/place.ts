import { sharedArea } from '../../../../core/rect.ts';
import type { Display, Rect } from '../../../../schemas/events.ts';

const SIZE = { width: 640, height: 420 };
/** Away from the edges, where panels and docks lie, px. */
const MARGIN = 40;
const PLACES = 5;

/** Where our window covers least of the person's: on the primary display, its size in physical px for 96 dots an inch. */
export function freePlace(displays: readonly Display[], windows: readonly (Rect | null)[]): Rect {
  const display = displays.find(({ primary }) => primary) ?? displays[0];
  if (!display) throw new Error('a display is there: the check before this one saw it');
  const within = (wanted: number, whole: number): number =>
    Math.max(16, Math.min(Math.round(wanted * display.scale), whole - 2 * MARGIN));
  const [width, height] = [within(SIZE.width, display.width), within(SIZE.height, display.height)];
  const along = (n: number, whole: number, size: number): number => {
    const margin = Math.max(0, Math.min(MARGIN, Math.floor((whole - size) / 2)));
    return margin + Math.round((n * (whole - size - 2 * margin)) / (PLACES - 1));
  };
  const places = Array.from(
    { length: PLACES * PLACES },
    (_, i): Rect => ({
      x: display.x + along(i % PLACES, display.width, width),
      y: display.y + along(Math.floor(i / PLACES), display.height, height),
      width,
      height,
    }),
  );
  const covered = (place: Rect): number => windows.reduce((sum, one) => sum + (one ? sharedArea(place, one) : 0), 0);
  return places.reduce((best, place) => (covered(place) < covered(best) ? place : best));
}
