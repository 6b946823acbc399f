import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import { client } from '../client/api.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { plural } from '../ui/format.ts';

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
      title="Remove the run?"
      confirm="Remove the run"
      dangerous
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => run && remove.mutate(run.id)}
      onCancel={onClose}
    >
      The scores and cases of “{run?.name}” are deleted. Its file {run?.predictions} stays where you have it, and can be
      loaded again.
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
  const what = set?.tasks ? 'tasks' : 'questions';
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
      title={`Remove the ${what}?`}
      confirm={`Remove the ${what}`}
      dangerous
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => set && remove.mutate(set.id)}
      onCancel={onClose}
    >
      The set of {what} “{set?.name}” is deleted{runs > 0 && `, and ${plural(runs, 'run')} that was scored on it`}. The
      recordings and their annotation stay.
    </ConfirmDialog>
  );
}
