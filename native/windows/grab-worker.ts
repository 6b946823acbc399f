import { workerData } from 'node:worker_threads';
import { runGrabLoop } from '../screen/grab-loop.ts';
import type { GrabSetup } from '../screen/grab-protocol.ts';
import { gdiReader } from './gdi.ts';

/** Reads the Windows desktop at every tick; what is as before is not handed on. */
runGrabLoop(
  workerData as GrabSetup, // the recorder hands in exactly this
  gdiReader(),
);
