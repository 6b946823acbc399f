import { startSessionClock } from '../../native/clock/session-clock.ts';
import { openPlatform } from '../../native/index.ts';
import { errorBody } from '../../schemas/errors.ts';
import { takePictures } from './glance.ts';
import type { GlanceWishes } from './glancer.ts';

/**
 * Takes pictures of the screen for the studio, one answer for each message. A process of its own: a display that is gone
 * ends or hangs whoever asks it. Composition root: it only wires.
 */
const platform = openPlatform(startSessionClock());

process.on('message', async (wishes: GlanceWishes) => {
  try {
    process.send?.({ pictures: await takePictures(await platform, wishes) });
  } catch (error) {
    process.send?.({ failed: errorBody(error).message });
  }
});
process.on('disconnect', () => process.exit(0));
