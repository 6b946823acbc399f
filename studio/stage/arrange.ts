import { fork } from 'node:child_process';
import { StudioError } from '../../schemas/errors.ts';
import type { Recipe } from '../../schemas/play.ts';

/** The order of the process that arranges a stage: the windows that are waited for, and their places. */
export type ArrangeOrder = {
  windows: { title: string; place: { x: number; y: number; width: number; height: number } | null }[];
  screen: { width: number; height: number };
};
export type Arranged = { type: 'arranged' } | { type: 'failed'; message: string };

/** How long programs may take to show their windows, ms. */
const PATIENCE_MS = 90_000;

/** Waits for a recipe's windows, puts them in their places, and waits until the screen is still. Throws CAPTURE_FAILED. */
export async function arrange(
  recipe: Recipe,
  env: Record<string, string>,
  screen: ArrangeOrder['screen'],
  signal?: AbortSignal,
): Promise<void> {
  const windows = recipe.programs.flatMap(({ window, place }) =>
    window === undefined ? [] : [{ title: window, place: place ?? null }],
  );
  const order: ArrangeOrder = { windows, screen };
  // Xlib stops a thread whose display is gone (native/linux/x11.ts), so that nothing of the studio's may use it here.
  const child = fork(new URL('./arrange-main.ts', import.meta.url), [], {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await new Promise<void>((done, fail) => {
    const end = (act: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      child.kill('SIGKILL');
      act();
    };
    const stop = (): void => end(() => fail(signal?.reason));
    const late = (): void =>
      end(() =>
        fail(
          failed(
            `The windows of the recipe did not come within ${PATIENCE_MS / 1000} s: ${windows.map(({ title }) => `“${title}”`).join(', ')}. Look at the titles that it names, and at the programs' output in the stage's folder.`,
          ),
        ),
      );
    const timer = setTimeout(late, PATIENCE_MS);
    signal?.addEventListener('abort', stop);
    child.on('message', (message: Arranged) =>
      end(() => (message.type === 'arranged' ? done() : fail(failed(message.message)))),
    );
    child.once('exit', (status) => end(() => fail(failed(`The stage could not be looked at (status ${status}).`))));
    child.once('error', (error) => end(() => fail(failed(`The stage could not be looked at: ${error.message}`))));
    child.send(order);
  });
}

const failed = (message: string): StudioError => new StudioError('CAPTURE_FAILED', message, {});
