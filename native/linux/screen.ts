import type { ScreenOptions, ScreenRecorder } from '../screen/contract.ts';
import { LIBC_PIPES } from '../screen/libc-pipe.ts';
import { createRecorder } from '../screen/recorder.ts';

/** Records an X server's screen through memory that is shared with it. */
export function createX11Recorder(options: ScreenOptions): ScreenRecorder {
  return createRecorder(options, {
    ...LIBC_PIPES,
    grabber: 'x11-shm',
    mode: 'damage',
    worker: new URL('./grab-worker.ts', import.meta.url),
    lossless: true,
  });
}
