import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { speakingArgs, speakingEnv } from '../../../native/elements/speaking.ts';
import type { Recipe, Service } from '../../../schemas/play.ts';
import { lastBytesIn } from '../../files/bounded.ts';
import { arrange, type StartedProgram } from './arrange.ts';
import { bearsNoClock } from './clock.ts';
import { stageFolder } from './home.ts';
import { failed, logOf, type StagePlace, type StartedOnStage } from './place.ts';
import type { RunningService } from './services.ts';

/** Starts programs on a stage that is there: those of a recipe, its services, and what runs to its end. */

export type Launch = {
  id: string;
  place: StagePlace;
  env: Record<string, string>;
  speaks: boolean;
  /** Variables by which a program sees the stage's clock. */
  clock: Record<string, string>;
  screen: { width: number; height: number };
  /** The programs that were started, by their words. */
  opened: Set<string>;
};

export type ToStart = {
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  clock?: 'machine' | undefined;
};

/** Starts one with what the recipe says. `log`: the name of what it prints into. */
function startOn({ place, env, speaks, clock }: Launch, program: ToStart, log: string): StartedOnStage {
  const { command, args, env: more } = program;
  const words = args.map((arg) => (arg.startsWith('~/') ? join(place.home, arg.slice(2)) : arg));
  const timed = hasOwnTime(program) ? env : { ...env, ...clock };
  if (!speaks) return place.run({ command, args: words, env: { ...timed, ...more }, log });
  return place.run({
    command,
    args: speakingArgs({ program: command, args: words }),
    env: { ...speakingEnv(timed), ...more },
    log,
  });
}

/** It sees the machine's time: its recipe says so, or it is known not to bear another one. */
const hasOwnTime = (program: Pick<ToStart, 'command' | 'clock'>): boolean =>
  program.clock === 'machine' || bearsNoClock(program.command);

export function startService(launch: Launch, service: Service): RunningService {
  const log = `service-${service.name}`;
  const running = startOn({ ...launch, speaks: false }, service, log);
  return { ...startedProgram(service.command, undefined, launch.id, running, log), name: service.name };
}

/** Throws CAPTURE_FAILED with the last that it printed. */
export async function runToEnd(launch: Launch, program: ToStart, limitMs: number): Promise<void> {
  const log = `once-${randomBytes(4).toString('hex')}`;
  const running = startOn({ ...launch, speaks: false }, program, log);
  const { failed: how, said } = startedProgram(program.command, undefined, launch.id, running, log);
  const until = performance.now() + limitMs;
  while (!running.ended()) {
    if (performance.now() > until)
      throw failed(`“${program.command}” had not ended after ${limitMs / 1000} s. ${printed(said())}`);
    await sleep(ENDED_LOOK_MS);
  }
  const why = how();
  if (why !== null) throw failed(`“${program.command}” ended (${why}). ${printed(said())}`);
}
const ENDED_LOOK_MS = 20;

export const raising = (window: string): Pick<Recipe, 'programs'> => ({
  programs: [{ command: '', args: [], env: {}, window }],
});
export const HAS_BEGUN: StartedProgram = {
  command: '',
  window: '',
  wasThere: true,
  failed: () => null,
  said: () => '',
};

const wordsOf = ({ command, args }: Pick<Recipe['programs'][number], 'command' | 'args'>): string =>
  JSON.stringify([command, args]);

/** Whether one of a recipe's programs was started before, so that its window may be there. */
export const wereOpened = ({ opened }: Pick<Launch, 'opened'>, { programs }: Pick<Recipe, 'programs'>): boolean =>
  programs.some((program) => opened.has(wordsOf(program)));

/** `titles`: of windows that are there. Throws CAPTURE_FAILED. */
export async function openPrograms(
  launch: Launch,
  recipe: Pick<Recipe, 'programs'>,
  titles: readonly string[],
  options: { signal?: AbortSignal; patienceMs?: number },
): Promise<void> {
  const { id, env, screen, opened } = launch;
  const started = recipe.programs.map((program): StartedProgram => {
    const { command, window } = program;
    const key = wordsOf(program);
    if (window !== undefined && opened.has(key) && titles.some((title) => title.includes(window)))
      return { command, window, wasThere: true, failed: () => null, said: () => '' };
    opened.add(key);
    return startedProgram(command, window, id, startOn(launch, program, command));
  });
  await arrange(recipe, started, env, screen, options);
}

/** The end of what a program printed is told in errors, since its stage goes away with them. */
const MOST_SAID_LINES = 3;
const MOST_SAID = 400;
const MOST_READ = 4000;

const printed = (text: string): string => (text === '' ? 'It printed nothing.' : `It printed: “${text}”.`);

function startedProgram(
  command: string,
  window: string | undefined,
  id: string,
  running: StartedOnStage,
  log = command,
): StartedProgram {
  return {
    command,
    window,
    failed: running.failed,
    said: () => {
      const end = lastBytesIn(stageFolder(id), logOf(log), MOST_READ).toString('utf8');
      return end
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .slice(-MOST_SAID_LINES)
        .join(' / ')
        .slice(-MOST_SAID);
    },
  };
}
