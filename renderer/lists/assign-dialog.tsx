import { Button, MultiSelect, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { AssignOutcome } from '../../schemas/api/review-models.ts';
import type { AssignedWork } from '../../schemas/task-terms.ts';
import { client } from '../client/api.ts';
import { askWho, usePersonId, usePersonName } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { WhoFirst } from '../ui/who-are-you.tsx';
import classes from './assign-dialog.module.css';
import { workAhead } from './assigned.ts';

type Props = {
  ws: string;
  /** Null: closed. */
  rows: readonly RecordingRow[] | null;
  /** The page's own, which has an undo; null: the page has none. */
  scope: string | null;
  onClose: () => void;
};

/** Who is to annotate or to review recordings, and by which day. */
export function AssignDialog({ ws, rows, scope, onClose }: Props): ReactNode {
  const person = usePersonId(ws);
  return (
    <Dialog opened={rows !== null} onClose={onClose} title={tr('Assign work')} size="lg">
      {rows &&
        (rows.length === 0 ? (
          <Text size="sm">{tr('No recordings here yet: work is assigned once something is recorded.')}</Text>
        ) : person === null ? (
          <WhoFirst
            onChoose={() => {
              onClose();
              askWho();
            }}
          >
            {tr('Assignments are kept with who made them.')}
          </WhoFirst>
        ) : (
          <AssignForm ws={ws} rows={rows} scope={scope} person={person} onClose={onClose} />
        ))}
    </Dialog>
  );
}

/** What all of them have; an empty one where they differ. */
function shared(rows: readonly RecordingRow[], work: AssignedWork): { people: string[]; due: string } {
  const all = rows.map((row) => row.assigned?.[work]);
  const first = all[0];
  const same = all.every((one) => one?.people.join() === first?.people.join() && one?.due === first?.due);
  return same && first ? { people: first.people, due: first.due ?? '' } : { people: [], due: '' };
}

type FormProps = Omit<Props, 'rows'> & { rows: readonly RecordingRow[]; person: string };

function AssignForm({ ws, rows, scope, person, onClose }: FormProps): ReactNode {
  const cache = useQueryClient();
  const people = useQuery(queries.people(ws)).data ?? [];
  const policy = useQuery(queries.policy(ws)).data;
  const name = usePersonName(ws);
  const [work, setWork] = useState<AssignedWork>(() =>
    rows.every((row) => workAhead(row) !== 'annotate') ? 'review' : 'annotate',
  );
  const [said, setSaid] = useState(() => shared(rows, work));
  const most = work === 'review' ? 1 : 5;
  const store = useMutation({
    mutationFn: (to: readonly string[]) => assign({ ws, person, rows, work, to, due: to.length > 0 ? said.due : '' }),
    onSuccess: async (outcome, to) => {
      const changed = rows.filter(({ id }) => outcome.assigned.includes(id));
      const recordings = changed.length;
      const undo = async (): Promise<void> => {
        for (const row of changed) {
          const before = row.assigned?.[work];
          await assign({ ws, person, rows: [row], work, to: before?.people ?? [], due: before?.due ?? '' });
        }
        await cache.invalidateQueries({ queryKey: ['of', ws] });
      };
      if (recordings > 0) {
        const text =
          to.length > 0
            ? tr('{recordings, plural, one {# recording} other {# recordings}} assigned to {names}', {
                recordings,
                names: to.map(name).join(', '),
              })
            : tr('{recordings, plural, one {# recording is} other {# recordings are}} for everybody again', {
                recordings,
              });
        tellDone(text, undo, scope);
      }
      if (outcome.refused.length === 0) onClose();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['of', ws] }),
  });
  const chooseWork = (next: AssignedWork): void => {
    setWork(next);
    setSaid(shared(rows, next));
  };
  const nobodyYet = rows.every((row) => !row.assigned?.[work]);
  const refused = store.data?.refused ?? [];
  return (
    <DialogForm
      onSubmit={() => store.mutate(said.people)}
      onClose={onClose}
      loading={store.isPending}
      disabled={said.people.length === 0}
      gap="md"
      submit={tr('Assign')}
      between={
        !nobodyYet && (
          <Button variant="default" disabled={store.isPending} onClick={() => store.mutate([])}>
            {tr('Leave to everybody')}
          </Button>
        )
      }
      outcome={
        store.error ? (
          <ErrorPanel error={store.error} what={tr('Not every recording was assigned.')} compact />
        ) : (
          refused.length > 0 && <Refused ws={ws} refused={refused} rows={rows} />
        )
      }
    >
      <Text size="sm" c="dimmed" className={classes.which}>
        {rows.length === 1
          ? `${rows[0]!.task} · ${rows[0]!.id}`
          : tr('{rows, plural, one {# recording} other {# recordings}}', { rows: rows.length })}
      </Text>
      <SegmentedControl
        aria-label={tr('Work')}
        value={work}
        onChange={(value) => chooseWork(value === 'review' ? 'review' : 'annotate')}
        data={[
          { value: 'annotate', label: tr('Annotation') },
          { value: 'review', label: tr('Review or adjudication') },
        ]}
      />
      <MultiSelect
        label={tr('Who is to do it')}
        placeholder={said.people.length === 0 ? tr('Type a name') : ''}
        data={people.map(({ id, name: label }) => ({ value: id, label }))}
        value={said.people}
        onChange={(chosen) => setSaid({ ...said, people: chosen.slice(-most) })}
        searchable
        hidePickedOptions
        nothingFoundMessage={tr('Nobody of that name')}
        data-autofocus
      />
      <TextInput
        type="date"
        label={tr('To be done by (optional)')}
        value={said.due}
        onChange={(event) => setSaid({ ...said, due: event.currentTarget.value })}
      />
      <Text size="sm">
        {policy?.assignedOnly
          ? tr('It comes first in their work, and nobody else can begin it: the review policy says so.')
          : tr('It comes first in their work. Others find it at the end of theirs and may still take it.')}
      </Text>
    </DialogForm>
  );
}

/** Those that stay as they were, and why. */
function Refused(props: { ws: string; refused: AssignOutcome['refused']; rows: readonly RecordingRow[] }): ReactNode {
  const task = new Map(props.rows.map((row) => [row.id, row.task]));
  return (
    <div role="alert" className={classes.refused}>
      <Text size="sm" fw={600}>
        {tr('{count, plural, one {# recording was} other {# recordings were}} not assigned', {
          count: props.refused.length,
        })}
      </Text>
      <ul>
        {props.refused.map(({ recording, why }) => (
          <li key={recording}>
            {task.get(recording)} · {recording}: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Wanted = {
  ws: string;
  person: string;
  rows: readonly RecordingRow[];
  work: AssignedWork;
  to: readonly string[];
  due: string;
};

const assign = ({ ws, person, rows, work, to, due }: Wanted): Promise<AssignOutcome> =>
  client.review.assign({ ws, person, work, recordings: rows.map(({ id }) => id), to: [...to], due: due || null });
