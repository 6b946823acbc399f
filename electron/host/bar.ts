import type { HostApi, HostWindow, PlainWindow, Rect } from './api.ts';
import { frameSides, placeBar, type Screen, toDip, toPx } from './geometry.ts';
import { isRunning, type RecorderNow } from './recorder-state.ts';
import { ORIGIN, SAFE_PREFERENCES } from './security.ts';

/** The recording bar and the frame around what is recorded: on the screen, but not in the recording. */
export type Overlay = {
  /** Follows the recorder. Gives where the bar lies, px, when that changed: input there is no demonstration (I4). */
  follow(now: RecorderNow | null): Rect[] | null;
  close(): void;
};

type OverlayOptions = {
  api: Pick<HostApi, 'BrowserWindow' | 'BaseWindow'>;
  preload: string;
  screens(): Screen[];
  /** The system keeps windows with content protection out of captures. */
  leavesOut: boolean;
  /** False where programs may not say where their windows go (Wayland): there is no bar and no frame then. */
  mayPlace: boolean;
};

const BAR = { width: 560, height: 56 };
/** DIP. */
const FRAME = 3;
const RED = '#e5484d';

export function createOverlay({ api, preload, screens, leavesOut, mayPlace }: OverlayOptions): Overlay {
  let bar: HostWindow | null = null;
  let sides: PlainWindow[] = [];
  let shown = '';

  function close(): void {
    for (const side of sides) if (!side.isDestroyed()) side.destroy();
    if (bar && !bar.isDestroyed()) bar.destroy();
    [bar, sides, shown] = [null, [], ''];
  }

  return {
    follow(now) {
      const view = mayPlace && isRunning(now) ? now.view : null;
      if (!view) {
        if (shown !== '') close();
        return null;
      }
      const all = screens();
      const place = placeBar(toDip(view, all), all, BAR, leavesOut);
      const frame = frameSides(toDip(view, all), all, FRAME);
      const wanted = JSON.stringify([place, frame]);
      if (wanted === shown) return null;
      shown = wanted;
      sides = placeSides(api, sides, frame);
      if (place === null) {
        bar?.destroy();
        bar = null;
        return [];
      }
      bar = bar && !bar.isDestroyed() ? bar : openBar(api, preload, place);
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
function placeSides(api: OverlayOptions['api'], present: PlainWindow[], wanted: readonly Rect[]): PlainWindow[] {
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
      backgroundColor: RED,
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
