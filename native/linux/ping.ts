import { setTimeout as sleep } from 'node:timers/promises';
import { clientMessage, readClientMessage } from './client-message.ts';
import { numbers } from './windows.ts';
import { EVENT_BYTES, openX, x11 } from './x11.ts';

/**
 * Asks the program of the active window whether it answers (EWMH, _NET_WM_PING): a program answers when it has taken in what
 * came before, so that keys which it has not read yet are known of.
 */
export type Ping = {
  /**
   * Waits for the answer, at most so long, ms. True too where nobody can be asked: no window is active, or its program does
   * not know the question.
   */
  answered(atMostMs: number): Promise<boolean>;
  close(): void;
};

/** Answers are sent to the root as events of the windows right below it; Qt sends them as events of the root itself. */
const [STRUCTURE, SUBSTRUCTURE] = [1 << 17, 1 << 19];
const LOOK_MS = 2;
const AGAIN_MS = 250;

/** On $DISPLAY, or the display of this name. Throws NO_DISPLAY, NO_LIBRARY. */
export function openPing(name: string | null): Ping {
  const display = openX(name);
  const x = x11();
  const root = x.root(display);
  const [protocols, ping] = [x.atom(display, 'WM_PROTOCOLS', 0), x.atom(display, '_NET_WM_PING', 0)];
  x.selectInput(display, root, STRUCTURE | SUBSTRUCTURE);
  let last = 0;

  /** The window that was asked; null where nobody can be. */
  function ask(): number | null {
    const [window = 0] = numbers(display, root, '_NET_ACTIVE_WINDOW');
    if (window === 0 || !numbers(display, window, 'WM_PROTOCOLS').includes(ping)) return null;
    // The server's clock is the machine's: some programs take the time for that of the person's last act.
    last = Math.max(last + 1, Number(process.hrtime.bigint() / 1_000_000n) % 2 ** 32);
    x.sendEvent(display, window, 0, 0, clientMessage(window, protocols, [ping, last, window]));
    x.sync(display, 0);
    return window;
  }

  /** Whether the answer to the last question is among what came. */
  function heard(window: number): boolean {
    const event = new Uint8Array(EVENT_BYTES);
    while (x.pending(display) > 0) {
      x.nextEvent(display, event);
      const said = readClientMessage(event);
      if (said?.message !== protocols) continue;
      const [protocol, time = 0, asked] = said.words;
      if (protocol === ping && time % 2 ** 32 === last && asked === window) return true;
    }
    return false;
  }

  return {
    async answered(atMostMs) {
      const end = performance.now() + atMostMs;
      do {
        const window = ask();
        if (window === null) return true;
        // Asked again: the window may be gone since, and another has the keyboard.
        for (const again = performance.now() + AGAIN_MS; performance.now() < Math.min(again, end); ) {
          if (heard(window)) return true;
          await sleep(LOOK_MS);
        }
      } while (performance.now() < end);
      return false;
    },
    close: () => void x.closeDisplay(display),
  };
}
