import { Avatar, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogEnd } from '../ui/dialog-end.tsx';
import { submitOnModEnter } from '../ui/fields.ts';
import { Clamp, ErrorPanel } from '../ui/parts.tsx';
import classes from './people.module.css';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** The people of the workspace: who recorded, who annotates. */
export function PeopleDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('People')}>
      <People {...props} />
    </Dialog>
  );
}

function People({ ws, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const people = useQuery(queries.people(ws));
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const add = useMutation({
    mutationFn: () => client.people.add({ ws, name: name.trim(), email: email.trim() || null }),
    onSuccess: async () => {
      setName('');
      setEmail('');
      await cache.invalidateQueries({ queryKey: queries.people(ws).queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '' && !add.isPending) add.mutate();
  };
  return (
    <Stack gap="md">
      {people.error && <ErrorPanel error={people.error} compact onRetry={() => void people.refetch()} />}
      {people.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {tr('Nobody yet. Add who records and who annotates, so that one can see who did what.')}
        </Text>
      )}
      <ul className={classes.people}>
        {people.data?.map((person) => (
          <li key={person.id} className={classes.person}>
            <Avatar size="sm" radius="xl" name={person.name} color="lake" alt="" aria-hidden />
            <span className={classes.name}>
              <Clamp>{person.name}</Clamp>
            </span>
            <span className={classes.email}>
              <Clamp>{person.email ?? ''}</Clamp>
            </span>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} onKeyDown={submitOnModEnter}>
        <Group gap={8} align="flex-end" grow>
          <TextInput
            label={tr('Name')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label={tr('E-mail (optional)')}
            type="email"
            maxLength={200}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </Group>
        {add.error && <ErrorPanel error={add.error} compact />}
        <DialogEnd
          onClose={onClose}
          close={tr('Close')}
          saysEscape
          chord="Enter"
          loading={add.isPending}
          disabled={name.trim() === ''}
          mt="md"
        >
          {tr('Add person')}
        </DialogEnd>
      </form>
    </Stack>
  );
}
