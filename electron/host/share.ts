import type { HostApi, HostWindow } from './api.ts';
import type { Log } from './log.ts';
import { forward, type Pipe } from './pipe.ts';
import { isBusy, type RecorderNow } from './recorder-state.ts';
import { SAFE_PREFERENCES, SHARE_PAGE } from './security.ts';

/** Wayland: a hidden window that asks the system for pictures of the screen while something is recorded. */
type Share = {
  follow(now: RecorderNow | null): void;
  close(): void;
};

type ShareOptions = {
  api: Pick<HostApi, 'BrowserWindow' | 'session' | 'desktopCapturer'>;
  preload: string;
  log: Log;
};

/** The page's own functions (renderer/desktop/share-page.tsx), once they are there and the recorder listens. */
const READY =
  '(async () => { while (!window.screenSharing) await new Promise((done) => setTimeout(done, 25)); await window.screenSharing.ready(); })()';
const BEGIN = 'window.screenSharing.begin()';

export function createShare({ api, preload, log }: ShareOptions): Share {
  let window: HostWindow | null = null;
  let shared = '';

  function close(): void {
    if (window && !window.isDestroyed()) window.destroy();
    window = null;
  }

  function open(): void {
    close();
    const made = new api.BrowserWindow({
      title: 'Screen',
      width: 200,
      height: 100,
      show: false,
      backgroundColor: '#191c23',
      focusable: false,
      skipTaskbar: true,
      // Nobody sees it, and it must not slow down for that.
      webPreferences: { ...SAFE_PREFERENCES, preload, backgroundThrottling: false },
    });
    window = made;
    made.webContents.on('did-finish-load', () => {
      const contents = made.webContents;
      contents
        .executeJavaScript(READY)
        // Only what counts as a person's gesture may ask: the person has just pressed Start.
        .then(() => (made.isDestroyed() ? undefined : contents.executeJavaScript(BEGIN, true)))
        .catch((error: Error) => {
          // One that was closed meanwhile has nothing to say.
          if (!made.isDestroyed()) log.write(`screen: ${error.message}`);
        });
    });
    void made.loadURL(SHARE_PAGE).catch(() => undefined);
  }

  return {
    follow(now) {
      // Until the recording is closed: its last sync check is seen in the pictures too.
      const isWanted = isBusy(now) && now.shared && now.phase !== 'keyframes';
      if (!isWanted) {
        if (window) close();
      } else if (now.recording !== shared && now.phase === 'starting') {
        shared = now.recording;
        open();
      }
    },
    close,
  };
}

/** Answers a page that asks for pictures of the screen: the hidden window is given what the person chooses, no other page. */
export function answerSharing(
  { session, desktopCapturer }: Pick<HostApi, 'session' | 'desktopCapturer'>,
  log: Log,
): void {
  session.defaultSession.setDisplayMediaRequestHandler((request, callback) => {
    if (request.frame?.url !== SHARE_PAGE) {
      log.write(`refused: the screen for ${request.frame?.url ?? 'a frame that is gone'}`);
      return callback(null);
    }
    // Asking for the sources is what opens the system's question; it gives the one that was chosen.
    desktopCapturer
      .getSources({ types: ['screen'], thumbnailSize: { width: 0, height: 0 } })
      .then(([chosen]) => callback(chosen ? { video: chosen } : null))
      .catch((error: Error) => {
        log.write(`screen: ${error.message}`);
        callback(null);
      });
  });
}

/**
 * The beginning of the addresses of those pictures: SCREEN_ROUTES (schemas/screen-source.ts), which the host may not import.
 */
export const SCREEN_PREFIX = '/screen/';

/** Pictures of the screen on their way to the capture process, past the studio. 503 while none listens, 404 where none will. */
export function forwardScreen(request: Request, to: Pipe | null): Promise<Response> {
  if (to === null) return Promise.resolve(new Response(null, { status: 404 }));
  return forward(request, to).catch(() => new Response(null, { status: 503 }));
}
