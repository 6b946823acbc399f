import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { PathField } from '../desktop/path-field.tsx';
import { JobForm } from '../jobs/job-form.tsx';
import { tr, trParts } from '../language/tr.ts';
import { AssignDialog } from '../lists/assign-dialog.tsx';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { tellDone, useUndoKey } from '../ui/toast.ts';
import { PlanDialog } from './plan-dialog.tsx';

/** The acts on a recording, wherever it is listed: asked for here, done by `RecordingActions`. */
export type RecordingActionsState = {
  removing: readonly RecordingRow[];
  exporting: RecordingRow | null;
  planning: RecordingRow | null;
  assigning: readonly RecordingRow[] | null;
  askRemove: (rows: readonly RecordingRow[]) => void;
  askExport: (row: RecordingRow) => void;
  askPlan: (row: RecordingRow) => void;
  askAssign: (rows: readonly RecordingRow[]) => void;
  close: () => void;
};

export function useRecordingActions(): RecordingActionsState {
  const [removing, askRemove] = useState<readonly RecordingRow[]>([]);
  const [exporting, askExport] = useState<RecordingRow | null>(null);
  const [planning, askPlan] = useState<RecordingRow | null>(null);
  const [assigning, askAssign] = useState<readonly RecordingRow[] | null>(null);
  const close = (): void => {
    askRemove([]);
    askExport(null);
    askPlan(null);
    askAssign(null);
  };
  return { removing, exporting, planning, assigning, askRemove, askExport, askPlan, askAssign, close };
}

/** Recordings that a question names one by one. */
const NAMED = 8;

/** The dialogs behind `useRecordingActions`. */
export function RecordingActions(props: {
  ws: string;
  actions: RecordingActionsState;
  /** The page's own, which has an undo. */
  scope: string;
}): ReactNode {
  const { ws, actions, scope } = props;
  useUndoKey(scope);
  const cache = useQueryClient();
  const { removing, exporting, planning, assigning, close } = actions;
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
      tellDone(
        tr('{rows, plural, one {# recording} other {# recordings}} moved to the trash', { rows: rows.length }),
        undo,
        scope,
      );
    },
    // Also after a fault in the middle: those before it are gone.
    onSettled: () => cache.invalidateQueries({ queryKey: ['of', ws] }),
  });
  return (
    <>
      <ConfirmDialog
        opened={removing.length > 0}
        title={tr('{count, plural, one {Remove the recording?} other {Remove # recordings?}}', {
          count: removing.length,
        })}
        confirm={tr('Move to the trash')}
        dangerous
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(removing)}
        onCancel={close}
      >
        {trParts(
          '{names}{more, plural, =0 {} other { and # more}}: what was recorded and annotated leaves the library. Its folder is moved to the workspace’s <code>trash</code> folder and stays there until you delete it.',
          {
            names: removing
              .slice(0, NAMED)
              .map(({ id, task }) => tr('{id} of {task}', { id, task }))
              .join(', '),
            more: Math.max(0, removing.length - NAMED),
            code: (inside) => <code>{inside}</code>,
          },
        )}
      </ConfirmDialog>
      <Dialog opened={exporting !== null} onClose={close} title={tr('Export the recording')} size="lg">
        {exporting && <ExportForm ws={ws} row={exporting} onClose={close} />}
      </Dialog>
      <PlanDialog ws={ws} row={planning} onClose={close} />
      <AssignDialog ws={ws} rows={assigning} scope={scope} onClose={close} />
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
      go={tr('Export')}
      failed={tr('It was not exported.')}
    >
      <PathField
        label={tr('Write to')}
        description={tr(
          'A new folder on this machine, or a file that ends in .tar. It holds all of {id}: import it anywhere.',
          { id: row.id },
        )}
        example={`${row.task}.tar`}
        value={out}
        onChange={setOut}
        browse={{ kind: 'archive', writes: `${row.task}.tar` }}
        first
      />
    </JobForm>
  );
}
