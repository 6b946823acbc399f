import { keptTasks } from '../../../core/compositions/rollout.ts';
import { runTable, runWords } from '../../../core/compositions/scores.ts';
import type { AgentHead } from '../../../schemas/agents.ts';
import type { CompositionRun } from '../../../schemas/composition-run.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { InstructionLevel } from '../../../schemas/instruction-levels.ts';
import type { ProtocolName } from '../../../schemas/protocols.ts';
import type { MemberActor } from '../../agents/compositions/actor.ts';
import { openAgent } from '../../agents/compositions/agent.ts';
import { type RolloutWishes, sameAs } from '../../agents/compositions/begin-run.ts';
import { openHuman } from '../../agents/compositions/human.ts';
import { openPlayer } from '../../agents/compositions/player.ts';
import { planRollout, rollOut } from '../../agents/compositions/rollout.ts';
import { compositionOf } from '../../documents/joined/composition-files.ts';
import { findRun, listCompositionRuns } from '../../documents/joined/run-files.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { CliContext } from '../context.ts';
import { showRuns } from '../show-runs.ts';
import { textTable } from '../table.ts';
import { askFirst, needRecipe, onStage, type StageOptions } from './on-stage.ts';

/** `run --composition ID`: all tasks of a composition, one after another on one stage. */

export type CompositionOptions = StageOptions & {
  composition: string;
  level: InstructionLevel;
  context: CompositionRun['context'];
  from?: number;
  ask?: number;
  user: 'slots' | 'model';
  /** Of a user whom a model plays. */
  userEndpoint?: string;
  userModel?: string;
  userProtocol: ProtocolName;
  seed: number;
  resume?: string;
  time?: number;
  attempts: number;
  /** The person who does it in the page; null: the player or a model does it. */
  human: string | null;
  browser: boolean;
  build: boolean;
};

/** A model as the command line names it; null: the player. Says what goes to whom, and asks. */
type ModelOf = (
  tasks: number,
  ask: CompositionRun['ask'],
) => Promise<({ head: AgentHead } & Pick<Parameters<typeof openAgent>[1], 'model' | 'userModel'>) | null>;

const TASK_MS = 10 * 60_000;
/** A person takes the time that they need. */
const HUMAN_MS = 24 * 3_600_000;

export async function runComposition(
  options: CompositionOptions,
  modelOf: ModelOf,
  context: CliContext,
): Promise<void> {
  if (options.recipe !== undefined)
    throw new StudioError('USAGE', '--recipe is of one task; a composition takes each task’s own recipe.', {});
  await onStage(options, async (workspace, on) => {
    const goOn = earlierRun(workspace, options);
    if (goOn && options.attempts > 1)
      throw new StudioError('USAGE', '--from and --resume go on with one run; --attempts begins new ones.', {});
    const what = goOn
      ? sameAs(goOn.run)
      : {
          ...options,
          seed: options.seed,
          ask: askOf(options),
          composition: compositionOf(workspace, options.composition),
        };
    const { composition } = what;
    const plan = await planRollout(workspace, composition, (task) => needRecipe(workspace, task, null));
    for (const task of new Set(plan.stages.map((one) => one.task))) await askFirst(workspace, task, options, context);
    const { version, progress } = context;
    const given = await modelOf(plan.order.length, what.ask);
    const runAll = async (actor: MemberActor): Promise<CompositionRun[]> => {
      const runs: CompositionRun[] = [];
      for (let n = 0; n < options.attempts && !on.signal.aborted; n++) {
        if (options.attempts > 1) progress(`attempt ${n + 1} of ${options.attempts}`);
        const { level, context: told, ask, seed } = what;
        const wishes: RolloutWishes = {
          workspace,
          composition,
          actor,
          level,
          context: told,
          ask,
          seed,
          timeMs: options.time ?? (options.human === null ? TASK_MS : HUMAN_MS),
          withoutCage: on.withoutCage,
          goOn,
          progress,
          signal: on.signal,
        };
        const run = await rollOut(wishes, plan);
        runs.push(run);
        if (run.ended?.how !== 'done') break;
      }
      return runs;
    };
    const shown = options.human === null ? null : await showRuns(workspace.dir, options, context);
    try {
      const actor: MemberActor =
        shown && options.human !== null
          ? openHuman(workspace, { ...on, version, person: options.human, show: shown.follow })
          : given
            ? openAgent(workspace, { ...given, ...on, version })
            : await openPlayer(workspace, composition, plan.order, { ...on, version, pace: 'ready' });
      if (goOn) needSameActor(goOn.run, actor);
      const runs = await runAll(actor);
      if (runs.length < options.attempts || runs.some((run) => !isWhole(run))) context.setStatus(1);
      context.result(options.attempts === 1 ? runs[0] : { runs }, runs.map(textOf).join('\n\n'));
    } finally {
      await shown?.close();
    }
  });
}

/** Throws USAGE for a user whom a model plays that nobody named, and for one that nobody may ask. */
function askOf(options: CompositionOptions): CompositionRun['ask'] {
  const { ask: most, user, seed, userEndpoint: endpoint, userModel: model, userProtocol: protocol } = options;
  const isNamed = endpoint !== undefined || model !== undefined;
  if (user !== 'model') {
    if (isNamed) throw new StudioError('USAGE', '--user-endpoint and --user-model are of --user model.', {});
    return most === undefined ? undefined : { most, user, seed };
  }
  if (most === undefined)
    throw new StudioError('USAGE', '--user is of --ask: say how many questions of each task are answered.', {});
  if (endpoint === undefined || model === undefined)
    throw new StudioError('USAGE', '--user model needs --user-endpoint and --user-model: who plays the user.', {});
  return { most, user, seed, played: { endpoint, protocol, model } };
}

const isWhole = ({ ended, results }: CompositionRun): boolean =>
  ended?.how === 'done' && results.every(({ outcome }) => outcome === 'passed');

function textOf(run: CompositionRun): string {
  const { title, rows } = runTable(run);
  const hint =
    run.ended?.how === 'done' ? [] : [`Go on with it: run --composition ${run.composition.id} --resume ${run.id}`];
  return [title, textTable(rows, [0, 4, 5, 6]), runWords(run), ...hint].join('\n');
}

/** The run that is gone on with: the one that is named, else the newest of the composition. */
function earlierRun(workspace: Workspace, { composition, resume, from }: CompositionOptions): RolloutWishes['goOn'] {
  if (resume === undefined && from === undefined) return null;
  const newest = (): CompositionRun | undefined =>
    listCompositionRuns(workspace).runs.find((run) => run.composition.id === composition);
  const run = resume === undefined ? newest() : findRun(workspace, resume);
  if (!run) {
    const why = `“${composition}” was not run yet, so that there is nothing to go on with`;
    throw new StudioError('USAGE', `${why}. Leave --from out.`, { composition });
  }
  if (run.composition.id !== composition)
    throw new StudioError('USAGE', `The run ${run.id} is one of “${run.composition.id}”.`, { run: run.id });
  // A run that was ended in the middle is gone on with at the task that it was at.
  return { run, from: from ?? keptTasks(run) + 1 };
}

function needSameActor({ id, actor: before }: CompositionRun, { actor }: MemberActor): void {
  const name = (one: MemberActor['actor']): string => {
    if (one.kind === 'player') return 'the player';
    return one.kind === 'person' ? one.name : `${one.agent} with ${one.model}`;
  };
  if (name(before) === name(actor)) return;
  const why = `${name(before)} began it, and ${name(actor)} would go on`;
  throw new StudioError('USAGE', `The run ${id} cannot be gone on with: ${why}. Its scores would be nobody's.`, {
    run: id,
  });
}
