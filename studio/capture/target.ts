import { intersect } from '../../core/rect.ts';
import type { DesktopWindow } from '../../native/platform/platform.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Display, Rect } from '../../schemas/events.ts';
import type { CaptureInfo } from '../../schemas/recording.ts';
import type { CaptureTarget } from './protocol.ts';

export type ResolvedTarget = { info: CaptureInfo['target']; rect: Rect; display: Display };

const rectOf = (d: Display): Rect => ({ x: d.x, y: d.y, width: d.width, height: d.height });
const say = (r: Rect) => `${r.x},${r.y},${r.width},${r.height}`;

/**
 * The rectangle that is captured, in physical px. Throws UNKNOWN_DISPLAY, UNKNOWN_WINDOW (naming what there is) and BAD_REGION (a
 * region must be on one display, wholly).
 */
export function resolveTarget(
  target: CaptureTarget,
  displays: readonly Display[],
  windows: readonly DesktopWindow[],
): ResolvedTarget {
  if (target.kind === 'display') {
    const display =
      target.display === null
        ? (displays.find((d) => d.primary) ?? displays[0])
        : displays.find((d) => d.id === target.display);
    if (!display) {
      const known = displays.map((d) => `${d.id} (${d.width}x${d.height})`).join(', ');
      throw new StudioError('UNKNOWN_DISPLAY', `There is no display ${target.display}. There is: ${known}.`, {
        displays: displays.map((d) => d.id),
      });
    }
    return { info: { kind: 'display', display: display.id }, rect: rectOf(display), display };
  }
  if (target.kind === 'region') {
    const { region } = target;
    const display = displays.find((d) => intersect(region, rectOf(d)));
    const inside = display && intersect(region, rectOf(display));
    if (!display || !inside || say(inside) !== say(region)) {
      const known = displays.map((d) => `display ${d.id} is ${say(rectOf(d))}`).join('; ');
      throw new StudioError(
        'BAD_REGION',
        `The region ${say(region)} (x,y,width,height) does not lie wholly on one display: ${known}.`,
        { region },
      );
    }
    if (region.width < 16 || region.height < 16) {
      throw new StudioError('BAD_REGION', `The region ${say(region)} is smaller than 16x16 pixels.`, { region });
    }
    return { info: { kind: 'region', region }, rect: region, display };
  }
  const window = findWindow(windows, target.title);
  const resolved = windowRect(window, displays);
  if (!resolved)
    throw new StudioError('UNKNOWN_WINDOW', `The window "${window.title}" is not on any display (minimised?).`, {
      title: window.title,
    });
  return { info: { kind: 'window', title: window.title, windowId: window.id }, ...resolved };
}

/** The one window whose title contains the words (any case), the topmost first. */
function findWindow(windows: readonly DesktopWindow[], title: string): DesktopWindow {
  const found = windows.find((w) => w.title.toLowerCase().includes(title.toLowerCase()));
  if (found) return found;
  const known = windows.map((w) => `"${w.title}"`).join(', ') || 'none that a window manager lists';
  throw new StudioError('UNKNOWN_WINDOW', `No window's title contains "${title}". Windows: ${known}.`, { title });
}

/** The visible part of a window on the display that holds most of it; null when it is on none. */
export function windowRect(
  window: DesktopWindow,
  displays: readonly Display[],
): { rect: Rect; display: Display } | null {
  if (!window.bounds) return null;
  let best: { rect: Rect; display: Display } | null = null;
  for (const display of displays) {
    const rect = intersect(window.bounds, rectOf(display));
    if (rect && (!best || rect.width * rect.height > best.rect.width * best.rect.height)) best = { rect, display };
  }
  return best && best.rect.width >= 16 && best.rect.height >= 16 ? best : null;
}
