import type { HostApi, HostWindow, PlainWindow, Rect } from './api.ts';
import { frameSides, overlap, placeBar, type Screen, toDip, toPx } from './geometry.ts';
import { isPaused, isRunning, type RecorderNow } from './recorder-state.ts';
import { ORIGIN, SAFE_PREFERENCES } from './security.ts';

/** The recording bar and the frame around what is recorded: on the screen, but not in the recording. */
export type Overlay = {
  /** Follows the recorder. Gives where the bar lies, px, when that changed: input there is no demonstration (I4). */
  follow(now: RecorderNow | null): Rect[] | null;
  close(): void;
};

export type OverlayOptions = {
  api: Pick<HostApi, 'BrowserWindow' | 'BaseWindow'>;
  preload: string;
  screens(): Screen[];
  /** The system keeps windows with content protection out of captures. */
  leavesOut: boolean;
  /** False where programs may not say where their windows go (Wayland): there is no bar and no frame then. */
  mayPlace: boolean;
  /** The person dragged the bar, or the desktop put it elsewhere: where it lies now, px. */
  onMoved(rects: Rect[]): void;
};

const BAR = { width: 640, height: 56 };
/** DIP. */
const FRAME = 3;
const RED = '#e5484d';
/** Nothing is kept for now; the bar's own colour then. */
const YELLOW = '#e8b23a';
/** A bar that is dragged is looked at once it rests, ms. */
const REST_MS = 150;

export function createOverlay(options: OverlayOptions): Overlay {
  const { api, preload, screens } = options;
  let bar: HostWindow | null = null;
  let sides: PlainWindow[] = [];
  let shown = '';
  let colour = RED;
  /** The recorded region, and where the bar was put for it, DIP. */
  let placed: { view: Rect; place: Rect } | null = null;
  let timer: NodeJS.Timeout | undefined;

  function close(): void {
    clearTimeout(timer);
    for (const side of sides) if (!side.isDestroyed()) side.destroy();
    if (bar && !bar.isDestroyed()) bar.destroy();
    [bar, sides, shown, placed] = [null, [], '', null];
  }

  function moved(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!bar || bar.isDestroyed() || !placed) return;
      // It would be recorded from now on.
      if (!options.leavesOut && overlap(bar.getBounds(), placed.view) > 0) bar.setBounds(placed.place);
      options.onMoved([toPx(bar.getBounds(), screens())]);
    }, REST_MS);
  }

  function paint(now: RecorderNow | null): void {
    const wanted = isPaused(now) ? YELLOW : RED;
    if (wanted === colour) return;
    colour = wanted;
    for (const side of sides) if (!side.isDestroyed()) side.setBackgroundColor(colour);
  }

  return {
    follow(now) {
      const view = options.mayPlace && isRunning(now) ? now.view : null;
      paint(now);
      if (!view) {
        if (shown !== '') close();
        return null;
      }
      const all = screens();
      const dip = toDip(view, all);
      const place = placeBar(dip, all, BAR, options.leavesOut);
      const frame = frameSides(dip, all, FRAME);
      const wanted = JSON.stringify([place, frame]);
      if (wanted === shown) return null;
      shown = wanted;
      sides = placeSides(api, sides, frame, colour);
      placed = place && { view: dip, place };
      if (place === null) {
        bar?.destroy();
        bar = null;
        return [];
      }
      if (!bar || bar.isDestroyed()) {
        bar = openBar(api, preload, place);
        bar.on('move', moved);
      }
      bar.setBounds(place);
      return [toPx(bar.getBounds(), all)];
    },
    close,
  };
}

function openBar(api: OverlayOptions['api'], preload: string, place: Rect): HostWindow {
  const bar = new api.BrowserWindow({
    title: 'Recording',
    ...place,
    show: false,
    backgroundColor: '#191c23',
    frame: false,
    resizable: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    // A click on it takes the focus from nobody: the demonstration goes on where it was.
    focusable: false,
    skipTaskbar: true,
    alwaysOnTop: true,
    hasShadow: false,
    // Its clock goes on while it is covered.
    webPreferences: { ...SAFE_PREFERENCES, preload, backgroundThrottling: false },
  });
  bar.setContentProtection(true);
  bar.setAlwaysOnTop(true, 'screen-saver');
  bar.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
  bar.once('ready-to-show', () => {
    if (!bar.isDestroyed()) bar.showInactive();
  });
  void bar.loadURL(`${ORIGIN}/desktop/bar`).catch(() => undefined);
  return bar;
}

/** Four plain windows without a page: no transparency is needed, which not every desktop has. */
function placeSides(
  api: OverlayOptions['api'],
  present: PlainWindow[],
  wanted: readonly Rect[],
  colour: string,
): PlainWindow[] {
  for (const side of present.slice(wanted.length)) side.destroy();
  return wanted.map((bounds, at) => {
    const known = present[at];
    if (known && !known.isDestroyed()) {
      known.setBounds(bounds);
      return known;
    }
    const side = new api.BaseWindow({
      ...bounds,
      show: false,
      backgroundColor: colour,
      frame: false,
      resizable: false,
      focusable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      hasShadow: false,
    });
    side.setIgnoreMouseEvents(true);
    side.setContentProtection(true);
    side.setAlwaysOnTop(true, 'screen-saver');
    side.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    side.showInactive();
    return side;
  });
}
