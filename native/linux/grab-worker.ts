import { workerData } from 'node:worker_threads';
import { runGrabLoop } from '../screen/grab-loop.ts';
import type { GrabSetup } from '../screen/grab-protocol.ts';
import { watchDamage } from './damage.ts';
import { createShmImage, freeShmImage, grabInto } from './shm.ts';
import { openX, x11 } from './x11.ts';

/** Reads an X server's screen through shared memory, and by Damage only when something was painted. */

const display = openX();
const root = x11().root(display);

runGrabLoop(
  workerData as GrabSetup, // the recorder hands in exactly this
  {
    memory: {
      make: (width, height) => createShmImage(display, width, height),
      free: (image) => freeShmImage(display, image),
    },
    read: (into, x, y) => grabInto(display, root, into, x, y),
    damage: watchDamage(display, root),
    poll: 'The X server has no Damage extension.',
  },
);
