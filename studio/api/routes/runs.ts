import { randomUUID } from 'node:crypto';
import { runTables } from '../../../core/agents/run-tables.ts';
import { scoreTables } from '../../../core/compositions/scores.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import type { AgentReport } from '../../../schemas/agents.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { Recipe } from '../../../schemas/play.ts';
import { resultOfArena } from '../../agents/arena.ts';
import { keptCompositions } from '../../agents/compositions/verification.ts';
import type { LiveRun } from '../../agents/live-runs.ts';
import { measuredHead } from '../../agents/measured-scale.ts';
import { askedInPage } from '../../agents/model-head.ts';
import { runPerson } from '../../agents/person.ts';
import { needChecks, refuseOtherStage, runAgent, runOfCall, runToGoOn } from '../../agents/run.ts';
import { agentRuns, groupsOf, runRow, runsForTables } from '../../agents/runs.ts';
import { listCompositionRuns } from '../../documents/joined/run-files.ts';
import { wantsAnswer } from '../../play/checks/checks-file.ts';
import { needAgreed } from '../../play/consent.ts';
import { recipeOfTask } from '../../play/recipe.ts';
import type { OpenWorkspace } from '../../session/open-workspace.ts';
import { findPerson } from '../../store/people.ts';
import { taskById } from '../../store/tasks.ts';
import type { Workspace } from '../../store/workspace.ts';
import { askerIn } from '../asker.ts';
import { api, askedBy, OK, safely, tell } from './base.ts';
import { beginRunJob } from './run-job.ts';

async function recipeToRun(workspace: Workspace, task: string): Promise<Recipe> {
  const recipe = await recipeOfTask(workspace, task);
  if (recipe) return recipe;
  throw new StudioError('USAGE', `The task ${task} has no recipe: say on its page what must be open first.`, { task });
}

/** Its recording is one of the workspace by now. */
const overIn = (open: OpenWorkspace, live: LiveRun) => async (): Promise<void> => {
  const { recording } = live.state();
  if (recording !== null) await open.begin(recording);
  tell(open, 'recordings', 'tasks');
};

const changedIn =
  ({ changes }: OpenWorkspace) =>
  (): void =>
    changes.publish({ what: 'runs' });

/** The run of a job that is begun again, where it can be gone on with; null: it is over, or its stage would be another one. */
async function begunBefore(workspace: Workspace, call: string, recipe: Recipe) {
  const run = await runOfCall(workspace, call);
  if (run === null) return null;
  try {
    const earlier = await runToGoOn(workspace, run);
    refuseOtherStage(earlier.head, recipe);
    return earlier;
  } catch (error) {
    if (error instanceof StudioError && (error.code === 'USAGE' || error.code === 'CONFLICT')) return null;
    throw error;
  }
}

/** Runs of models and of people on stages. */
export const runRoutes = {
  runs: {
    list: api.runs.list.handler(async ({ context, input: { ws, ...filter } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const runs = await agentRuns(workspace, filter);
      return { runs: runs.map(runRow), groups: groupsOf(runs) };
    }),
    tables: api.runs.tables.handler(async ({ context, input: { ws, person } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const arena = person === undefined ? null : (await resultOfArena(workspace, person)).table;
      const kept = await keptCompositions(workspace, person);
      const done = listCompositionRuns(workspace).runs.filter(({ composition }) => !kept.has(composition.id));
      const runs = runsForTables(await agentRuns(workspace));
      return [...runTables(runs, arena), ...scoreTables(done)];
    }),
    live: api.runs.live.handler(async ({ context, input: { ws } }) => {
      const open = await context.workspaces.get(ws);
      return context.runs.list(open.id);
    }),
    human: api.runs.human.handler(async ({ context, input: { ws, task: id, person: asking } }) => {
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const task = await taskById(workspace.store, id);
      await needAgreed(workspace, task.id, askerIn(context, asking));
      const recipe = await recipeToRun(workspace, task.id);
      const ffmpeg = await findFfmpeg();
      const person = asking === undefined ? null : ((await findPerson(workspace.store, asking))?.name ?? asking);
      const live = context.runs.begin({
        ws: open.id,
        changed: changedIn(open),
        task: task.id,
        goal: task.goal,
        agent: 'human',
        model: person ?? '',
        limits: { rounds: null, timeMs: null, budget: null },
        answers: await wantsAnswer(workspace, task.id),
      });
      const { version } = context;
      const wishes = { workspace, ffmpeg, version, task: task.id, recipe, person, withoutCage: false, live };
      // Its end, and its error, are told to who watches it.
      void live.follow(runPerson(wishes)).then(overIn(open, live), overIn(open, live));
      return { run: live.id };
    }),
    model: api.runs.model.handler(async ({ context, input }) => {
      const { ws, task: id, person: asking, with: wanted, call = randomUUID() } = input;
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const { id: task, goal, software } = await taskById(workspace.store, id);
      await needAgreed(workspace, task, askerIn(context, asking));
      const recipe = await recipeToRun(workspace, task);
      await needChecks(workspace, task);
      const earlier = input.call === undefined ? null : await begunBefore(workspace, input.call, recipe);
      const asked = await askedInPage(workspace, { task, goal, software }, recipe, wanted, earlier);
      const ffmpeg = await findFfmpeg();
      const { agent, model, limits } = wanted;
      const { temperature } = asked.head;
      const about = { ws: open.id, task, goal, agent, model, limits, temperature };
      const live = context.runs.begin({ ...about, changed: changedIn(open) });
      const isMeasured = wanted.coordinates === 'measure' && earlier === null;
      const run = async (signal: AbortSignal, progress: (text: string) => void): Promise<AgentReport> => {
        const told = (text: string): void => {
          live.progress(text);
          progress(text);
        };
        const measuring = { ...asked, signal: AbortSignal.any([signal, live.stop]), progress: told };
        const head = isMeasured ? await measuredHead(workspace, measuring) : asked.head;
        return runAgent({
          ...asked,
          head,
          workspace,
          ffmpeg,
          version: context.version,
          recipe,
          withoutCage: false,
          call,
          live,
          progress,
          signal,
        });
      };
      // A typed key is kept nowhere, so such a call cannot be made again from the list.
      const again = wanted.key.from === 'typed' ? null : askedBy(context, 'runs.model', { ...input, call });
      return { run: live.id, job: await beginRunJob(open, live, { task, rounds: limits.rounds, run, again }) };
    }),
    watch: api.runs.watch.handler(async ({ context, input: { ws, run }, signal }) => {
      const open = await context.workspaces.get(ws);
      return safely(context.runs.get(open.id, run).watch(signal));
    }),
    act: api.runs.act.handler(async ({ context, input: { ws, run, client, n, acts } }) => {
      const open = await context.workspaces.get(ws);
      await context.runs.get(open.id, run).act(client, n, acts);
      return OK;
    }),
    command: api.runs.command.handler(async ({ context, input: { ws, run, what, answer } }) => {
      const open = await context.workspaces.get(ws);
      context.runs.get(open.id, run).command(what, answer);
      return OK;
    }),
  },
};
