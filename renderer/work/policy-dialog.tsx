import { Checkbox, MultiSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ReviewPolicy } from '../../schemas/review.ts';
import { client } from '../client/api.ts';
import { askerOf, queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import classes from './page.module.css';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** Who is to do what in this data set: one annotates and another reviews, or several annotate blind. */
export function PolicyDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Review policy')} size="lg">
      <Policy {...props} />
    </Dialog>
  );
}

function Policy({ ws, onClose }: Props): ReactNode {
  const policy = useQuery({ ...queries.policy(ws), staleTime: 0 });
  if (policy.error) return <QueryError of={policy} />;
  if (!policy.data) return <Text size="sm">{tr('Loading the policy …')}</Text>;
  return <PolicyForm ws={ws} onClose={onClose} policy={policy.data} />;
}

function PolicyForm({ ws, onClose, policy }: { ws: string; onClose: () => void; policy: ReviewPolicy }): ReactNode {
  const cache = useQueryClient();
  const people = useQuery(queries.people(ws)).data ?? [];
  const [wanted, setWanted] = useState(policy);
  const store = useMutation({
    mutationFn: () => client.review.setPolicy({ ws, ...askerOf(ws), policy: wanted }),
    onSuccess: (stored) => {
      cache.setQueryData(queries.policy(ws).queryKey, stored);
      void cache.invalidateQueries({ queryKey: ['of', ws, 'work'] });
      onClose();
    },
  });
  const change = (part: Partial<ReviewPolicy>): void => setWanted({ ...wanted, ...part });
  return (
    <DialogForm
      onSubmit={() => store.mutate()}
      onClose={onClose}
      loading={store.isPending}
      gap="md"
      submit={tr('Save policy')}
    >
      <fieldset className={classes.group}>
        <legend>{tr('How each recording is annotated')}</legend>
        <Stack gap="sm">
          <Whole
            label={tr('People who annotate the same recording')}
            description={tr(
              '1: one person annotates, another reviews. More: each annotates without seeing the others, then somebody else decides where they differ.',
            )}
            value={wanted.replicas}
            least={1}
            most={5}
            focus
            onChange={(replicas) => change({ replicas })}
          />
          <Whole
            label={tr('Share of the recordings annotated by several, %')}
            description={tr(
              'The others are annotated by one. Which ones follows from the seed below, not from anybody’s choice.',
            )}
            value={Math.round(wanted.replicaShare * 100)}
            least={0}
            most={100}
            disabled={wanted.replicas === 1}
            onChange={(share) => change({ replicaShare: share / 100 })}
          />
          <Checkbox
            label={tr('After adjudication somebody who took no part reviews it too')}
            checked={wanted.reviewAdjudicated}
            disabled={wanted.replicas === 1}
            onChange={(event) => change({ reviewAdjudicated: event.currentTarget.checked })}
          />
        </Stack>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{tr('Reviews and checks')}</legend>
        <Stack gap="sm">
          <Checkbox
            label={tr('Who recorded a demonstration may review its annotation')}
            description={tr('They know best what was meant; they also see what they expect.')}
            checked={wanted.demonstratorMayReview}
            onChange={(event) => change({ demonstratorMayReview: event.currentTarget.checked })}
          />
          <Whole
            label={tr('Hidden checks, % of an annotator’s work')}
            description={
              wanted.replicas === 1
                ? tr(
                    'Approved recordings that are given again as if they were new, to see how well somebody annotates. They look like blind work: with one annotator a recording and nothing else blind, that alone gives them away.',
                  )
                : tr(
                    'Approved recordings that are given again as if they were new, to see how well somebody annotates. They look like any blind work. 5 to 10 % is usual; at most 15 %.',
                  )
            }
            value={Math.round(wanted.checkShare * 100)}
            least={0}
            most={15}
            onChange={(share) => change({ checkShare: share / 100 })}
          />
          <Whole
            label={tr('Seed')}
            description={tr(
              'Decides which recordings are replicated and which work is a check. The same seed, the same choice.',
            )}
            value={wanted.seed}
            least={0}
            most={1_000_000}
            onChange={(seed) => change({ seed })}
          />
        </Stack>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{tr('Who plans and assigns')}</legend>
        <Stack gap="sm">
          <MultiSelect
            label={tr('People who plan, assign work and change this policy')}
            description={tr('Nobody named: everybody may. There are no passwords here, so it is an agreement.')}
            data={people.map(({ id, name }) => ({ value: id, label: name }))}
            value={wanted.managers ?? []}
            onChange={(managers) => change({ managers })}
            searchable
            hidePickedOptions
          />
          <Checkbox
            label={tr('What is assigned is begun by those it is assigned to alone')}
            checked={wanted.assignedOnly === true}
            onChange={(event) => change({ assignedOnly: event.currentTarget.checked })}
          />
        </Stack>
      </fieldset>
      <Text size="xs" c="dimmed">
        {tr('Work already started keeps its old policy.')}
      </Text>
      {store.error && <ErrorPanel error={store.error} what={tr('The policy was not stored.')} compact />}
    </DialogForm>
  );
}

/** A whole number between two others; what is typed outside is brought inside when the field is left. */
function Whole(props: {
  label: string;
  description: string;
  value: number;
  least: number;
  most: number;
  disabled?: boolean;
  focus?: boolean;
  onChange: (value: number) => void;
}): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  // The rules come after the dialog has opened, so it cannot give the focus itself.
  useEffect(() => {
    if (props.focus) field.current?.select();
  }, [props.focus]);
  return (
    <NumberInput
      ref={field}
      label={props.label}
      description={props.description}
      value={props.value}
      min={props.least}
      max={props.most}
      clampBehavior="strict"
      allowDecimal={false}
      disabled={props.disabled ?? false}
      onChange={(value) => {
        const number = Number(value);
        if (value !== '' && Number.isInteger(number)) props.onChange(number);
      }}
    />
  );
}
