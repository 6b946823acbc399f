import type { SessionClock } from '../../native/clock/session-clock.ts';
import type { ScreenRecorder } from '../../native/screen/contract.ts';
import { type CaptureInfo, RECORDING_SCHEMA, RECORDING_VERSION, type Recording } from '../../schemas/recording.ts';
import type { DesktopWatch } from './desktop-watch.ts';
import { OUTSIDE_WARNINGS } from './outside.ts';
import type { CaptureOrder } from './protocol.ts';

/** recording.json as it is while a recording runs: what a recovery knows when nothing else was written any more. */
export function draftOf(
  order: CaptureOrder,
  clock: SessionClock,
  made: { desktop: DesktopWatch; screen: ScreenRecorder; target: CaptureInfo['target'] },
): Recording {
  const { desktop, screen, target } = made;
  const startedAt = new Date(clock.startedAtMs).toISOString();
  return {
    schema: RECORDING_SCHEMA,
    version: RECORDING_VERSION,
    id: order.id,
    state: 'recording',
    tool: order.tool,
    app: order.app,
    task: order.task,
    person: order.person,
    ...(order.played && { played: order.played }),
    ...(order.stageClock && { stageClock: order.stageClock }),
    os: desktop.os,
    clock: { source: clock.source, startNs: String(clock.startNs), startedAt },
    span: null,
    displays: [{ t: 0, displays: desktop.ready.displays }],
    settings: desktop.ready.settings,
    capture: {
      target,
      fps: order.fps,
      grabber: screen.grabber,
      mode: screen.mode(),
      encoder: screen.encoder,
      cursor: false,
      lossless: order.outside === undefined,
    },
    segments: [],
    playback: null,
    counts: { frames: 0, dropped: 0, late: 0, black: 0, ticks: 0, events: 0 },
    sync: null,
    verdict: null,
    warnings: order.outside ? [...OUTSIDE_WARNINGS] : desktop.ready.warnings,
  };
}
