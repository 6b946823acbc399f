import { Avatar, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconUser, IconUserQuestion } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { client } from '../client/api.ts';
import { askWho, choosePerson, useAskingWho, usePerson, usePersonId } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../ui/keys/use-dialog-keys.ts';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import classes from './person-chooser.module.css';

/** No more than there are digits for. */
const DIGITS = 9;

/** Who works here, in the bar: opens the chooser. */
export function WhoAmI({ ws }: { ws: string }): ReactNode {
  const person = usePerson(ws);
  const Icon = person ? IconUser : IconUserQuestion;
  const words = person?.name ?? tr('Who are you?');
  return (
    <CommandButton
      variant={person ? 'subtle' : 'default'}
      color="gray"
      size="compact-sm"
      icon={Icon}
      command="app.person"
      onClick={() => askWho()}
    >
      {person && <span className="visually-hidden">{tr('You are')} </span>}
      <span className={classes.who} title={words}>
        {words}
      </span>
    </CommandButton>
  );
}

/** Whose work it is from now on: a digit chooses, a name adds. */
export function PersonChooser({ ws }: { ws: string }): ReactNode {
  const asking = useAskingWho();
  return (
    <Dialog opened={asking} onClose={() => askWho(false)} title={tr('Who are you?')}>
      <People ws={ws} />
    </Dialog>
  );
}

function People({ ws }: { ws: string }): ReactNode {
  const cache = useQueryClient();
  const choose = (person: string): void => {
    choosePerson(ws, person);
    // Lists are as somebody is to see them; what the one before saw is not shown for a moment either.
    void cache.resetQueries({ queryKey: ['of', ws], predicate: ({ queryKey }) => queryKey[2] !== 'people' });
  };
  const people = useQuery(queries.people(ws));
  const chosen = usePersonId(ws);
  const [name, setName] = useState('');
  const add = useMutation({
    mutationFn: () => client.people.add({ ws, name: name.trim(), email: null }),
    onSuccess: async (person) => {
      await cache.invalidateQueries({ queryKey: queries.people(ws).queryKey });
      choose(person.id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '' && !add.isPending) add.mutate();
  };
  const list = people.data ?? [];
  const focused = Math.max(
    0,
    list.findIndex(({ id }) => id === chosen),
  );
  const field = useRef<HTMLInputElement>(null);
  const current = useRef<HTMLButtonElement>(null);
  // The list may come after the dialog has opened. Until then there is no field, which would take the digits as text.
  const known = people.data !== undefined || people.error !== null;
  useLayoutEffect(() => {
    if (known) (current.current ?? field.current)?.focus({ preventScroll: true });
  }, [known]);
  useDialogKeys((event) => {
    const person = list[Number(event.key) - 1];
    if (!person || !isPlain(event) || event.target instanceof HTMLInputElement) return false;
    choose(person.id);
    return true;
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {tr(
          'What you annotate and review is kept under this name. Nobody reviews their own work, so choose yourself, not a colleague.',
        )}
      </Text>
      {!known && (
        <Text size="sm" c="dimmed">
          {tr('Loading the names …')}
        </Text>
      )}
      <QueryError of={people} compact />
      {list.length > 0 && (
        <ul className={classes.list} aria-label={tr('People')}>
          {list.map((person, index) => (
            <li key={person.id}>
              <button
                type="button"
                className={classes.person}
                aria-current={person.id === chosen}
                aria-keyshortcuts={index < DIGITS ? String(index + 1) : undefined}
                ref={index === focused ? current : undefined}
                data-autofocus={index === focused || undefined}
                onClick={() => choose(person.id)}
              >
                <Avatar size="sm" radius="xl" name={person.name} color="lake" alt="" aria-hidden />
                <span className={classes.name} title={person.name}>
                  {person.name}
                </span>
                <span className={classes.email}>{person.email ?? ''}</span>
                {index < DIGITS && <ChordKeys chord={String(index + 1)} />}
              </button>
            </li>
          ))}
        </ul>
      )}
      {known && (
        <form onSubmit={submit}>
          <Group gap={8} align="flex-end" wrap="nowrap">
            <TextInput
              label={list.length === 0 ? tr('Your name') : tr('Add another person')}
              ref={field}
              placeholder={tr('Name')}
              maxLength={100}
              value={name}
              style={{ flex: 1 }}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button
              type="submit"
              loading={add.isPending}
              disabled={name.trim() === ''}
              rightSection={<ChordKeys chord="Enter" />}
            >
              {tr('Add')}
            </Button>
          </Group>
          {add.error && <ErrorPanel error={add.error} compact />}
        </form>
      )}
    </Stack>
  );
}
