import { randomBytes } from 'node:crypto';
import { eventsBefore } from '../../../core/compositions/day.ts';
import { keptTasks, resultsBefore } from '../../../core/compositions/rollout.ts';
import type { Composition } from '../../../schemas/composition.ts';
import {
  COMPOSITION_RUN_SCHEMA,
  COMPOSITION_RUN_VERSION,
  type CompositionRun,
  FIRST_RUN_VERSION,
  RUN_VERSION_ON_ONE_STAGE,
  RUN_VERSION_WITH_TAKEN_FILES,
  RUN_VERSION_WITH_TEMPLATES,
} from '../../../schemas/composition-run.ts';
import {
  COMPOSITION_VERSION,
  VERSION_WITH_TAKEN_FILES,
  VERSION_WITH_TEMPLATES,
} from '../../../schemas/composition-terms.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { InstructionLevel } from '../../../schemas/instruction-levels.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { MemberActor } from './actor.ts';
import type { MemberStage } from './stage.ts';

/** A run as it begins: a new one, or one that goes on with an earlier one. */

export type RolloutWishes = {
  workspace: Workspace;
  composition: Composition;
  actor: MemberActor;
  level: InstructionLevel;
  context: CompositionRun['context'];
  /** The simulated user, and how many questions of each task it answers; undefined: there is none. */
  ask: CompositionRun['ask'];
  /** Draws the events. */
  seed: number;
  /** Longest task, ms. */
  timeMs: number;
  withoutCage: boolean;
  /** An earlier run, and the number from 1 of the task from which it is done again; null: a new one. */
  goOn: { run: CompositionRun; from: number } | null;
  progress(text: string): void;
  signal: AbortSignal;
};

/** All that is known before anything is done. */
export type Plan = { order: string[]; stages: MemberStage[]; kept: CompositionRun['kept'] };

/** An older program would read neither stages nor a composition of this version, which the run holds. */
function runVersion({ version }: Composition, isOfTwo: boolean): CompositionRun['version'] {
  if (version === COMPOSITION_VERSION) return COMPOSITION_RUN_VERSION;
  if (version === VERSION_WITH_TAKEN_FILES) return RUN_VERSION_WITH_TAKEN_FILES;
  if (version === VERSION_WITH_TEMPLATES) return RUN_VERSION_WITH_TEMPLATES;
  return isOfTwo ? RUN_VERSION_ON_ONE_STAGE : FIRST_RUN_VERSION;
}

/** The run as it begins. Throws USAGE, CONFLICT for one that cannot be gone on with from there. */
export function beginRun(
  { composition, actor, level, context, ask, seed, goOn }: RolloutWishes,
  { order, kept }: Plan,
): CompositionRun {
  const begun: CompositionRun = {
    schema: COMPOSITION_RUN_SCHEMA,
    version: runVersion(composition, actor.actor.kind === 'person' || ask?.played !== undefined),
    id: randomBytes(6).toString('hex'),
    at: new Date().toISOString(),
    composition,
    actor: actor.actor,
    level,
    context,
    ...(ask && { ask }),
    seed,
    order,
    kept,
    resumes: null,
    results: [],
    begun: null,
    ended: null,
  };
  if (!goOn) return begun;
  const { run, from } = goOn;
  const conflict = (why: string): StudioError =>
    new StudioError('CONFLICT', `The run ${run.id} cannot be gone on with: ${why}. Begin a new one.`, { run: run.id });
  const other = run.kept.find((one) => {
    const now = kept.find(({ member, output }) => member === one.member && output === one.output);
    return now !== undefined && now.sha256 !== one.sha256;
  });
  if (other) throw conflict(`the file “${other.file}” of “${other.member}” is another one than then`);
  const results = resultsBefore(run.order, run.results, from);
  if (!Array.isArray(results))
    throw new StudioError('USAGE', `The run ${run.id} cannot be gone on with at task ${from}: ${results.why}.`, {
      run: run.id,
    });
  const most = keptTasks({ results, ...(run.events && { events: run.events }) });
  if (most < results.length) {
    const why = `no copy of the home was made after task ${most + 1}`;
    throw new StudioError(
      'USAGE',
      `The run ${run.id} cannot be gone on with at task ${from}: ${why}. Use --from ${most + 1}.`,
      {
        run: run.id,
      },
    );
  }
  const events = eventsBefore(run.events ?? [], results);
  return { ...begun, order: run.order, results, events, resumes: { run: run.id, from: run.order[from - 1] ?? '' } };
}

/** The settings that a run takes over from the one it goes on with: everything that makes both comparable. */
export const sameAs = ({
  composition,
  level,
  context,
  ask,
  seed,
}: CompositionRun): Pick<RolloutWishes, 'composition' | 'level' | 'context' | 'ask' | 'seed'> => ({
  composition,
  level,
  context,
  ask,
  seed: seed ?? 0,
});
