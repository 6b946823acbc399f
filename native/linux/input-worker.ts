import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { openComposer } from '../input/compose.ts';
import type { HookEvent, HookLoss } from '../input/hook.ts';
import { libc } from '../memory/libc.ts';
import { watchKeyboardNews } from './keyboard-state.ts';
import { openKeymap } from './keymap.ts';
import { fillLost, turnRecord } from './lost-input.ts';
import { selectRawInput } from './raw-input.ts';
import { openRecord, type Recorded, waitForSockets } from './record.ts';
import { recordedInput } from './recorded-input.ts';
import { openX, x11 } from './x11.ts';

/**
 * Hears the person's input of an X server in a thread of its own (Xlib waits for the server), and hands it on until [0] of
 * `control` is set. Each time that [1] is counted up, it hands over all that the server did until then, and says so. A byte in the
 * pipe `wake` has it look at `control` at once; with -1 it looks four times a second.
 */
export type X11InputSetup = { control: Int32Array<SharedArrayBuffer>; wake: number };
export type X11InputReport =
  | { type: 'ready' }
  | { type: 'refused'; error: ReturnType<typeof errorBody> }
  | { type: 'events'; events: (HookEvent | HookLoss)[] }
  | { type: 'heardAll'; number: number };

const { control, wake } = workerData as X11InputSetup; // the host hands in exactly this
const port = parentPort as MessagePort; // this file only ever runs as a worker
const tell = (report: X11InputReport) => port.postMessage(report);
const WAIT_MS = 250;
/** RECORD's data may be on its way so long after the server's answer on another connection. */
const ON_ITS_WAY_MS = 20;
/** What one of the two ways lacks is waited for so long and no longer. */
const HEARD_ALL_MS = 4000;
/** So many events are turned into input before the server's socket is read again. */
const AT_ONCE = 32;
const NO_RECORD =
  'The X server does not tell of input: it lacks the extension RECORD or XKEYBOARD. Xorg, Xvfb and Xwayland have them; a nested or remote server may have them switched off.';

/** XKB.h: controls by which the server swallows keys before programs hear of them. */
const SLOW_OR_BOUNCE_KEYS = 0b110;
const MOUSE_KEYS = 0b1_0000;

type Input = { turn(): void; hearAll(): void };

function open(): Input {
  const own = openX();
  const data = openX();
  const raw = selectRawInput(own);
  const news = watchKeyboardNews(own, {
    onMap: () => filling.told('keymap'),
    onOther(event) {
      const told = raw?.read(event);
      if (told && news) filling.told({ raw: told, held: news.now() });
    },
  });
  const keymap = openKeymap(own);
  let heard: (HookEvent | HookLoss)[] = [];
  const input = news && recordedInput({ keymap, news, composer: openComposer() });
  const filling = fillLost({
    now: () => performance.now(),
    // By the controls of that moment: a key may switch the mouse keys off that kept the keys before it.
    isKept({ type, detail }, { mods, group, controls }) {
      if (type === 'down' || type === 'up') return false;
      return (controls & SLOW_OR_BOUNCE_KEYS) !== 0 || keymap.keeps(detail, mods, group, (controls & MOUSE_KEYS) !== 0);
    },
    take(recorded, held) {
      const event = input?.take(recorded, held);
      if (event) heard.push(event);
    },
    lost: ({ time }) => void heard.push({ type: 'lost', time }),
  });
  let fetched = keymap.fetch();
  const queue: Recorded[] = [];
  const record = input && openRecord(own, data, (recorded) => void queue.push(recorded));
  if (!record || !fetched) throw new StudioError('UNSUPPORTED_PLATFORM', NO_RECORD, {});
  const read = (): void => {
    const from = performance.now();
    turnRecord(record, filling.mayLose);
    filling.emptied(from);
  };
  const bytes = new Uint8Array(64);
  const turn = (waitMs: number): void => {
    waitForSockets([data, own], waitMs, [wake]);
    // Without this the next wait would end at once. The pipe never blocks.
    if (wake >= 0) libc().read(wake, bytes, bytes.length);
    // Emptied before anything else is done: beyond some 280 pieces that lie unread the server loses some.
    read();
    // After RECORD, so that what RECORD lacks is known as soon as possible.
    if (news.turn()) fetched = keymap.fetch() || fetched;
    for (; queue.length > 0; read()) {
      for (const recorded of queue.splice(0, AT_ONCE)) filling.recorded(recorded);
      filling.turn();
    }
    filling.turn();
    if (heard.length === 0) return;
    tell({ type: 'events', events: heard });
    heard = [];
  };
  return {
    turn: () => turn(WAIT_MS),
    hearAll() {
      // The server answers when it has done all that came before, so what it told of that is sent, or about to be.
      x11().sync(own, 0);
      const end = performance.now() + HEARD_ALL_MS;
      do turn(ON_ITS_WAY_MS);
      while ((record.unread() > 0 || filling.isWaiting()) && performance.now() < end);
    },
  };
}

function start(): Input | null {
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
let answered = 0;
while (input && Atomics.load(control, 0) === 0) {
  input.turn();
  const number = Atomics.load(control, 1);
  if (number === answered) continue;
  input.hearAll();
  tell({ type: 'heardAll', number });
  answered = number;
}
port.close();
