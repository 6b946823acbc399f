import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { ArchiveReport } from '../../schemas/api/archives.ts';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { datasetQueries, useJob } from '../datasets/queries.ts';
import { PathField } from '../desktop/path-field.tsx';
import { JobRow } from '../jobs/tray.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { useProposal } from '../ui/use-proposal.ts';
import { Outcome } from './archives.tsx';
import classes from './page.module.css';
import { WhereItIs } from './past.tsx';
import { SourceChoice } from './source.tsx';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** One file that carries the workspace, or a frozen version, elsewhere. */
export function MakeArchiveDialog(props: Props & { version: string | null }): ReactNode {
  return (
    <Dialog {...frame(props)} title={tr('Share as archive')}>
      <MakeForm {...props} />
    </Dialog>
  );
}

/** Takes what somebody else has made. */
export function ImportArchiveDialog(props: Props): ReactNode {
  return (
    <Dialog {...frame(props)} title={tr('Import an archive')}>
      <ImportForm {...props} />
    </Dialog>
  );
}

const frame = ({ opened, onClose }: Props) => ({
  opened,
  onClose,
  size: 'lg',
});

function MakeForm({ ws, onClose, version: asked }: Props & { version: string | null }): ReactNode {
  const cache = useQueryClient();
  const versions = useQuery(datasetQueries.versions(ws)).data?.versions ?? [];
  const [version, setVersion] = useState<string | null>(asked);
  const people = useQuery(queries.people(ws)).data ?? [];
  const [typed, setTyped] = useState<string | null>(null);
  const suggested = useQuery({
    queryKey: [...datasetQueries.all(ws), 'suggest-archive', version],
    queryFn: ({ signal }) => client.archives.suggest({ ws, ...(version !== null && { version }) }, { signal }),
  });
  const field = useRef<HTMLInputElement>(null);
  useProposal(field, suggested.data?.out, typed !== null);
  const out = (typed ?? suggested.data?.out ?? '').trim();
  const start = useMutation({
    mutationFn: (to: string) => client.archives.make({ ws, out: to, version }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, start.data);
  const running = job !== undefined && isActive(job);
  return (
    <DialogForm
      onSubmit={() => start.mutate(out)}
      onClose={onClose}
      close={closeWords(running)}
      chord="Enter"
      loading={start.isPending}
      disabled={out === '' || running}
      submit={job?.state === 'cancelled' ? tr('Resume') : tr('Create')}
    >
      <SourceChoice
        label={tr('What goes into the archive')}
        whole={{
          label: tr('The whole workspace'),
          description: tr('Every recording with its annotation, history and review, the tasks and their files.'),
        }}
        frozen={{
          description: tr('The version itself and exactly the recordings, tasks and files that it needs.'),
          none: tr('None yet: freeze one on the data set’s page.'),
        }}
        versions={versions.map(({ name }) => name)}
        version={version}
        disabled={running}
        onChange={setVersion}
      />
      <PathField
        label={tr('File on this machine')}
        description={tr('Ends in .tar. If interrupted, exporting to the same file resumes.')}
        field={field}
        value={typed ?? suggested.data?.out ?? ''}
        onChange={setTyped}
        browse={{ kind: 'archive', writes: 'workspace.tar' }}
        disabled={running}
        first
      />
      <WhatTravels whole={version === null} people={people.map((one) => one.name)} />
      {start.error && <ErrorPanel error={start.error} what={tr('The archive was not begun.')} compact />}
      {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
      {job?.state === 'cancelled' && (
        <Text size="sm" role="status">
          {tr('Stopped. What is written is kept beside it: create it again to resume.')}
        </Text>
      )}
      {job?.state === 'done' && (
        <div role="status" className={classes.written}>
          <Last ws={ws} kind="made" job={job} />
          <WhereItIs folder={start.variables ?? ''} kind="file" />
          <Text size="sm">
            {tr('Send this file to your colleague, who opens Export and chooses “Import an archive”.')}
          </Text>
        </div>
      )}
    </DialogForm>
  );
}

/** More names than this are counted. */
const NAMES = 8;

/** Before it is made: what a colleague gets to see. */
function WhatTravels({ whole, people }: { whole: boolean; people: readonly string[] }): ReactNode {
  const first = people.slice(0, NAMES).join(', ');
  const names =
    people.length > NAMES
      ? tr('{items} and {more, number} more', { items: first, more: people.length - NAMES })
      : first;
  return (
    <Text size="xs" c="dimmed">
      {tr('Recordings show everything that was on the screen and typed, private content too.')}{' '}
      {people.length > 0 &&
        (whole
          ? `${tr('These names go along: {names}.', { names })} `
          : `${tr('The names of those who worked on it go along, of: {names}.', { names })} `)}
      {tr('Your colleague opens Export in a workspace of theirs and chooses “Import an archive”.')}
    </Text>
  );
}

function ImportForm({ ws, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [path, setPath] = useState('');
  const [name, setName] = useState('');
  const start = useMutation({
    mutationFn: (onFork?: 'theirs' | 'merge') =>
      client.archives.take({
        ws,
        path: path.trim(),
        ...(name.trim() !== '' && { versionAs: name.trim() }),
        ...(onFork && { onFork }),
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, start.data);
  const running = job !== undefined && isActive(job);
  const nameTaken = job?.error?.code === 'TARGET_EXISTS';
  return (
    <DialogForm
      onSubmit={() => start.mutate(undefined)}
      onClose={onClose}
      close={closeWords(running)}
      chord="Enter"
      loading={start.isPending}
      disabled={path.trim() === '' || running}
      submit={job?.state === 'cancelled' ? tr('Resume') : tr('Import')}
    >
      <PathField
        label={tr('Archive on this machine')}
        description={tr('A .tar of a workspace or of a frozen version. What is here already stays as it is.')}
        example="team.tar"
        value={path}
        onChange={setPath}
        browse={{ kind: 'archive' }}
        disabled={running}
        first
      />
      {(nameTaken || name !== '') && (
        <TextInput
          label={tr('Call its version')}
          description={tr('A different version already has its name in this workspace.')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          disabled={running}
          maxLength={60}
          w={280}
        />
      )}
      {start.error && <ErrorPanel error={start.error} what={tr('It was not imported.')} compact />}
      {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
      {job?.state === 'cancelled' && (
        <Text size="sm" role="status">
          {tr('Stopped. Nothing of it is visible yet; import it again to resume.')}
        </Text>
      )}
      {job?.state === 'done' && (
        <div role="status" className={classes.written}>
          <Last ws={ws} kind="taken" job={job} />
          <Forks ws={ws} job={job} onChoose={start.mutate} />
        </div>
      )}
    </DialogForm>
  );
}

/** More recordings than this are counted. */
const FORKS = 6;

/** Work that went on differently here and in the archive: it stays as it is here until somebody chooses. */
function Forks(props: { ws: string; job: Job; onChoose: (onFork: 'theirs' | 'merge') => void }): ReactNode {
  const kept = (useReport(props.ws, 'taken', props.job)?.forked ?? []).filter(({ did }) => did === 'kept');
  if (kept.length === 0) return null;
  return (
    <section className={classes.forks} aria-label={tr('Work that went on differently')}>
      <p>
        {tr(
          '{recordings, plural, one {# recording was} other {# recordings were}} worked on here and in the archive, each in another way. The work here stays unless you choose. Either choice is one change, which can be undone.',
          { recordings: kept.length },
        )}
      </p>
      <ul>
        {kept.slice(0, FORKS).map(({ recording, here, there }) => (
          <li key={recording}>
            {tr(
              '{recording}: {here, plural, one {# change} other {# changes}} here alone, {there, number} in the archive alone',
              { recording, here, there },
            )}
          </li>
        ))}
        {kept.length > FORKS && <li>{tr('and {more} more', { more: kept.length - FORKS })}</li>}
      </ul>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          title={tr('Record by record; where both changed the same, the work here stays')}
          onClick={() => props.onChoose('merge')}
        >
          {tr('Merge both')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={() => props.onChoose('theirs')}>
          {tr('Take the archive’s')}
        </Button>
      </Group>
    </section>
  );
}

function useReport(ws: string, kind: 'made' | 'taken', job: Job): ArchiveReport | undefined {
  const list = useQuery(datasetQueries.archives(ws));
  return list.data?.find((one) => one.kind === kind && one.file === job.subject && one.at >= job.createdAt);
}

/** The outcome of the job that has just ended. */
function Last({ ws, kind, job }: { ws: string; kind: 'made' | 'taken'; job: Job }): ReactNode {
  const report = useReport(ws, kind, job);
  return report ? <Outcome report={report} /> : <span className={classes.quiet}>{tr('Done.')}</span>;
}

const closeWords = (running: boolean): string => (running ? tr('Continue in the background') : tr('Close'));
