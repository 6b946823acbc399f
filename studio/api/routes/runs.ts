import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { runPerson } from '../../agents/person.ts';
import { agentRuns, groupsOf, runRow } from '../../agents/runs.ts';
import { needAgreed } from '../../play/consent.ts';
import { recipeOfTask } from '../../play/recipe.ts';
import { findPerson } from '../../store/people.ts';
import { taskById } from '../../store/tasks.ts';
import { askerIn } from '../asker.ts';
import { api, OK, safely, tell } from './base.ts';

/** Runs of models and of people on stages. */
export const runRoutes = {
  runs: {
    list: api.runs.list.handler(async ({ context, input: { ws, ...filter } }) => {
      const { workspace } = await context.workspaces.get(ws);
      const runs = await agentRuns(workspace, filter);
      return { runs: runs.map(runRow), groups: groupsOf(runs) };
    }),
    live: api.runs.live.handler(async ({ context, input: { ws } }) => {
      const open = await context.workspaces.get(ws);
      return context.runs.list(open.id);
    }),
    human: api.runs.human.handler(async ({ context, input: { ws, task: id, person: asking } }) => {
      const open = await context.workspaces.get(ws);
      const { workspace } = open;
      const task = await taskById(workspace.db, id);
      await needAgreed(workspace, task.id, askerIn(context, asking));
      const recipe = await recipeOfTask(workspace, task.id);
      if (!recipe)
        throw new StudioError('USAGE', `The task ${task.id} has no recipe: say on its page what must be open first.`, {
          task: task.id,
        });
      const ffmpeg = await findFfmpeg();
      const person = asking === undefined ? null : ((await findPerson(workspace.db, asking))?.name ?? asking);
      const live = context.runs.begin({
        ws: open.id,
        task: task.id,
        goal: task.goal,
        agent: 'human',
        model: person ?? '',
        limits: { rounds: null, timeMs: null, budget: null },
      });
      const { version } = context;
      const wishes = { workspace, ffmpeg, version, task: task.id, recipe, person, withoutCage: false, live };
      const over = async (): Promise<void> => {
        const { recording } = live.state();
        if (recording !== null) await open.begin(recording);
        tell(open, 'recordings', 'tasks');
      };
      // Its end, and its error, are told to who watches it.
      void live.follow(runPerson(wishes)).then(over, over);
      return { run: live.id };
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
    command: api.runs.command.handler(async ({ context, input: { ws, run, what } }) => {
      const open = await context.workspaces.get(ws);
      context.runs.get(open.id, run).command(what);
      return OK;
    }),
  },
};
