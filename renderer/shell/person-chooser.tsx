import { Avatar, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconUser, IconUserQuestion } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { Person } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { keepName, keptName } from '../client/kept-person.ts';
import { askWho, choosePerson, useAskingWho, usePerson, usePersonId } from '../client/person.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../ui/keys/use-dialog-keys.ts';
import { ErrorPanel, QueryError } from '../ui/parts.tsx';
import { personMeant } from './finding-person.ts';
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

/**
 * Whose work it is from now on. The field has the focus: what is typed filters the list, and Enter takes only a whole name or
 * what arrows went to, never whoever happens to be first. A digit takes one at once.
 */
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
  const choose = ({ id, name }: Pick<Person, 'id' | 'name'>): void => {
    choosePerson(ws, id);
    keepName(name);
    // Lists are as somebody is to see them; what the one before saw is not shown for a moment either.
    void cache.resetQueries({ queryKey: ['of', ws], predicate: ({ queryKey }) => queryKey[2] !== 'people' });
  };
  const people = useQuery(queries.people(ws));
  const chosen = usePersonId(ws);
  const [typed, setTyped] = useState<string | null>(null);
  /** The name that was to be added although others are called alike. */
  const [doubted, setDoubted] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: (name: string) => client.people.add({ ws, name, email: null }),
    onSuccess: async (person) => {
      await cache.invalidateQueries({ queryKey: queries.people(ws).queryKey });
      choose(person);
    },
  });
  const known = people.data !== undefined || people.error !== null;
  const list = people.data ?? [];
  // Whoever has worked in another workspace is proposed where nobody is known yet.
  const name = typed ?? (people.data?.length === 0 ? keptName() : '');
  const { shown, exact, isDoubtful } = personMeant(list, name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = name.trim();
    if (!known || wanted === '' || add.isPending) return;
    if (exact) choose(exact);
    else if (isDoubtful && doubted !== wanted) setDoubted(wanted);
    else add.mutate(wanted);
  };
  const field = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLUListElement>(null);
  const proposed = typed === null && name !== '';
  // What is typed is instead of it.
  useLayoutEffect(() => {
    if (proposed) field.current?.select();
  }, [proposed]);
  useDialogKeys((event) => handled(event));
  function handled(event: KeyboardEvent): boolean {
    if (!isPlain(event)) return false;
    const person = /^[1-9]$/.test(event.key) && name === '' ? shown[Number(event.key) - 1] : undefined;
    if (person) choose(person);
    // Where the names are not there yet a digit is nobody's, and begins no name either.
    if (person || (!known && name === '' && /^\d$/.test(event.key))) return true;
    const buttons = [...(rows.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((one) => one === document.activeElement);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = event.key === 'ArrowDown' ? buttons[at + 1] : at > 0 ? buttons[at - 1] : field.current;
      next?.focus();
      return true;
    }
    // The key is still to be typed: the field has it.
    const isTyped = (event.key.length === 1 && event.key !== ' ') || event.key === 'Backspace';
    if (isTyped && event.target !== field.current) field.current?.focus();
    return false;
  }
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {tr(
          'What you annotate and review is kept under this name. Nobody reviews their own work, so choose yourself, not a colleague.',
        )}
      </Text>
      <form onSubmit={submit}>
        <Group gap={8} align="flex-end" wrap="nowrap">
          <TextInput
            label={tr('Your name')}
            ref={field}
            data-autofocus
            placeholder={list.length === 0 ? tr('Name') : tr('Type a name to find it or to add it')}
            maxLength={100}
            value={name}
            autoComplete="off"
            style={{ flex: 1 }}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button
            type="submit"
            loading={add.isPending}
            disabled={name.trim() === '' || !known}
            rightSection={<ChordKeys chord="Enter" />}
          >
            {exact ? tr('Choose') : tr('Add')}
          </Button>
        </Group>
        {add.error && <ErrorPanel error={add.error} compact />}
      </form>
      <div role="status" className={classes.doubt}>
        {isDoubtful &&
          doubted === name.trim() &&
          tr('Enter once more adds “{name}” as another person.', { name: doubted })}
        {!known && tr('Loading the names …')}
      </div>
      <QueryError of={people} compact />
      {shown.length > 0 && (
        <ul ref={rows} className={classes.list} aria-label={tr('People')}>
          {shown.map((person, index) => (
            <li key={person.id}>
              <button
                type="button"
                className={classes.person}
                aria-current={person.id === chosen}
                aria-keyshortcuts={index < DIGITS && name === '' ? String(index + 1) : undefined}
                data-exact={person === exact || undefined}
                onClick={() => choose(person)}
              >
                <Avatar size="sm" radius="xl" name={person.name} color="lake" alt="" aria-hidden />
                <span className={classes.name} title={person.name}>
                  {person.name}
                </span>
                <span className={classes.email}>{person.email ?? ''}</span>
                {index < DIGITS && name === '' && <ChordKeys chord={String(index + 1)} />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
