import { holdsPoint, intersect } from '../../core/rect.ts';
import type { DesktopWindow, Platform } from '../../native/platform/platform.ts';
import type { ScreenPictures } from '../../schemas/api/models.ts';
import type { Rect } from '../../schemas/events.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { smallJpeg } from '../files/picture.ts';
import { type FrontLists, hasLists, judgeWindow } from './front.ts';
import { type GlanceWishes, NO_PICTURES } from './glancer.ts';

/**
 * Small pictures of the displays and windows, to choose by. They follow the same lists as a recording does, only more
 * strictly: what a list leaves out is painted over wherever it lies, and nothing is shown while it is in front. They are
 * never written anywhere.
 */

/** Twice what a page shows, for dense displays. */
const DISPLAY_SIZE = { width: 720, height: 480 };
const WINDOW_SIZE = { width: 360, height: 240 };
const VIEW_SIZE = { width: 960, height: 600 };
/** A window that is covered more than this is not shown: it would be a picture of others. */
const MOST_COVERED = 0.4;
const COVER = 0x80;

type Shown = { window: DesktopWindow; frame: Rect; leftOut: boolean };

/** Throws what the platform throws. */
export async function takePictures(platform: Platform, wishes: GlanceWishes): Promise<ScreenPictures> {
  const { glance } = platform;
  if (!glance || platform.xwayland) return NO_PICTURES;
  const watching = hasLists(wishes);
  // Where windows are not known nothing can be left out.
  if (watching && (platform.knowsFront === false || platform.windows().length === 0)) return NO_PICTURES;
  if (watching && isLeftOutInFront(platform, wishes)) return hidden(platform, wishes);
  const { view } = wishes;
  if (wishes.viewAlone && view && !watching) {
    const image = glance.grab(view);
    return { ...NO_PICTURES, view: image && (await dataUrl(image, VIEW_SIZE)) };
  }
  const before = shownWindows(platform, wishes);
  const displays = platform.displays().map((display) => ({ display, image: glance.grab(rectOf(display)) }));
  const after = shownWindows(platform, wishes);
  if (watching && isLeftOutInFront(platform, wishes)) return hidden(platform, wishes);
  for (const { display, image } of displays) {
    // One that was moved meanwhile may be at either place.
    if (image && watching) for (const shown of [before, after]) paintOver(image, display, shown);
  }

  const cut = (rect: Rect): RgbImage | null => {
    for (const { display, image } of displays) {
      const seen = image && intersect(rect, rectOf(display));
      // On the display that holds most of it.
      if (seen && seen.width * seen.height * 2 > rect.width * rect.height) return cropped(image, moved(seen, display));
    }
    return null;
  };
  const viewImage = view && cut(view);
  return {
    displays: await Promise.all(
      displays.map(async ({ display, image }) => ({
        id: display.id,
        picture: image && (await dataUrl(image, DISPLAY_SIZE)),
      })),
    ),
    windows: await Promise.all(
      after.map(async ({ window, leftOut }, i) => {
        const seen = leftOut || !window.bounds || coveredShare(after, i) > MOST_COVERED ? null : cut(window.bounds);
        return { id: window.id, leftOut, picture: seen && (await dataUrl(seen, WINDOW_SIZE)) };
      }),
    ),
    view: viewImage && (await dataUrl(viewImage, VIEW_SIZE)),
  };
}

/** The displays and windows, without pictures. */
function hidden(platform: Platform, lists: FrontLists): ScreenPictures {
  return {
    displays: platform.displays().map(({ id }) => ({ id, picture: null })),
    windows: shownWindows(platform, lists).map(({ window, leftOut }) => ({ id: window.id, leftOut, picture: null })),
    view: null,
  };
}

/** Its menus are no windows of their own in any list. An allow list is no reason here: the page itself is in front. */
function isLeftOutInFront(platform: Platform, lists: FrontLists): boolean {
  const active = platform.activeWindow();
  return active !== null && judgeWindow(active, { exclude: lists.exclude, only: [] }) === 'left-out';
}

function shownWindows(platform: Platform, lists: FrontLists): Shown[] {
  return platform.windows().flatMap((window) => {
    const frame = platform.glance?.frameOf(window) ?? null;
    return frame ? [{ window, frame, leftOut: judgeWindow(window, lists) !== 'allowed' }] : [];
  });
}

/** How much of a window the ones above it cover, 0 to 1; the topmost comes first. */
function coveredShare(shown: readonly Shown[], at: number): number {
  const bounds = shown[at]?.window.bounds;
  if (!bounds) return 1;
  const above = shown.slice(0, at).flatMap(({ frame }) => intersect(frame, bounds) ?? []);
  if (above.length === 0) return 0;
  // Points of a grid: exact enough to tell whether a picture shows the window.
  const steps = 24;
  let covered = 0;
  for (let i = 0; i < steps; i++) {
    for (let j = 0; j < steps; j++) {
      const x = bounds.x + ((i + 0.5) * bounds.width) / steps;
      const y = bounds.y + ((j + 0.5) * bounds.height) / steps;
      if (above.some((one) => holdsPoint(one, x, y))) covered++;
    }
  }
  return covered / steps ** 2;
}

const rectOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });
const moved = (rect: Rect, origin: Rect): Rect => ({ ...rect, x: rect.x - origin.x, y: rect.y - origin.y });

/** Grey where a window that is left out is seen: not where a window that may be shown lies above it. */
function paintOver({ width, height, rgb }: RgbImage, origin: Rect, shown: readonly Shown[]): void {
  if (!shown.some(({ leftOut }) => leftOut)) return;
  const covered = new Uint8Array(width * height);
  for (const { frame, leftOut } of shown.toReversed()) {
    const inside = intersect(moved(frame, origin), { x: 0, y: 0, width, height });
    if (!inside) continue;
    for (let y = inside.y; y < inside.y + inside.height; y++) {
      covered.fill(leftOut ? 1 : 0, y * width + inside.x, y * width + inside.x + inside.width);
    }
  }
  for (let i = 0; i < covered.length; i++) if (covered[i] === 1) rgb.fill(COVER, i * 3, i * 3 + 3);
}

function cropped({ width, rgb }: RgbImage, { x, y, width: wide, height: high }: Rect): RgbImage {
  const cut = new Uint8Array(wide * high * 3);
  for (let row = 0; row < high; row++) {
    const from = ((y + row) * width + x) * 3;
    cut.set(rgb.subarray(from, from + wide * 3), row * wide * 3);
  }
  return { width: wide, height: high, rgb: cut };
}

const dataUrl = async (image: RgbImage, within: { width: number; height: number }): Promise<string> =>
  `data:image/jpeg;base64,${(await smallJpeg(image, within)).toString('base64')}`;
