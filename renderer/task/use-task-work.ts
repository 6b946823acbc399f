import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { TaskInfo } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { tellDone } from '../ui/toast.ts';

export type TaskChange = Partial<
  Pick<TaskInfo, 'goal' | 'platform' | 'sourceUrl' | 'notes' | 'answer' | 'kind' | 'state'>
>;

/** What is done with the task itself: stored, closed or opened again, removed. */
export function useTaskWork(ws: string, task: TaskInfo) {
  const [, go] = useLocation();
  const cache = useQueryClient();
  const save = async (change: TaskChange): Promise<void> => {
    const changed = await client.tasks.update({ ws, task: task.id, ...change });
    cache.setQueryData(queries.task(ws, task.id).queryKey, changed);
    await cache.invalidateQueries({ queryKey: queries.tasks(ws).queryKey, exact: true });
  };
  const toggle = useMutation({
    mutationFn: async () => {
      const before = task.state;
      await save({ state: before === 'open' ? 'closed' : 'open' });
      const what = before === 'open' ? tr('{id} closed', { id: task.id }) : tr('{id} opened again', { id: task.id });
      tellDone(what, () => save({ state: before }), 'task');
    },
  });
  const remove = useMutation({
    mutationFn: () => client.tasks.remove({ ws, task: task.id }),
    onSuccess: async () => {
      go(paths.library(ws));
      await cache.invalidateQueries({ queryKey: queries.tasks(ws).queryKey, exact: true });
    },
  });
  return { save, toggle, remove };
}
