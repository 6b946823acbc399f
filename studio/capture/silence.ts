import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { ScreenRecorder } from '../../native/screen/contract.ts';
import type { DesktopWatch } from './desktop-watch.ts';

/** The grabber's and the watch's heartbeat standing still this long means that the display is gone, ms. */
export const SILENT_MS = 3000;
/** How long the encoder may take to end, ms. */
const ENCODED_MS = 30_000;
const LOOK_MS = 1000;

type Hearts = {
  clock: Pick<SessionClock, 'now'>;
  screen: Pick<ScreenRecorder, 'alive'>;
  desktop: Pick<DesktopWatch, 'alive'>;
};

/** Gives what says, asked again and again, whether neither has lived for that long. */
export function listenForSilence({ clock, screen, desktop }: Hearts): () => boolean {
  let beats = -1;
  let since = clock.now();
  return () => {
    const [now, alive] = [clock.now(), screen.alive() + desktop.alive()];
    if (alive !== beats) since = now;
    beats = alive;
    return now - since > SILENT_MS * 1000;
  };
}

type Ending = Hearts & { screen: Pick<ScreenRecorder, 'stop' | 'kill'> };

/**
 * Stops the recorder of the screen; false: an encoder may still write. `lost`: it was ended because the display or the grabber
 * is gone. A display may also go in the moment of the stop, as at a logout: the grabber then waits for it for ever, and who
 * waited for the grabber would be killed with the session before the folder is closed.
 */
export async function stopScreen(ending: Ending, lost: boolean): Promise<boolean> {
  const { screen } = ending;
  const quiet = screen.stop().then(() => true);
  const atMost = (ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), ms);
      void quiet.then(resolve, () => resolve(false)).finally(() => clearTimeout(late));
    });
  if (lost) return atMost(SILENT_MS);
  const isSilent = listenForSilence(ending);
  const gone = Promise.withResolvers<boolean>();
  const looking = setInterval(() => {
    if (!isSilent()) return;
    clearInterval(looking);
    screen.kill();
    void atMost(SILENT_MS).then(gone.resolve);
  }, LOOK_MS);
  return Promise.race([atMost(ENCODED_MS), gone.promise]).finally(() => clearInterval(looking));
}
