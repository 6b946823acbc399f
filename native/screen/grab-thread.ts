import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type SessionClock, sessionClock } from '../clock/session-clock.ts';
import type { GrabReport, GrabSetup } from './grab-protocol.ts';

type GrabThread<Setup extends GrabSetup> = {
  setup: Setup;
  port: MessagePort;
  clock: SessionClock;
  report: (message: GrabReport) => void;
};

/** This thread, as the recorder has started it to take pictures. */
export function grabThread<Setup extends GrabSetup>(): GrabThread<Setup> {
  const setup = workerData as Setup; // the recorder hands in exactly this
  const port = parentPort as MessagePort; // called only in a worker
  const clock = sessionClock(setup.startNs, setup.startedAtMs);
  return { setup, port, clock, report: (message) => port.postMessage(message) };
}
