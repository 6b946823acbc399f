import type { OutsidePictures, ScreenOptions, ScreenRecorder } from './contract.ts';
import { LIBC_PIPES } from './libc-pipe.ts';
import type { OutsideSetup } from './outside-worker.ts';
import { createRecorder } from './recorder.ts';

/** Records pictures that another process hands over (Wayland). `start` waits until they come. */
export function createOutsideRecorder(options: ScreenOptions, outside: OutsidePictures): ScreenRecorder {
  const { x, y, width, height } = options.display;
  const asking: Pick<OutsideSetup, 'outside' | 'display'> = { outside, display: { x, y, width, height } };
  return createRecorder(options, {
    ...LIBC_PIPES,
    grabber: 'portal',
    mode: 'delivered',
    worker: new URL('./outside-worker.ts', import.meta.url),
    asking,
    lossless: false,
  });
}
