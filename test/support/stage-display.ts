import type { VirtualDisplay } from './display.ts';
import { start } from './process.ts';

/** A stage's display as the person and the recorder of the tests take one. `env`: with the stage's own variables. */
export const stageDisplay = (
  env: NodeJS.ProcessEnv,
  place: Pick<VirtualDisplay, 'name' | 'home' | 'width' | 'height'>,
): VirtualDisplay =>
  ({
    ...place,
    env,
    launch: (command: string, args: readonly string[]) => start(command, args, { env }),
  }) as unknown as VirtualDisplay; // They take no more of it.
