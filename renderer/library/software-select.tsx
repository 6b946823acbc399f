import { Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { SoftwareInfo } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { toError } from '../ui/errors.ts';

type Props = {
  ws: string;
  software: readonly SoftwareInfo[];
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string | undefined;
  /** Where it is not the software of a task that must have one. */
  label?: string;
  /** The dialog's first field. */
  first?: boolean;
};

/** No id of a software begins so. */
const ADD = '+';

/**
 * The software of a task: Enter takes the first that has what was typed. One that is not known yet is added from the same
 * field, in the same way.
 */
export function SoftwareSelect({ ws, software, value, onChange, error, first, label }: Props): ReactNode {
  const cache = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: (name: string) => client.software.add({ ws, name }),
    onSuccess: async ({ id }) => {
      await cache.invalidateQueries({ queryKey: queries.software(ws).queryKey });
      onChange(id);
    },
  });
  const typed = text.trim();
  const isKnown = software.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const known = software.map(({ id, name }) => ({ value: id, label: name }));
  const data =
    typed === '' || isKnown ? known : [...known, { value: `${ADD}${typed}`, label: tr('Add “{typed}”', { typed }) }];
  const take = (chosen: string | null): void => {
    if (chosen?.startsWith(ADD)) add.mutate(chosen.slice(ADD.length));
    else onChange(chosen);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // The list may not have marked one yet: what was pasted came in one piece.
    const marked = event.currentTarget.getAttribute('aria-activedescendant');
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || marked || typed === '') return;
    const found = data.find(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
    if (!found || found.value === value) return;
    event.preventDefault();
    take(found.value);
  };
  return (
    <Select
      label={label ?? tr('Software')}
      placeholder={tr('Type its name')}
      data={data}
      value={value}
      onChange={take}
      onKeyDown={onKeyDown}
      searchValue={text}
      onSearchChange={setText}
      // The typed text replaces the name that is there instead of following it.
      onFocus={(event) => event.currentTarget.select()}
      searchable
      selectFirstOptionOnChange
      // A dialog that opens with the focus here is not to be hidden behind the list.
      openOnFocus={false}
      data-autofocus={first || undefined}
      allowDeselect={false}
      disabled={add.isPending}
      error={add.error ? toError(add.error).message : error}
      withAsterisk={label === undefined}
    />
  );
}
