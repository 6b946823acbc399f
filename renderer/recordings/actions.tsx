import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { client } from '../app/api.ts';
import { ConfirmDialog } from '../app/ui/confirm.tsx';
import { Dialog } from '../app/ui/dialog.tsx';
import { PathField } from '../app/ui/path-field.tsx';
import { JobForm } from '../jobs/job-form.tsx';
import { PlanDialog } from './plan-dialog.tsx';

/** What can be done with a recording, wherever it is listed: asked for here, done by `RecordingActions`. */
export type RecordingActionsState = {
  removing: RecordingRow | null;
  exporting: RecordingRow | null;
  planning: RecordingRow | null;
  askRemove: (row: RecordingRow) => void;
  askExport: (row: RecordingRow) => void;
  askPlan: (row: RecordingRow) => void;
  close: () => void;
};

export function useRecordingActions(): RecordingActionsState {
  const [removing, askRemove] = useState<RecordingRow | null>(null);
  const [exporting, askExport] = useState<RecordingRow | null>(null);
  const [planning, askPlan] = useState<RecordingRow | null>(null);
  const close = (): void => {
    askRemove(null);
    askExport(null);
    askPlan(null);
  };
  return { removing, exporting, planning, askRemove, askExport, askPlan, close };
}

/** The dialogs behind `useRecordingActions`. */
export function RecordingActions({ ws, actions }: { ws: string; actions: RecordingActionsState }): ReactNode {
  const cache = useQueryClient();
  const { removing, exporting, planning, close } = actions;
  const remove = useMutation({
    mutationFn: (recording: string) => client.recordings.remove({ ws, recording }),
    onSuccess: async () => {
      close();
      await cache.invalidateQueries({ queryKey: ['of', ws] });
    },
  });
  return (
    <>
      <ConfirmDialog
        opened={removing !== null}
        title="Remove the recording?"
        confirm="Move to the trash"
        dangerous
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => removing && remove.mutate(removing.id)}
        onCancel={close}
      >
        {removing?.id} of {removing?.task} and its annotation leave the library. Its folder is moved to the workspace’s{' '}
        <code>trash</code> folder and stays there until you delete it.
      </ConfirmDialog>
      <Dialog opened={exporting !== null} onClose={close} title="Export the recording" size="lg">
        {exporting && <ExportForm ws={ws} row={exporting} onClose={close} />}
      </Dialog>
      <PlanDialog ws={ws} row={planning} onClose={close} />
    </>
  );
}

/** Writes a copy that another machine can import. */
function ExportForm({ ws, row, onClose }: { ws: string; row: RecordingRow; onClose: () => void }): ReactNode {
  const [out, setOut] = useState('');
  return (
    <JobForm
      {...{ ws, onClose }}
      ready={out.trim() !== ''}
      start={() => client.recordings.export({ ws, recording: row.id, out: out.trim() })}
      go="Export"
      failed="It was not exported."
    >
      <PathField
        label="Write to"
        description={`A new folder on this machine, or a file that ends in .tar. It holds all of ${row.id}: import it anywhere.`}
        example={`${row.task}.tar`}
        value={out}
        onChange={setOut}
        first
      />
    </JobForm>
  );
}
