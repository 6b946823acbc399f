import { startSessionClock } from '../../native/clock/session-clock.ts';
import { openPlatform } from '../../native/index.ts';
import type { Platform } from '../../native/platform/platform.ts';
import { serveCalls } from '../../native/process/serve.ts';
import { takePictures } from './glance.ts';
import type { GlanceCalls } from './glancer.ts';

/**
 * Takes pictures of the screen for the studio, one answer for each call. A process of its own: a display that is gone ends or
 * hangs whoever asks it. Composition root: it only wires.
 */
const clock = startSessionClock();
let platform: Promise<Platform> | null = null;

serveCalls({
  async take(wishes) {
    platform ??= openPlatform(clock);
    // There may be a display the next time.
    platform.catch(() => {
      platform = null;
    });
    return takePictures(await platform, wishes);
  },
} satisfies GlanceCalls);
