import { Autocomplete, Group, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { SoftwareInfo } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { SoftwareSelect } from './software-select.tsx';

const PLATFORMS = ['Windows 11', 'Windows 10', 'macOS 15', 'Ubuntu 24.04', 'Web'];

type Props = {
  ws: string;
  opened: boolean;
  software: readonly SoftwareInfo[];
  initialSoftware: string | null;
  onClose: () => void;
  onMade: (task: string) => void;
};

/** Makes a task and goes to it. Only software and goal are asked for; the rest can come later. */
export function NewTaskDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('New task')} size="lg">
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, software, initialSoftware, onClose, onMade }: Props): ReactNode {
  const cache = useQueryClient();
  const [of, setOf] = useState<string | null>(
    initialSoftware ?? (software.length === 1 ? (software[0]?.id ?? null) : null),
  );
  // Where it is known already, as of a task's page or a library that shows one alone, the goal is the first that is asked.
  const known = useRef(of !== null).current;
  const goalField = useRef<HTMLTextAreaElement>(null);
  const [goal, setGoal] = useState('');
  const [id, setId] = useState('');
  const [platform, setPlatform] = useState('');
  const [sourceUrl, setSourceUrl] = useState('');
  const [notes, setNotes] = useState('');
  const [asked, setAsked] = useState(false);
  const make = useMutation({
    mutationFn: (chosen: string) =>
      client.tasks.create({
        ws,
        software: chosen,
        goal: goal.trim(),
        platform: platform.trim(),
        sourceUrl: sourceUrl.trim(),
        notes: notes.trim(),
        ...(id.trim() === '' ? {} : { id: id.trim() }),
      }),
    onSuccess: async (task) => {
      await cache.invalidateQueries({ queryKey: ['of', ws] });
      onClose();
      onMade(task.id);
    },
  });
  const prefix = software.find((one) => one.id === of)?.prefix;
  const submit = (): void => {
    setAsked(true);
    if (of !== null && goal.trim() !== '') make.mutate(of);
  };
  return (
    <DialogForm onSubmit={submit} onClose={onClose} loading={make.isPending} submit={tr('Create task')}>
      <Group gap="sm" grow align="flex-start">
        <SoftwareSelect
          ws={ws}
          software={software}
          value={of}
          onChange={(chosen) => {
            setOf(chosen);
            if (chosen !== null) goalField.current?.focus();
          }}
          first={!known}
          error={asked && of === null ? tr('Choose the software.') : undefined}
        />
        <TextInput
          label={tr('Id')}
          placeholder={prefix ? tr('{prefix}_… (the next free one)', { prefix }) : tr('the next free one')}
          maxLength={60}
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
        />
      </Group>
      <Textarea
        ref={goalField}
        label={tr('Goal')}
        description={tr('Describe the goal in full; this is the benchmark’s instruction.')}
        rows={4}
        maxLength={10_000}
        value={goal}
        onChange={(event) => setGoal(event.currentTarget.value)}
        error={asked && goal.trim() === '' ? tr('Say what is to be done.') : undefined}
        withAsterisk
        data-autofocus={known || undefined}
      />
      <Group gap="sm" grow align="flex-start">
        <Autocomplete label={tr('Platform')} data={PLATFORMS} maxLength={100} value={platform} onChange={setPlatform} />
        <TextInput
          label={tr('Source video')}
          placeholder={tr('https://…')}
          maxLength={2000}
          value={sourceUrl}
          onChange={(event) => setSourceUrl(event.currentTarget.value)}
        />
      </Group>
      <Textarea
        label={tr('Notes')}
        rows={2}
        maxLength={10_000}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
      {make.error && <ErrorPanel error={make.error} what={tr('The task was not created.')} compact />}
    </DialogForm>
  );
}
