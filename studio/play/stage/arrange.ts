import { plural } from '../../../core/words.ts';
import { startProcess } from '../../../native/process/start-process.ts';
import { protocol } from '../../../native/process/supervise.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Rect } from '../../../schemas/events.ts';
import type { Recipe } from '../../../schemas/play.ts';

/** The order of the process that arranges a stage: the windows that are waited for, and their places. */
export type ArrangeOrder = {
  type: 'arrange';
  /** `raise`: it was there before, perhaps behind others. */
  windows: { title: string; place: Rect | null; raise: boolean }[];
  /** Whether programs were started, which paint for a while. */
  programs: boolean;
  screen: { width: number; height: number };
};
/** `waiting`: for the window of this index; the titles are those that are there instead. */
export type Arranged =
  | { type: 'arranged' }
  | { type: 'failed'; message: string }
  | { type: 'waiting'; window: number; titles: string[] };

/** A window manager puts its frame at the place, so that what is inside lies this much further at most, px. */
const FRAME = 64;

/** Whether a window lies as it was put: `is`, what is inside its frame. */
export const isPlacedAs = (is: Rect, { x, y, width, height }: Rect): boolean =>
  is.width === width && is.height === height && Math.abs(is.x - x) <= FRAME && Math.abs(is.y - y) <= FRAME;

/** A program that the recipe started. */
export type StartedProgram = {
  command: string;
  window: string | undefined;
  /** It was not started now: its window is there from before. */
  wasThere?: true;
  /** How it ended, in words (`status 1`); null while it runs, or when nothing was wrong. */
  failed(): string | null;
  /** The last of what it printed. */
  said(): string;
};

/** How long programs may take to show their windows, ms, and how often it is looked whether they still run. */
const PATIENCE_MS = 90_000;
const LOOK_MS = 200;
const MOST_TITLES = 5;

/**
 * Waits for a recipe's windows, puts them in their places, and waits until the screen is still. Throws CAPTURE_FAILED, at once
 * when a program failed before its window was there.
 */
export async function arrange(
  recipe: Pick<Recipe, 'programs'>,
  started: readonly StartedProgram[],
  env: Record<string, string>,
  screen: ArrangeOrder['screen'],
  { signal, patienceMs = PATIENCE_MS }: { signal?: AbortSignal; patienceMs?: number } = {},
): Promise<void> {
  const windows = recipe.programs.flatMap(({ window, place }, n) =>
    window === undefined ? [] : [{ title: window, place: place ?? null, raise: started[n]?.wasThere === true }],
  );
  const order: ArrangeOrder = { type: 'arrange', windows, programs: started.length > 0, screen };
  const waitedFor = (): StartedProgram | undefined =>
    started.filter(({ window }) => window !== undefined)[awaited.window];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let awaited: Arranged & { type: 'waiting' } = { type: 'waiting', window: 0, titles: [] };
  // Xlib stops a thread whose display is gone (native/linux/x11.ts), so that nothing of the studio's may use it here.
  const child = startProcess<ArrangeOrder, Arranged>(new URL('./arrange-main.ts', import.meta.url), {
    // It is this program's own, not one of the recipe's: it takes what was compiled before.
    env: { ...process.env, ...env },
    signal,
    accepts: protocol<Arranged>({ arranged: true, failed: true, waiting: true }),
    onMessage(message) {
      if (message.type === 'waiting') awaited = message;
      else if (message.type === 'arranged') resolve();
      else reject(failed(message.message));
    },
  });
  void child.ended.then(({ why, status, error }) => {
    if (why === 'aborted') reject(error);
    else if (why === 'unstarted') reject(failed(`The stage could not be looked at: ${String(error)}`));
    else
      reject(
        failed(
          `The display of the stage could not be looked at (status ${status}): it ended while the stage was set up. Try again; if it happens again, look for what ends Xvfb on this machine.`,
        ),
      );
  });
  const timer = setTimeout(() => reject(lateWindow(waitedFor(), awaited.titles, patienceMs)), patienceMs);
  const watch = setInterval(() => {
    const program = waitedFor();
    const how = program?.failed() ?? null;
    if (program && how !== null) reject(endedEarly(program, how));
  }, LOOK_MS);
  child.send(order);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    void child.kill();
  }
}

function endedEarly({ command, window, said }: StartedProgram, how: string): StudioError {
  const message = `The recipe's program “${command}” ended (${how}) before its window “${window}” was there. ${printed(said())} Check its arguments and files in the recipe.`;
  return new StudioError('CAPTURE_FAILED', message, { program: command });
}

function lateWindow(program: StartedProgram | undefined, titles: readonly string[], patienceMs: number): StudioError {
  if (!program) return failed(`The screen of the stage could not be looked at within ${patienceMs / 1000} s.`);
  const { command, window, said } = program;
  const names = titles.filter((title) => title !== '');
  const more = names.length - MOST_TITLES;
  const open = names.slice(0, MOST_TITLES).map((title) => `“${title}”`);
  const there =
    open.length === 0
      ? 'No window was open.'
      : `Open ${names.length === 1 ? 'was' : 'were'} ${open.join(', ')}${more > 0 ? ` and ${plural(more, 'other')}` : ''}.`;
  const message = `No window of “${command}” with “${window}” in its title came within ${patienceMs / 1000} s. ${there} ${printed(said())} Write a part of its title as “window” in the recipe, or check the program's arguments.`;
  return new StudioError('CAPTURE_FAILED', message, { program: command, window });
}

const printed = (text: string): string => (text === '' ? 'It printed nothing.' : `It printed: “${text}”.`);
const failed = (message: string): StudioError => new StudioError('CAPTURE_FAILED', message, {});
