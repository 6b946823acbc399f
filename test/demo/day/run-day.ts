import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { actorName, runWords } from '../../../core/compositions/scores.ts';
import type { Composition } from '../../../schemas/composition.ts';
import { type CompositionRun, compositionRunSchema } from '../../../schemas/composition-run.ts';
import { planRollout, rollOut } from '../../../studio/agents/compositions/rollout.ts';
import { compositionOf } from '../../../studio/documents/joined/composition-files.ts';
import { startModelServer } from '../../../studio/models/model-server-for-tests.ts';
import { recipeOfTask } from '../../../studio/play/recipe.ts';
import { programsMissing } from '../../../studio/play/stage/set-stage.ts';
import { openWorkspace } from '../../../studio/store/workspace.ts';
import { studio, studioMust } from '../../support/cli.ts';
import { say } from '../say.ts';
import { SCREEN, type ShownTask } from './parts.ts';
import { openShower } from './show.ts';

/** A composition in a workspace of its own, with a demonstration of each of its tasks. */

/** The seed of its events: with another one, mails come at other times, which pictures of them show. */
export const DAY_SEED = 7;

/** Throws in words where programs that its recipes start are not here. */
export function needPrograms({ tasks = [] }: Composition): void {
  const missing = [...new Set(tasks.flatMap(({ recipe }) => (recipe ? programsMissing(recipe) : [])))];
  if (missing.length === 0) return;
  const are = missing.length > 1 ? 'are' : 'is';
  throw new Error(
    `${missing.join(', ')} ${are} not installed here, and it is needed. Install on Debian: "apt install ${missing.join(' ')}".`,
  );
}

/** Makes the workspace and takes the composition into it, with its tasks, recipes and checks. */
export async function importInto(workspace: string, composition: Composition): Promise<void> {
  const where = ['--workspace', workspace];
  if (!fs.existsSync(workspace)) await studioMust(['init', ...where]);
  const file = path.join(path.dirname(workspace), `${composition.id}.json`);
  fs.writeFileSync(file, JSON.stringify(composition));
  await studioMust(['compositions', 'import', file, ...where]);
  // Its recipes are ours: nobody needs to be asked.
  for (const { id } of composition.tasks ?? []) {
    // It ends with a status of its own where something is asked.
    const { json } = await studio(['tasks', 'trust', id, '--json', ...where]);
    const { asked } = z.object({ asked: z.array(z.object({ hash: z.string() })) }).parse(json);
    if (asked.length > 0) await studioMust(['tasks', 'trust', id, ...asked.map(({ hash }) => hash), ...where]);
  }
}

/** All of its tasks are shown on one stage, in their order, and recorded. Gives the run in which they were. */
export async function showAll(
  dir: string,
  id: string,
  tasks: readonly ShownTask[],
  progress: (text: string) => void,
): Promise<CompositionRun> {
  const workspace = openWorkspace(dir, { create: false });
  // What is waited for on a stage keeps no process alive by itself.
  const alive = setInterval(() => undefined, 60_000);
  try {
    const composition = compositionOf(workspace, id);
    const plan = await planRollout(workspace, composition, async (task) => {
      const recipe = await recipeOfTask(workspace, task);
      if (!recipe) throw new Error(`${task} has no recipe`);
      return recipe;
    });
    return await rollOut(
      {
        workspace,
        composition,
        actor: openShower(workspace, tasks),
        level: 'base',
        context: 'none',
        ask: undefined,
        seed: DAY_SEED,
        timeMs: 600_000,
        withoutCage: false,
        goOn: null,
        progress,
        signal: new AbortController().signal,
      },
      plan,
    );
  } finally {
    clearInterval(alive);
    await workspace.close();
  }
}

/** Runs it once by the command line, and says what came of it. */
export async function runOnce(id: string, workspace: string, words: readonly string[]): Promise<CompositionRun> {
  const common = ['--composition', id, '--seed', `${DAY_SEED}`, '--yes', '--json', '--workspace', workspace];
  // It ends with a status of its own where a task failed.
  const done = await studio(['run', ...common, ...words], { timeoutMs: 3_600_000 });
  if (done.json === null) throw new Error(done.stderr);
  const made = compositionRunSchema.parse(done.json);
  say(`   ${actorName(made)}, ${made.level}: ${runWords(made)}`);
  for (const { member, outcome, why } of made.results)
    if (outcome !== 'passed') say(`      ${member}: ${outcome} (${why.slice(0, 160)})`);
  return made;
}

type ScriptedModel = {
  answer: Parameters<typeof startModelServer>[0];
  /** What it is called. */
  model?: string;
  words?: readonly string[];
};

/** The same by a scripted model. */
export async function runOfModel(
  id: string,
  workspace: string,
  { answer, model = 'scripted', words = [] }: ScriptedModel,
): Promise<CompositionRun> {
  const server = await startModelServer(answer, SCREEN);
  try {
    const agent = ['--agent', 'direct', '--endpoint', server.url, '--model', model, '--rounds', '60'];
    return await runOnce(id, workspace, [...agent, ...words]);
  } finally {
    await server.close();
  }
}
