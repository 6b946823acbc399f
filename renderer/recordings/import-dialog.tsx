import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../app/api.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { queries } from '../app/queries.ts';
import { ErrorPanel } from '../app/ui/parts.tsx';
import { isActive } from '../jobs/jobs.ts';
import { JobRow } from '../jobs/tray.tsx';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** Copies a recording from elsewhere on this machine into the workspace; the copy can be stopped and goes on in the tray. */
export function ImportDialog(props: Props): ReactNode {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title="Import a recording"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form {...props} />
    </Modal>
  );
}

function Form({ ws, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [path, setPath] = useState('');
  const start = useMutation({
    mutationFn: () => client.recordings.import({ ws, path: path.trim() }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const jobs = useQuery({ ...queries.jobs(ws), enabled: start.data !== undefined });
  const job = jobs.data?.find((one) => one.id === start.data?.id) ?? start.data;
  const running = job !== undefined && isActive(job);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '' && !start.isPending && !running) start.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Folder or archive on this machine"
          description="A recording's folder (with recording.json in it), or one packed as .tar. It is copied; the original stays."
          placeholder="/home/me/recordings/2026-11-21-ppt-15"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          data-autofocus
        />
        {start.error && <ErrorPanel error={start.error} what="It was not imported." compact />}
        {job && <JobRow ws={ws} job={job} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} rightSection={<Chord chord="Escape" />}>
            {running ? 'Go on in the background' : 'Close'}
          </Button>
          <Button
            type="submit"
            loading={start.isPending}
            disabled={path.trim() === '' || running}
            rightSection={<Chord chord="Enter" />}
          >
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
