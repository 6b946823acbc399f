import { Button, Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isActive } from '../../schemas/api/job-state.ts';
import type { DataRow, DatasetFilter } from '../../schemas/dataset.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { JobRow } from '../jobs/tray.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { useProposal } from '../ui/use-proposal.ts';
import { describeFilter } from './filter.ts';
import { nextVersion, versionFault } from './names.ts';
import classes from './page.module.css';
import { datasetQueries, useJob, useSoftwareNames } from './queries.ts';

type Props = {
  ws: string;
  opened: boolean;
  filter: DatasetFilter;
  rows: readonly DataRow[];
  onClose: () => void;
  onFrozen: (name: string) => void;
  /** Lets everything belong; undefined when nothing is filtered. */
  onFilterOff: (() => void) | undefined;
};

/** Freezes what is shown under a name, so that no later edit changes it. */
export function FreezeDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Freeze a version')} size="md">
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, filter, rows, onClose, onFrozen, onFilterOff }: Props): ReactNode {
  const cache = useQueryClient();
  const names = useSoftwareNames(ws);
  const versions = useQuery(datasetQueries.versions(ws)).data?.versions;
  const terms = useQuery(datasetQueries.terms(ws)).data;
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const proposed = versions && nextVersion(versions.map((version) => version.name));
  useProposal(field, proposed, typed !== null);
  const name = typed ?? proposed ?? '';
  const [changelog, setChangelog] = useState('');
  const [again, setAgain] = useState(false);
  const taken = versions?.some((version) => version.name === name.trim()) ?? false;
  const fault =
    name === ''
      ? null
      : taken
        ? tr('There is a version of this name. It stays as it is; choose another.')
        : versionFault(name);
  const freeze = useMutation({
    mutationFn: (as: string) => client.dataset.freeze({ ws, name: as, changelog, filter, again }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, freeze.data);
  const done = job?.state === 'done';
  const frozen = freeze.variables;
  useEffect(() => {
    if (!done || frozen === undefined) return;
    onFrozen(frozen);
    onClose();
  }, [done, frozen, onFrozen, onClose]);
  // Between the answer and the list of long work the job is not known yet, and begun all the same.
  const begun = freeze.data !== undefined && job === undefined;
  const busy = freeze.isPending || begun || (job !== undefined && isActive(job));
  // The name was free when it was sent, so it is the content that is there already.
  const isSame = job?.error?.code === 'TARGET_EXISTS';
  const words = describeFilter(filter, names);
  const tasks = new Set(rows.map(({ task }) => task)).size;
  const steps = rows.reduce((sum, row) => sum + (row.steps ?? 0), 0);
  const unsplit = new Set(rows.filter((row) => row.split === null).map(({ task }) => task)).size;
  const unapproved = rows.filter(({ state }) => state !== 'approved').length;
  return (
    <DialogForm
      onSubmit={() => freeze.mutate(name.trim())}
      onClose={onClose}
      close={busy ? tr('Close') : tr('Cancel')}
      disabled={name === '' || fault !== null || rows.length === 0}
      loading={busy}
      submit={tr('Freeze')}
    >
      <section aria-label={tr('What is in it')}>
        <Text size="sm" fw={500}>
          {tr(
            '{rows, plural, one {# recording} other {# recordings}} of {tasks, plural, one {# task} other {# tasks}}, {steps, plural, one {# step} other {# steps}}',
            { rows: rows.length, tasks, steps },
          )}
        </Text>
        <Text size="sm" c="dimmed" className={classes.bounded}>
          {words.length > 0 ? words.join('; ') : tr('Everything in the workspace.')}{' '}
          {onFilterOff && (
            <Button variant="subtle" size="compact-xs" onClick={onFilterOff}>
              {tr('Take everything')}
            </Button>
          )}
        </Text>
        {unapproved > 0 && (
          <Text size="xs" className={classes.warn}>
            {tr(
              '{unapproved, plural, one {# recording} other {# recordings}} not approved. They belong to the version and go out with it.',
              { unapproved },
            )}
          </Text>
        )}
        {terms && (
          <Text size="xs" className={terms.licence === '' ? classes.warn : undefined} c="dimmed">
            {terms.licence === ''
              ? tr('No licence is set. A version keeps what is set when it is frozen.')
              : tr('Licence: {licence}', { licence: terms.licence })}
          </Text>
        )}
        {unsplit > 0 && unsplit < tasks && (
          <Text size="xs" className={classes.warn}>
            {tr('{unsplit, plural, one {# task} other {# tasks}} in no split, while others have one.', { unsplit })}
          </Text>
        )}
      </section>
      <TextInput
        ref={field}
        label={tr('Name')}
        placeholder={versions && versions.length > 0 ? tr('after {version}', { version: versions[0]?.name }) : 'v1.0'}
        value={name}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={fault}
        data-autofocus
      />
      <Textarea
        label={tr('Changelog')}
        description={tr('What is new in it, for those who will use it')}
        value={changelog}
        onChange={(event) => setChangelog(event.currentTarget.value)}
        maxLength={20_000}
        rows={4}
      />
      {(isSame || again) && (
        <Checkbox
          label={tr('Freeze it again under another name, although nothing changed')}
          checked={again}
          onChange={(event) => setAgain(event.currentTarget.checked)}
        />
      )}
      {freeze.error && <ErrorPanel error={freeze.error} what={tr('Nothing was frozen.')} compact />}
      {job && <JobRow ws={ws} job={job} />}
    </DialogForm>
  );
}
