import { Avatar, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { Clamp, ErrorPanel, QueryError } from '../ui/parts.tsx';
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
  return (
    <Stack gap="md">
      <QueryError of={people} compact />
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
      <DialogForm
        onSubmit={() => add.mutate()}
        onClose={onClose}
        close={tr('Close')}
        chord="Enter"
        loading={add.isPending}
        disabled={name.trim() === ''}
        submit={tr('Add person')}
      >
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
      </DialogForm>
    </Stack>
  );
}
