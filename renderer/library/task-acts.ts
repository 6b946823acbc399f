import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { TaskRow } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { listPart } from '../ui/address.ts';
import { tellDone } from '../ui/toast.ts';

/** Some are open: they are closed. Else all are opened again. */
export const willClose = (tasks: readonly Pick<TaskRow, 'state'>[]): boolean =>
  tasks.some(({ state }) => state === 'open');

/** What is done with several tasks at once. */
export function useTaskActs(ws: string, target: readonly TaskRow[]) {
  const [, go] = useLocation();
  const cache = useQueryClient();
  const closing = useMutation({
    mutationFn: async (tasks: readonly TaskRow[]) => {
      const state = willClose(tasks) ? 'closed' : 'open';
      const changed = tasks.filter((task) => task.state !== state);
      for (const { id } of changed) await client.tasks.update({ ws, task: id, state });
      const undo = async (): Promise<void> => {
        for (const task of changed) await client.tasks.update({ ws, task: task.id, state: task.state });
        await cache.invalidateQueries({ queryKey: queries.tasks(ws).queryKey, exact: true });
      };
      const what =
        state === 'closed'
          ? tr('{tasks, plural, one {# task} other {# tasks}} closed', { tasks: changed.length })
          : tr('{tasks, plural, one {# task} other {# tasks}} opened again', { tasks: changed.length });
      tellDone(what, changed.length > 0 ? undo : null, 'library');
    },
    // Also after a fault in the middle: those before it are changed.
    onSettled: () => cache.invalidateQueries({ queryKey: queries.tasks(ws).queryKey, exact: true }),
  });
  return {
    closing,
    closeOrReopen: (): void => closing.mutate(target),
    inDataset: (): void => {
      const tasks = encodeURIComponent(listPart(target.map(({ id }) => id)) ?? '');
      go(`${paths.dataset(ws)}?tasks=${tasks}`);
    },
  };
}
