import { setTimeout as sleep } from 'node:timers/promises';
import type { HookEvent, HookKeyEvent } from '../input/hook.ts';
import { startThread } from '../process/start-thread.ts';
import { protocol } from '../process/supervise.ts';
import { inputAccess, inputFolder } from './input-devices.ts';
import type { InputReport, InputSetup } from './input-worker.ts';
import { watchKeyboard } from './keyboard.ts';
import { areaOf, watchOutputs } from './outputs.ts';
import { inputRefused } from './permissions.ts';
import { trackPointer } from './pointer-track.ts';
import { pointerSettings } from './settings.ts';
import { openWayland } from './wire.ts';

type Input = {
  /** Where the pointer was, as the pictures' source tells it. */
  see(place: { us: number; x: number; y: number }): void;
  /** When all that came until now is told. */
  stop(): Promise<void>;
};

const RELEASE_MS = 15;
/** The longest that its end waits for what the devices still hold, ms. */
const LAST_MS = 2000;

/** Listens to the input devices. Throws NO_PERMISSION where none can be read. */
export function startInput(onEvent: (event: HookEvent) => void, onKeyAtOnce: (event: HookKeyEvent) => void): Input {
  const folder = inputFolder();
  const refused = inputRefused(inputAccess(folder));
  if (refused) throw refused;
  const client = openWayland();
  let area = areaOf(watchOutputs(client).displays());
  const repeats = watchKeyboard(client).repeats();
  client.close();
  const track = trackPointer({
    emit: onEvent,
    onKeyAtOnce,
    area: () => area,
    repeats,
  });
  const control = new Int32Array(new SharedArrayBuffer(4));
  const worker = startThread<never, InputReport>(new URL('./input-worker.ts', import.meta.url), {
    data: { folder, settings: pointerSettings(), control } satisfies InputSetup,
    accepts: protocol<InputReport>({ events: true, area: true }),
    onMessage(report) {
      if (report.type === 'area') area = report.area;
      else for (const event of report.events) track.add(event);
      watch();
    },
  });
  // Without it the recording goes on, and nobody would hear of what is missing.
  void worker.ended.then(({ why, error }) => {
    if (why === 'threw') throw error;
  });
  const nowUs = () => Number(process.hrtime.bigint() / 1000n);
  // Woken only while something waits: most of a recording nobody moves anything.
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const watch = (): void => {
    if (!stopped) timer ??= setTimeout(releaseAndWatch, RELEASE_MS);
  };
  const releaseAndWatch = (): void => {
    timer = null;
    track.release(nowUs());
    if (!track.isIdle()) watch();
  };
  return {
    see(place) {
      track.see(place);
      watch();
    },
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      Atomics.store(control, 0, 1);
      // The thread reads what has come by now, tells it, and ends.
      await Promise.race([worker.ended, sleep(LAST_MS, undefined, { ref: false })]);
      track.release(Number.POSITIVE_INFINITY);
    },
  };
}
