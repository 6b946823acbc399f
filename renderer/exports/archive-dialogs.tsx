import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Job } from '../../schemas/api/models.ts';
import { client } from '../app/api.ts';
import { Chord } from '../app/keys/kbd.tsx';
import { queries } from '../app/queries.ts';
import { Dialog } from '../app/ui/dialog.tsx';
import { ErrorPanel } from '../app/ui/parts.tsx';
import { datasetQueries, useJob } from '../dataset/queries.ts';
import { PickButton, PickButtons } from '../desktop/pick.tsx';
import { isActive } from '../jobs/jobs.ts';
import { JobRow } from '../jobs/tray.tsx';
import { Outcome } from './archives.tsx';
import classes from './page.module.css';
import { WhereItIs } from './past.tsx';
import { SourceChoice } from './source.tsx';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** One file that carries the workspace, or a frozen version, elsewhere. */
export function MakeArchiveDialog(props: Props): ReactNode {
  return (
    <Dialog {...frame(props)} title="Make an archive">
      <MakeForm {...props} />
    </Dialog>
  );
}

/** Takes what somebody else has made. */
export function ImportArchiveDialog(props: Props): ReactNode {
  return (
    <Dialog {...frame(props)} title="Import an archive">
      <ImportForm {...props} />
    </Dialog>
  );
}

const frame = ({ opened, onClose }: Props) => ({
  opened,
  onClose,
  size: 'lg',
});

function MakeForm({ ws, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const versions = useQuery(datasetQueries.versions(ws)).data?.versions ?? [];
  const [version, setVersion] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const suggested = useQuery({
    queryKey: [...datasetQueries.all(ws), 'suggest-archive', version],
    queryFn: ({ signal }) => client.archives.suggest({ ws, ...(version !== null && { version }) }, { signal }),
  });
  const out = (typed ?? suggested.data?.out ?? '').trim();
  const start = useMutation({
    mutationFn: (to: string) => client.archives.make({ ws, out: to, version }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, start.data);
  const running = job !== undefined && isActive(job);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (out !== '' && !start.isPending && !running) start.mutate(out);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SourceChoice
          label="What goes into the archive"
          whole={{
            label: 'The whole workspace',
            description: 'Every recording with its annotation, history and review, the tasks and their files.',
          }}
          frozen={{
            description: 'The version itself and exactly the recordings, tasks and files that it needs.',
            none: 'None yet: freeze one on the data set’s page.',
          }}
          versions={versions.map(({ name }) => name)}
          version={version}
          disabled={running}
          onChange={setVersion}
        />
        <TextInput
          label="File on this machine"
          description="Ends in .tar. When it is stopped, the same file goes on from where it was."
          value={typed ?? suggested.data?.out ?? ''}
          onChange={(event) => setTyped(event.currentTarget.value)}
          disabled={running}
          maxLength={4000}
          data-autofocus
        />
        {start.error && <ErrorPanel error={start.error} what="The archive was not begun." compact />}
        {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
        {job?.state === 'cancelled' && (
          <Text size="sm" role="status">
            Stopped. What is written is kept beside it: make it again, and it goes on.
          </Text>
        )}
        {job?.state === 'done' && (
          <div role="status" className={classes.written}>
            <Last ws={ws} kind="made" job={job} />
            <WhereItIs folder={start.variables ?? ''} kind="file" />
          </div>
        )}
        <Buttons
          action={job?.state === 'cancelled' ? 'Go on' : 'Make'}
          ready={out !== '' && !running}
          {...{ running, onClose, pending: start.isPending }}
        />
      </Stack>
    </form>
  );
}

function ImportForm({ ws, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const start = useMutation({
    mutationFn: () =>
      client.archives.take({ ws, path: path.trim(), ...(name.trim() !== '' && { versionAs: name.trim() }) }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, start.data);
  const running = job !== undefined && isActive(job);
  const nameTaken = job?.error?.code === 'TARGET_EXISTS';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '' && !start.isPending && !running) start.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Archive on this machine"
          description="A .tar of a workspace or of a frozen version. What is here already stays as it is."
          placeholder="…/team.tar"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          disabled={running}
          maxLength={4000}
          data-autofocus
        />
        <PickButtons>
          <PickButton what="recording" onPicked={setPath} />
        </PickButtons>
        {(nameTaken || name !== '') && (
          <TextInput
            label="Call its version"
            description="Its own name stands for another content here."
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            disabled={running}
            maxLength={60}
            w={280}
          />
        )}
        {start.error && <ErrorPanel error={start.error} what="It was not imported." compact />}
        {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
        {job?.state === 'cancelled' && (
          <Text size="sm" role="status">
            Stopped. Nothing of it is seen; import it again, and it goes on.
          </Text>
        )}
        {job?.state === 'done' && (
          <div role="status" className={classes.written}>
            <Last ws={ws} kind="taken" job={job} />
          </div>
        )}
        <Buttons
          action={job?.state === 'cancelled' ? 'Go on' : 'Import'}
          ready={path.trim() !== '' && !running}
          {...{ running, onClose, pending: start.isPending }}
        />
      </Stack>
    </form>
  );
}

/** What became of the job that has just ended. */
function Last({ ws, kind, job }: { ws: string; kind: 'made' | 'taken'; job: Job }): ReactNode {
  const list = useQuery(datasetQueries.archives(ws));
  const report = list.data?.find((one) => one.kind === kind && one.file === job.subject && one.at >= job.createdAt);
  return report ? <Outcome report={report} /> : <span className={classes.quiet}>Done.</span>;
}

function Buttons(props: {
  action: string;
  ready: boolean;
  running: boolean;
  pending: boolean;
  onClose: () => void;
}): ReactNode {
  return (
    <Group justify="flex-end" gap={8}>
      <Button variant="default" onClick={props.onClose} rightSection={<Chord chord="Escape" />}>
        {props.running ? 'Go on in the background' : 'Close'}
      </Button>
      <Button type="submit" loading={props.pending} disabled={!props.ready} rightSection={<Chord chord="Enter" />}>
        {props.action}
      </Button>
    </Group>
  );
}
