import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { client } from '../app/api.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { queries } from '../app/queries.ts';
import { ConfirmDialog } from '../app/ui/confirm.tsx';
import { ErrorPanel } from '../app/ui/parts.tsx';
import { isActive } from '../jobs/jobs.ts';
import { JobRow } from '../jobs/tray.tsx';

/** What can be done with a recording, wherever it is listed: asked for here, done by `RecordingActions`. */
export type RecordingActionsState = {
  removing: RecordingRow | null;
  exporting: RecordingRow | null;
  askRemove: (row: RecordingRow) => void;
  askExport: (row: RecordingRow) => void;
  close: () => void;
};

export function useRecordingActions(): RecordingActionsState {
  const [removing, askRemove] = useState<RecordingRow | null>(null);
  const [exporting, askExport] = useState<RecordingRow | null>(null);
  const close = (): void => {
    askRemove(null);
    askExport(null);
  };
  return { removing, exporting, askRemove, askExport, close };
}

/** The dialogs behind `useRecordingActions`. */
export function RecordingActions({ ws, actions }: { ws: string; actions: RecordingActionsState }): ReactNode {
  const cache = useQueryClient();
  const { removing, exporting, close } = actions;
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
      <Modal
        opened={exporting !== null}
        onClose={close}
        title="Export the recording"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {exporting && <ExportForm ws={ws} row={exporting} onClose={close} />}
      </Modal>
    </>
  );
}

/** Writes a copy that another machine can import. */
function ExportForm({ ws, row, onClose }: { ws: string; row: RecordingRow; onClose: () => void }): ReactNode {
  const cache = useQueryClient();
  const [out, setOut] = useState('');
  const start = useMutation({
    mutationFn: () => client.recordings.export({ ws, recording: row.id, out: out.trim() }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const jobs = useQuery({ ...queries.jobs(ws), enabled: start.data !== undefined });
  const job = jobs.data?.find((one) => one.id === start.data?.id) ?? start.data;
  const running = job !== undefined && isActive(job);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (out.trim() !== '' && !start.isPending && !running) start.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Write to"
          description={`A new folder on this machine, or a file that ends in .tar. It holds all of ${row.id}: import it anywhere.`}
          placeholder={`/home/me/${row.task}.tar`}
          value={out}
          onChange={(event) => setOut(event.currentTarget.value)}
          data-autofocus
        />
        {start.error && <ErrorPanel error={start.error} what="It was not exported." compact />}
        {job && <JobRow ws={ws} job={job} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} rightSection={<Chord chord="Escape" />}>
            {running ? 'Go on in the background' : 'Close'}
          </Button>
          <Button
            type="submit"
            loading={start.isPending}
            disabled={out.trim() === '' || running}
            rightSection={<Chord chord="Enter" />}
          >
            Export
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
