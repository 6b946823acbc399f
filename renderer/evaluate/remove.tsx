import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';

/** Asks before a model's row goes. */
export function RemoveRun({ ws, run, onClose }: { ws: string; run: Run | null; onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: (id: string) => client.evaluate.removeRun({ ws, run: id }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['of', ws, 'runs'] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={run !== null}
      title={tr('Remove the run?')}
      confirm={tr('Remove the run')}
      dangerous
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => run && remove.mutate(run.id)}
      onCancel={onClose}
    >
      {tr(
        'The scores and cases of “{name}” are deleted. Its file {file} stays where you have it, and can be loaded again.',
        { name: run?.name, file: run?.predictions },
      )}
    </ConfirmDialog>
  );
}

/** The same for questions, with everything that was scored on them. */
export function RemoveSet(props: {
  ws: string;
  set: QuestionSet | null;
  runs: number;
  onClose: () => void;
}): ReactNode {
  const { ws, set, runs, onClose } = props;
  const cache = useQueryClient();
  const tasks = Boolean(set?.tasks);
  const named = { name: set?.name, runs };
  const remove = useMutation({
    mutationFn: (id: string) => client.evaluate.removeQuestions({ ws, set: id }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['of', ws] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={set !== null}
      title={tasks ? tr('Remove the tasks?') : tr('Remove the questions?')}
      confirm={tasks ? tr('Remove the tasks') : tr('Remove the questions')}
      dangerous
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => set && remove.mutate(set.id)}
      onCancel={onClose}
    >
      {tasks
        ? tr(
            'The set of tasks “{name}” is deleted{runs, plural, =0 {} one {, and # run that was scored on it} other {, and # runs that were scored on it}}. The recordings and their annotation stay.',
            named,
          )
        : tr(
            'The set of questions “{name}” is deleted{runs, plural, =0 {} one {, and # run that was scored on it} other {, and # runs that were scored on it}}. The recordings and their annotation stay.',
            named,
          )}
    </ConfirmDialog>
  );
}
