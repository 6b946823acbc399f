import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { openComposer } from '../input/compose.ts';
import type { HookEvent } from '../input/hook.ts';
import { watchKeyboardNews } from './keyboard-state.ts';
import { openKeymap } from './keymap.ts';
import { openRecord, type Recorded, waitForSockets } from './record.ts';
import { recordedInput } from './recorded-input.ts';
import { openX } from './x11.ts';

/**
 * Hears the person's input of an X server in a thread of its own (Xlib waits for the server), and hands it on until [0] of
 * `control` is set.
 */
export type X11InputSetup = { control: Int32Array<SharedArrayBuffer> };
export type X11InputReport =
  | { type: 'ready' }
  | { type: 'refused'; error: ReturnType<typeof errorBody> }
  | { type: 'events'; events: HookEvent[] };

const { control } = workerData as X11InputSetup; // the host hands in exactly this
const port = parentPort as MessagePort; // this file only ever runs as a worker
const tell = (report: X11InputReport) => port.postMessage(report);
const WAIT_MS = 250;
/** So many events are turned into input before the server's socket is read again. */
const AT_ONCE = 32;
const NO_RECORD =
  'The X server does not tell of input: it lacks the extension RECORD or XKEYBOARD. Xorg, Xvfb and Xwayland have them; a nested or remote server may have them switched off.';

function open(): { turn(): void } {
  const own = openX();
  const data = openX();
  const news = watchKeyboardNews(own);
  const keymap = openKeymap(own);
  let heard: HookEvent[] = [];
  const input = news && recordedInput({ keymap, news, composer: openComposer() });
  let fetched = keymap.fetch();
  const queue: Recorded[] = [];
  const record = input && openRecord(own, data, (recorded) => void queue.push(recorded));
  if (!record || !fetched) throw new StudioError('UNSUPPORTED_PLATFORM', NO_RECORD, {});
  return {
    turn() {
      waitForSockets([data, own], WAIT_MS);
      if (news.turn()) fetched = keymap.fetch() || fetched;
      // Emptied before anything else is done: what the server cannot write, beyond some 270 events that nobody read, it drops.
      for (record.turn(); queue.length > 0; record.turn()) {
        for (const recorded of queue.splice(0, AT_ONCE)) {
          const event = input.take(recorded);
          if (event) heard.push(event);
        }
      }
      if (heard.length === 0) return;
      tell({ type: 'events', events: heard });
      heard = [];
    },
  };
}

function start(): { turn(): void } | null {
  try {
    const opened = open();
    tell({ type: 'ready' });
    return opened;
  } catch (error) {
    tell({ type: 'refused', error: errorBody(error) });
    return null;
  }
}

const input = start();
while (input && Atomics.load(control, 0) === 0) input.turn();
port.close();
