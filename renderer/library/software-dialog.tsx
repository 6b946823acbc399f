import { Group, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';

type Props = { ws: string; opened: boolean; onClose: () => void };

/** Adds software by hand, beside what a new workspace brings. */
export function SoftwareDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Add software')}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [prefix, setPrefix] = useState('');
  const [platforms, setPlatforms] = useState('');
  const [aliases, setAliases] = useState<string[]>([]);
  const [asked, setAsked] = useState(false);
  const add = useMutation({
    mutationFn: () =>
      client.software.add({
        ws,
        name: name.trim(),
        ...(prefix.trim() === '' ? {} : { prefix: prefix.trim() }),
        ...(platforms.trim() === '' ? {} : { platforms: platforms.trim() }),
        ...(aliases.length === 0 ? {} : { aliases }),
      }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: queries.software(ws).queryKey });
      onClose();
    },
  });
  const submit = (): void => {
    setAsked(true);
    if (name.trim() !== '') add.mutate();
  };
  return (
    <DialogForm onSubmit={submit} onClose={onClose} loading={add.isPending} submit={tr('Add')}>
      <TextInput
        label={tr('Name')}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={asked && name.trim() === '' ? tr('Give its name.') : undefined}
        withAsterisk
        data-autofocus
      />
      <Group gap="sm" grow align="flex-start">
        <TextInput
          label={tr('Prefix of task ids')}
          placeholder={tr('GIMP, as in GIMP_15')}
          maxLength={20}
          value={prefix}
          onChange={(event) => setPrefix(event.currentTarget.value.toUpperCase())}
        />
        <TextInput
          label={tr('Platforms')}
          placeholder={tr('Windows, macOS')}
          maxLength={200}
          value={platforms}
          onChange={(event) => setPlatforms(event.currentTarget.value)}
        />
      </Group>
      <TagsInput
        size="xs"
        label={tr('Other names')}
        description={tr('Type a word and press Enter: short names, names in other languages.')}
        value={aliases}
        onChange={setAliases}
        maxTags={50}
      />
      {add.error && <ErrorPanel error={add.error} what={tr('It was not added.')} compact />}
    </DialogForm>
  );
}
