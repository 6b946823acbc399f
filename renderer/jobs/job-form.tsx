import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import type { Job } from '../../schemas/api/models.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { queries } from '../app/queries.ts';
import { ErrorPanel } from '../app/ui/parts.tsx';
import { isActive } from './jobs.ts';
import { JobRow } from './tray.tsx';

/** A dialog's form that starts a job and shows how far it is; the job can be stopped, and goes on in the tray. */
export function JobForm(props: {
  ws: string;
  /** What it asks for is there. */
  ready: boolean;
  start: () => Promise<Job>;
  /** What its button says. */
  go: string;
  /** Said before the reason when it could not be started. */
  failed: string;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const { ws, ready } = props;
  const cache = useQueryClient();
  const start = useMutation({
    mutationFn: props.start,
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const jobs = useQuery({ ...queries.jobs(ws), enabled: start.data !== undefined });
  const job = jobs.data?.find((one) => one.id === start.data?.id) ?? start.data;
  const running = job !== undefined && isActive(job);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready && !start.isPending && !running) start.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {props.children}
        {start.error && <ErrorPanel error={start.error} what={props.failed} compact />}
        {job && <JobRow ws={ws} job={job} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={props.onClose} rightSection={<Chord chord="Escape" />}>
            {running ? 'Go on in the background' : 'Close'}
          </Button>
          <Button
            type="submit"
            loading={start.isPending}
            disabled={!ready || running}
            rightSection={<Chord chord="Enter" />}
          >
            {props.go}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
