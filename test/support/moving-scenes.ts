import path from 'node:path';
import type { VirtualDisplay } from './display.ts';
import { until } from './until.ts';

/** Screens that are recorded in the cost bench. All but the still one keep moving until their program is stopped. */
export const SCENES = {
  still: 'Still screen',
  terminal: 'An xterm of 300 x 90 that prints without end',
  page: 'A page as large as the screen scrolls, 60 times a second',
  video: 'A video of 1280x720 plays in a window, 30 pictures a second',
} as const;
export type Scene = keyof typeof SCENES;

const program = (name: string): string => path.join(import.meta.dirname, name);
/** Longer than any bench. */
const SECONDS = '3600';

/** Starts the scene and resolves when it moves. `stop` ends it. */
export async function startScene(display: VirtualDisplay, scene: Scene): Promise<{ stop(): Promise<void> }> {
  if (scene === 'still') return { stop: async () => undefined };
  if (scene === 'terminal') {
    const terminal = ['-fn', '6x13', '-geometry', '300x90+0+0', '-e', process.execPath, program('printer.ts')];
    const started = await display.launch('xterm', terminal);
    return { stop: async () => void (await started.stop()) };
  }
  const painter = program(scene === 'page' ? 'scroller.ts' : 'player.ts');
  const started = await display.launch(process.execPath, [painter, SECONDS]);
  await until('the painter', () => started.stdout().includes('ready'), { seen: started.stderr });
  return { stop: async () => void (await started.stop()) };
}
