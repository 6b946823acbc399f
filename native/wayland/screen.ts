import type { ScreenOptions, ScreenRecorder } from '../screen/contract.ts';
import { LIBC_PIPES } from '../screen/libc-pipe.ts';
import { createRecorder } from '../screen/recorder.ts';
import type { CastSetup } from './cast-worker.ts';
import { tokenFile } from './token.ts';

/** The recorder of a screen that the portal shares. `start` waits until the person has answered. */
export function waylandScreen(options: ScreenOptions): ScreenRecorder {
  const { name, x, y, width, height, scale } = options.display;
  const asking: Pick<CastSetup, 'display' | 'tokenFile'> = {
    display: { name, x, y, width, height, scale },
    tokenFile: tokenFile(),
  };
  return createRecorder(options, {
    ...LIBC_PIPES,
    grabber: 'pipewire',
    mode: 'damage',
    worker: new URL('./cast-worker.ts', import.meta.url),
    asking,
    lossless: true,
  });
}
