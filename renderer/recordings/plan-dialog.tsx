import { Anchor, Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { ReviewState } from '../../schemas/api/review-models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askWho, usePersonId } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { tr, trParts } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { percent } from '../ui/format.ts';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../ui/keys/use-dialog-keys.ts';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import { WhoFirst } from '../ui/who-are-you.tsx';
import classes from './plan-dialog.module.css';

type Props = { ws: string; row: RecordingRow | null; onClose: () => void };

/** How one recording is annotated, whatever the rules of the data set would choose for it. */
export function PlanDialog({ ws, row, onClose }: Props): ReactNode {
  const person = usePersonId(ws);
  return (
    <Dialog opened={row !== null} onClose={onClose} title={tr('Who annotates this recording')}>
      {row &&
        (person === null ? (
          <WhoFirst
            onChoose={() => {
              onClose();
              askWho();
            }}
          >
            {tr('What is planned is kept with who planned it.')}
          </WhoFirst>
        ) : (
          <Plan ws={ws} row={row} person={person} onClose={onClose} />
        ))}
    </Dialog>
  );
}

type Planning = { ws: string; row: RecordingRow; person: string; onClose: () => void };

function Plan({ ws, row, person, onClose }: Planning): ReactNode {
  const state = useQuery({
    queryKey: ['of', ws, 'review', row.id, person],
    queryFn: ({ signal }) => client.review.get({ ws, recording: row.id, person }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  if (state.error) return <QueryError of={state} />;
  if (!state.data) return <Text size="sm">{tr('Reading how it stands …')}</Text>;
  return <PlanForm ws={ws} row={row} person={person} onClose={onClose} state={state.data} />;
}

const CHOICES = [
  { replicas: 1, label: tr('One annotates, another reviews') },
  { replicas: 2, label: tr('Two annotate blind') },
  { replicas: 3, label: tr('Three annotate blind') },
  { replicas: 4, label: tr('Four annotate blind') },
  { replicas: 5, label: tr('Five annotate blind') },
] as const;

function PlanForm({ ws, row, person, onClose, state }: Planning & { state: ReviewState }): ReactNode {
  const cache = useQueryClient();
  const policy = useQuery(queries.policy(ws)).data;
  const [wanted, setWanted] = useState(state.replicas);
  const refused = state.may.plan ?? null;
  const now = useRef<HTMLInputElement>(null);
  const options = useRef<HTMLDivElement>(null);
  // How it stands comes after the dialog has opened, so it cannot give the focus itself.
  useEffect(() => now.current?.focus(), []);
  const store = useMutation({
    mutationFn: () =>
      client.review.send({
        ws,
        person,
        recording: row.id,
        id: crypto.randomUUID(),
        act: { type: 'plan', replicas: wanted },
      }),
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries({ queryKey: ['of', ws] });
    },
  });
  const plan = (): void => {
    if (refused === null && !store.isPending) store.mutate();
  };
  useDialogKeys((event) => {
    if (event.key === 'Enter' && !isPlain(event)) {
      plan();
      return true;
    }
    const choice = CHOICES.find(({ replicas }) => String(replicas) === event.key);
    if (!choice || !isPlain(event) || refused !== null) return false;
    setWanted(choice.replicas);
    options.current?.querySelector<HTMLInputElement>(`input[value="${choice.replicas}"]`)?.focus();
    return true;
  });
  return (
    <DialogForm
      onSubmit={plan}
      onClose={onClose}
      loading={store.isPending}
      disabled={refused !== null}
      gap="md"
      submit={tr('Save the plan')}
    >
      <Text size="sm" c="dimmed" className={classes.which}>
        {row.task} · {row.id}
      </Text>
      <Radio.Group
        aria-label={tr('Who annotates this recording')}
        value={String(wanted)}
        onChange={(value) => setWanted(Number(value))}
      >
        <Stack gap={8} ref={options}>
          {CHOICES.map(({ replicas, label }) => (
            <span key={replicas} className={classes.choice}>
              <Radio
                value={String(replicas)}
                label={label}
                disabled={refused !== null}
                {...(replicas === state.replicas && { ref: now })}
              />
              <ChordKeys chord={String(replicas)} />
            </span>
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm">
        {refused ??
          tr(
            'Who annotates blind sees nobody else’s work. When all have submitted, somebody who did not decides where they differ.',
          )}
      </Text>
      {policy && (
        <Text size="xs" c="dimmed">
          {policy.checkShare > 0
            ? tr('Hidden checks are drawn by lot from what is approved, {share} of an annotator’s work.', {
                share: percent(policy.checkShare),
              })
            : tr('Hidden checks, drawn from what is approved, are off.')}{' '}
          {trParts('<link>My work</link> holds the review policy.', {
            link: (inside) => (
              <Anchor component={Link} href={paths.work(ws)} size="xs" underline="always">
                {inside}
              </Anchor>
            ),
          })}
        </Text>
      )}
      {store.error && <ErrorPanel error={store.error} what={tr('It was not planned.')} compact />}
    </DialogForm>
  );
}
