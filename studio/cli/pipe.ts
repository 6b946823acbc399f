import type { OutsidePictures } from '../../native/screen/contract.ts';
import { BUILT_PAGES, ensurePages } from '../api/build-pages.ts';
import { listenOnPipe } from '../api/pipe.ts';
import { createStudio } from '../api/studio.ts';
import { userHome } from '../session/home.ts';
import type { CliContext } from './context.ts';
import { untilTold } from './stop.ts';

type PipeWishes = { path: string; workspace: string | undefined; build: boolean };

/**
 * Runs the studio behind a Unix socket or named pipe for the desktop app, until a signal or the end of its standard
 * input: whoever started it holds the other end, so that no studio outlives its host.
 */
export async function runOnPipe({ path, workspace: dir, build }: PipeWishes, context: CliContext): Promise<void> {
  const token = process.env.TRAJECTORY_STUDIO_TOKEN;
  // The capture process and ffmpeg have no business with it.
  delete process.env.TRAJECTORY_STUDIO_TOKEN;
  const pages = build ? await ensurePages(context.progress) : BUILT_PAGES;
  const outside = outsidePictures();
  const studio = createStudio({ version: context.version, home: userHome(), ...(outside && { outside }) });
  try {
    const workspace = dir === undefined ? null : await studio.workspaces.open(dir, { create: true });
    const listening = await listenOnPipe({ studio, pages, path, ...(token && { token }) });
    // Before it says that it is there: who reads that may tell it to end at once, and nothing would be closed.
    const told = Promise.race([untilTold(), inputEnds()]);
    try {
      const line = { pipe: path, pid: process.pid, version: context.version, workspace };
      context.result(token ? line : { ...line, token: listening.token }, `Trajectory Studio listens on ${path}`);
      await told;
      context.progress('closing …');
    } finally {
      // Open, it would keep the process alive after a signal.
      process.stdin.destroy();
      await listening.close();
    }
  } finally {
    await studio.close();
  }
}

/** Where the desktop app hands over pictures of the screen, in a Wayland session: `TOKEN PATH`. */
function outsidePictures(): OutsidePictures | null {
  const text = process.env.TRAJECTORY_STUDIO_SCREEN ?? '';
  delete process.env.TRAJECTORY_STUDIO_SCREEN;
  const [, token, path] = /^([A-Za-z0-9_-]{32,}) (\/.+)$/.exec(text) ?? [];
  return token !== undefined && path !== undefined ? { token, path } : null;
}

function inputEnds(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.stdin.once('end', resolve);
  process.stdin.once('error', () => resolve());
  process.stdin.resume();
  return promise;
}
