import { plural } from '../../../core/words.ts';
import { namesKept } from '../../agents/compositions/kept.ts';
import { refuseKept } from '../../agents/compositions/verification.ts';
import { compositionOf, editedComposition } from '../../documents/joined/composition-files.ts';
import { makeInstances } from '../../play/instances.ts';
import { removeInstances } from '../../play/remove-instances.ts';
import { contentsOfTasks } from '../../play/task-contents.ts';
import type { Work } from '../../store/jobs/queue.ts';
import { api, askedBy, OK, tell } from './base.ts';

/** Templates over the API: where their values may stand, and the instances that are made of them. */
export const instanceRoutes = {
  contents: api.compositions.contents.handler(async ({ context, input: { ws, tasks, person } }) => {
    const { workspace } = await context.workspaces.get(ws);
    const kept = await namesKept(workspace, person);
    const contents = await contentsOfTasks(
      workspace,
      tasks.filter((task) => !kept.has(task)),
    );
    return [...contents].map(([task, content]) => ({ task, ...content }));
  }),
  makeInstances: api.compositions.makeInstances.handler(async ({ context, input }) => {
    const { ws, composition, count, seed, person } = input;
    const open = await context.workspaces.get(ws);
    const { workspace } = open;
    await refuseKept(workspace, composition, person);
    // One that is not here is said at once.
    compositionOf(workspace, composition);
    const work: Work = async ({ signal }) => {
      // Those that are made before it is stopped stay.
      const { made, there, leftOut, notes } = await makeInstances(workspace, composition, {
        count,
        seed,
        signal,
      }).finally(() => tell(open, 'tasks', 'compositions'));
      const result = {
        made: made.map((one) => ({ ...one, version: editedComposition(workspace, one.id).version })),
        there,
        leftOut,
        notes,
      };
      const parts = [
        `${plural(made.length, 'instance')} made`,
        ...(there.length > 0 ? [`${there.length} here already`] : []),
        ...(leftOut.length > 0 ? [`${plural(leftOut.length, 'set')} of values left out`] : []),
        ...notes,
      ];
      return { message: parts.join(', '), result };
    };
    return open.jobs.add('instances', composition, work, askedBy(context, 'compositions.makeInstances', input));
  }),
  removeInstances: api.compositions.removeInstances.handler(
    async ({ context, input: { ws, composition, instances, person } }) => {
      const open = await context.workspaces.get(ws);
      for (const { id } of instances) await refuseKept(open.workspace, id, person);
      await open.refresh({ now: true });
      try {
        await removeInstances(open.workspace, composition, instances);
      } finally {
        tell(open, 'tasks', 'compositions');
      }
      return OK;
    },
  ),
};
