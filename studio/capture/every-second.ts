import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { ScreenRecorder } from '../../native/screen/contract.ts';
import type { LineFile } from './append.ts';
import { cpuUs } from './cost.ts';
import type { DesktopWatch } from './desktop-watch.ts';
import { freeBytes } from './disk-reserve.ts';
import type { Gate } from './gate.ts';
import type { Line } from './line.ts';
import type { Outlet } from './outlet.ts';
import type { CaptureOrder, FromCapture } from './protocol.ts';
import type { RecordedTime } from './recorded-time.ts';
import { listenForSilence } from './silence.ts';
import type { createTally } from './tally.ts';

type Parts = {
  order: Pick<CaptureOrder, 'folder' | 'minFreeBytes'>;
  clock: SessionClock;
  outlet: Pick<Outlet, 'anchor' | 'inputs'>;
  gate: Pick<Gate<Line>, 'shown'>;
  screen: Pick<ScreenRecorder, 'alive' | 'counts'>;
  desktop: Pick<DesktopWatch, 'alive'>;
  files: readonly Pick<LineFile, 'sync'>[];
  tally: ReturnType<typeof createTally>;
  recorded: Pick<RecordedTime, 'at'>;
  tell(message: FromCapture): void;
  /** Ends the recording for this reason. */
  breakOff(code: string, message: string): void;
};

/**
 * Done once a second while a recording runs: the wall clock is noted, the files go to the disk, display and disk are looked
 * at, and the figures are reported. Gives that work.
 */
export function everySecond(parts: Parts): () => void {
  const { order, clock, outlet, gate, screen, tally, recorded, tell, breakOff } = parts;
  const isSilent = listenForSilence(parts);

  return () => {
    const now = clock.now();
    outlet.anchor({ t: now, type: 'anchor', wallMs: Date.now() });
    tally.note(now);
    for (const file of parts.files) file.sync();
    if (isSilent()) breakOff('display-lost', 'The display no longer answers.');
    const free = freeBytes(order.folder);
    if (free !== null && free < order.minFreeBytes) {
      breakOff('disk-full', `Less than ${Math.round(order.minFreeBytes / 2 ** 20)} MB are left on the disk.`);
    }
    const { dropped, late, black } = tally.counts();
    const stats = {
      t: recorded.at(clock.now()),
      frames: screen.counts().frames,
      dropped,
      late,
      black,
      events: outlet.inputs(),
      freeBytes: free,
      paused: gate.shown(),
      cpuUs: cpuUs(),
    };
    tell({ type: 'stats', stats });
  };
}
