import { timeOfText } from '../../../core/compositions/day.ts';
import type { Turn } from '../../../core/compositions/rollout.ts';
import { slotsIn } from '../../../core/compositions/slots.ts';
import { copyAfter, handedOver, stageNameOf, stagesNeeded, stagesOf } from '../../../core/compositions/stages.ts';
import { filesTaken } from '../../../core/compositions/taken-files.ts';
import { oneLine, plural } from '../../../core/words.ts';
import type { Composition } from '../../../schemas/composition.ts';
import type { CompositionRun, MemberResult } from '../../../schemas/composition-run.ts';
import { STAGE_PLATFORM } from '../../../schemas/composition-terms.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Recipe } from '../../../schemas/play.ts';
import type { StageClock } from '../../play/stage/clock.ts';
import { copiesOf, findCopy } from '../../play/stage/copies.ts';
import { type CopyWishes, type TakenHome, takeHome } from '../../play/stage/home-copy.ts';
import { endProcesses } from '../../play/stage/processes.ts';
import type { SetStage } from '../../play/stage/set-stage.ts';
import { endStageTelling } from '../../play/stage/stage.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { MemberActor } from './actor.ts';
import { commonRecipe, type MemberStage, setCommonStage } from './stage.ts';

/**
 * The stages of a run (CP30 to CP32). All that its tasks need are set up before the first task: what one of them lacks is said before
 * hours of work, events reach each of them, and no task waits for a stage. They have one clock. One that gives out is ended at once.
 */
export type RunStages = {
  /** The one clock of all; null: their programs see the machine's. */
  readonly clock: StageClock | null;
  /** Why stages are gone, in words, by their names. */
  readonly gone: ReadonlyMap<string, string>;
  /** A stage with the services that it has. Throws UNKNOWN_DISPLAY for one that is gone or was not set up. */
  on(name: string): { stage: SetStage; services: Recipe['services'] };
  /**
   * Whether a stage has given out, while another one is there: then it is ended, and among those gone. Throws what ended it where
   * it was the last one, or where the disk is full, which no stage outlives.
   */
  hasGone(name: string): Promise<boolean>;
  /** Ends all. Never throws. */
  end(): Promise<void>;
};

type Wishes = {
  workspace: Workspace;
  composition: Composition;
  /** The members with their stages, in the order in which they are done. */
  members: readonly MemberStage[];
  run: Pick<CompositionRun, 'id' | 'order' | 'results' | 'resumes'>;
  actor: MemberActor;
  /** The time that their programs see, ms since 1970; null: the machine's. */
  clock: number | null;
  withoutCage: boolean;
  signal: AbortSignal;
  progress(text: string): void;
};

/** Throws UNSUPPORTED_PLATFORM for a stage of a platform that no stage is set up for here. Those that no member needs may be of any. */
export function needPlatforms(composition: Composition, order: readonly string[]): void {
  const needed = stagesNeeded(composition, order);
  for (const { name, platform } of stagesOf(composition)) {
    if (!needed.includes(name) || platform.toLowerCase() === STAGE_PLATFORM.toLowerCase()) continue;
    const on = composition.members.filter((member) => stageNameOf(composition, member) === name).map(({ id }) => id);
    throw new StudioError(
      'UNSUPPORTED_PLATFORM',
      `The stage “${name}” is of the platform ${platform}, and stages are set up for ${STAGE_PLATFORM} alone. Give it that platform and its tasks (${on.slice(0, 5).join(', ')}) a recipe for it, or do them on another stage.`,
      { stage: name, platform },
    );
  }
}

/** Sets them up one after another. Throws as setting any stage up does, and USAGE where the copy of a home is missing; none is left then. */
export async function openStages(wishes: Wishes): Promise<RunStages> {
  const { workspace, composition, members, run, actor, progress } = wishes;
  const left = run.order.slice(run.results.length);
  const needed = neededBy(composition, run.order, left);
  // Said before a stage is set up, when one was removed.
  const copies = new Map(needed.map((name) => [name, copyFor(wishes, name)]));
  const stages = new Map<string, SetStage>();
  const gone = new Map<string, string>();
  const lost: SetStage[] = [];
  const recipes = new Map<string, MemberStage[]>(
    needed.map((name) => [name, members.filter(({ stage }) => stage === name)]),
  );
  const end = async (): Promise<void> => {
    await Promise.all([...stages.values(), ...lost].map((stage) => endStageTelling(stage, progress)));
  };
  try {
    for (const [name, own] of recipes) {
      const count = own.filter(({ member }) => left.includes(member)).length;
      progress(`setting the stage ${needed.length > 1 ? `“${name}” ` : ''}for ${plural(count, 'task')} …`);
      const { clock, withoutCage, signal } = wishes;
      const given = actor.screenFor?.(own.map(({ member }) => member)) ?? actor;
      const { size, layout } = given;
      const common = { clock, size, layout, elements: actor.elements === true, withoutCage, signal };
      stages.set(name, await setCommonStage(workspace, own, { ...common, copy: copies.get(name) ?? null }, progress));
    }
  } catch (error) {
    await end();
    throw error;
  }
  const clock = oneClock(stages);
  return {
    clock,
    gone,
    on(name) {
      const stage = stages.get(name);
      const own = recipes.get(name);
      if (stage && own) return { stage, services: commonRecipe(own).recipe.services };
      const why = gone.get(name) ?? `The stage “${name}” is not set up: no task is done on it.`;
      throw new StudioError('UNKNOWN_DISPLAY', why, { stage: name });
    },
    async hasGone(name) {
      const stage = stages.get(name);
      const error = stage?.gone() ?? null;
      if (!stage || error === null) return !stage;
      if (stages.size === 1 || error.code === 'DISK_FULL') throw error;
      stages.delete(name);
      lost.push(stage);
      const why = `the stage “${name}” gave out (${error.message.replace(/\.$/, '')})`;
      gone.set(name, why);
      progress(`warning: ${why}: what is to be done on it, and what hangs on that, is not done`);
      // Its folder stays until the end: a copy of its home may still be on its way to the disk.
      await endProcesses(stage.id);
      return true;
    },
    end,
  };
}

/** Those of the tasks that are left, those that events happen on, and those that files of the tasks that are left lie on. */
function neededBy(composition: Composition, order: readonly string[], left: readonly string[]): string[] {
  const ofEvents = new Set((composition.events ?? []).map((event) => stageNameOf(composition, event)));
  const sources = composition.members.flatMap((one) => (left.includes(one.id) ? filesTaken(one) : []));
  const ofTasks = stagesNeeded(composition, [...left, ...sources.map(({ from }) => from)]);
  return stagesNeeded(composition, order).filter((name) => ofTasks.includes(name) || ofEvents.has(name));
}

function copyFor({ workspace, run, members }: Wishes, name: string): string | null {
  const { results } = run;
  const copy = copyAfter(results, name);
  if (copy !== null) {
    findCopy(copiesOf(workspace.dir), copy);
    return copy;
  }
  const own = members.filter(({ stage }) => stage === name).map(({ member }) => member);
  if (!results.some(({ member, recording }) => recording !== null && own.includes(member))) return null;
  throw new StudioError(
    'USAGE',
    `The run ${run.resumes?.run ?? run.id} cannot be gone on with: no copy of its stage's home was made. Begin a new one.`,
    {},
  );
}

/** They were set up one after another, and show the same time from here on. */
function oneClock(stages: ReadonlyMap<string, SetStage>): StageClock | null {
  const [first] = [...stages.values()].flatMap(({ clock }) => clock ?? []);
  if (!first) return null;
  let ahead = 0;
  const set = (to: number): void => {
    ahead = to - Date.now();
    for (const { clock } of stages.values()) clock?.set(to);
  };
  if (stages.size > 1) set(first.now());
  else ahead = first.now() - Date.now();
  return { now: () => Date.now() + ahead, set };
}

/** The clock's time where a run begins; `begins`: of one that goes on with none. */
export const clockOf = ({ results }: Pick<CompositionRun, 'results'>, begins: number | null): number | null => {
  const last = results.findLast(({ clock }) => clock !== undefined)?.clock;
  return last ? timeOfText(last.to) : begins;
};

/** Takes the homes of stages that are there. */
export async function takeHomes(
  stages: RunStages,
  names: readonly string[],
  wishes: CopyWishes,
): Promise<(TakenHome & { of: string })[]> {
  const taken: (TakenHome & { of: string })[] = [];
  for (const of of names.filter((name) => !stages.gone.has(name)))
    taken.push({ of, ...(await takeHome(stages.on(of).stage, wishes)) });
  return taken;
}

/** The values that a task is told of tasks on other stages, in words. */
export function handOver(
  composition: Composition,
  { member, level }: Turn & { do: 'run' },
  before: readonly MemberResult[],
): string[] {
  if (level === 'L0') return [];
  const slots = slotsIn(member.instructions[level] ?? member.instructions.base);
  return handedOver(composition, member, slots).map(({ of, output, from }) => {
    const value = before.find((result) => result.member === of)?.values.find(({ name }) => name === output)?.value;
    return `${of}.${output} = ${oneLine(value ?? '').slice(0, 100)} is handed over from “${from}”`;
  });
}
