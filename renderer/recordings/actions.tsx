import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { JobForm } from '../jobs/job-form.tsx';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { plural } from '../ui/format.ts';
import { PathField } from '../ui/path-field.tsx';
import { tellDone, useUndoKey } from '../ui/toast.ts';
import { PlanDialog } from './plan-dialog.tsx';

/** The acts on a recording, wherever it is listed: asked for here, done by `RecordingActions`. */
export type RecordingActionsState = {
  removing: readonly RecordingRow[];
  exporting: RecordingRow | null;
  planning: RecordingRow | null;
  askRemove: (rows: readonly RecordingRow[]) => void;
  askExport: (row: RecordingRow) => void;
  askPlan: (row: RecordingRow) => void;
  close: () => void;
};

export function useRecordingActions(): RecordingActionsState {
  const [removing, askRemove] = useState<readonly RecordingRow[]>([]);
  const [exporting, askExport] = useState<RecordingRow | null>(null);
  const [planning, askPlan] = useState<RecordingRow | null>(null);
  const close = (): void => {
    askRemove([]);
    askExport(null);
    askPlan(null);
  };
  return { removing, exporting, planning, askRemove, askExport, askPlan, close };
}

/** Recordings that a question names one by one. */
const NAMED = 8;

/** The dialogs behind `useRecordingActions`. */
export function RecordingActions(props: {
  ws: string;
  actions: RecordingActionsState;
  /** Of the page, which has an undo. */
  scope: string;
}): ReactNode {
  const { ws, actions, scope } = props;
  useUndoKey(scope);
  const cache = useQueryClient();
  const { removing, exporting, planning, close } = actions;
  const remove = useMutation({
    mutationFn: async (rows: readonly RecordingRow[]) => {
      for (const { id } of rows) await client.recordings.remove({ ws, recording: id });
    },
    onSuccess: (_done, rows) => {
      close();
      const undo = async (): Promise<void> => {
        for (const { id } of rows) await client.recordings.restore({ ws, recording: id });
        await cache.invalidateQueries({ queryKey: ['of', ws] });
      };
      tellDone(`${plural(rows.length, 'recording')} moved to the trash`, undo, scope);
    },
    // Also after a fault in the middle: those before it are gone.
    onSettled: () => cache.invalidateQueries({ queryKey: ['of', ws] }),
  });
  return (
    <>
      <ConfirmDialog
        opened={removing.length > 0}
        title={removing.length > 1 ? `Remove ${plural(removing.length, 'recording')}?` : 'Remove the recording?'}
        confirm="Move to the trash"
        dangerous
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(removing)}
        onCancel={close}
      >
        {removing
          .slice(0, NAMED)
          .map(({ id, task }) => `${id} of ${task}`)
          .join(', ')}
        {removing.length > NAMED && ` and ${removing.length - NAMED} more`}: what was recorded and annotated leaves the
        library. Its folder is moved to the workspace’s <code>trash</code> folder and stays there until you delete it.
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
      ws={ws}
      onClose={onClose}
      ready={out.trim() !== ''}
      asked={out.trim()}
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
