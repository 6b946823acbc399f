import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionClock } from '../../native/clock/session-clock.ts';
import { type FfmpegInfo, findFfmpeg, toldFfmpeg } from '../../native/ffmpeg/find.ts';
import type { CaptureHost } from '../../native/platform/platform.ts';
import { type DesktopWatch, startDesktopWatch } from './desktop-watch.ts';
import { openDiskReserve } from './disk-reserve.ts';
import { type FrontLists, hasLists } from './front.ts';
import { openFiles } from './outlet.ts';
import type { CaptureOrder, FromCapture } from './protocol.ts';
import { parseShortcuts, type Shortcuts } from './shortcuts.ts';
import { type ResolvedTarget, resolveTarget } from './target.ts';
import { refuseUnseen } from './unseen.ts';

/** Everything that must be there before a recording can begin. */
export type Opened = {
  host: CaptureHost;
  clock: SessionClock;
  order: CaptureOrder;
  tell: (message: FromCapture) => Promise<void>;
  shortcuts: Shortcuts;
  ffmpeg: FfmpegInfo;
  lists: FrontLists;
  desktop: DesktopWatch;
  target: ResolvedTarget;
  reserve: { release(): boolean };
  files: ReturnType<typeof openFiles>;
  /** Is told of each line that waits to be written. */
  waiting: { tell(): void };
};

/** Throws (with nothing started) when the display, the target or ffmpeg is not there. */
export async function openForCapture(
  host: CaptureHost,
  clock: SessionClock,
  order: CaptureOrder,
  tell: Opened['tell'],
): Promise<Opened> {
  const shortcuts = parseShortcuts(order.shortcuts);
  const ffmpeg = order.ffmpeg ? toldFfmpeg(order.ffmpeg) : await findFfmpeg();
  const lists: FrontLists = { exclude: order.exclude, only: order.only };
  const desktop = await startDesktopWatch(clock, lists, order.outside !== undefined);
  const { ready } = desktop;
  refuseUnseen(ready, order, hasLists(lists));
  const target = resolveTarget(order.target, ready.displays, ready.windows);
  mkdirSync(join(order.folder, 'keyframes'), { recursive: true });
  const reserve = openDiskReserve(order.folder);
  const waiting = { tell: (): void => undefined };
  const files = openFiles(order.folder, () => waiting.tell());
  return { host, clock, order, tell, shortcuts, ffmpeg, lists, desktop, target, reserve, files, waiting };
}
