import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { DataRow } from '../../schemas/dataset.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { isPlain, useDialogKeys } from '../ui/keys/use-dialog-keys.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { splitFault } from './names.ts';
import { datasetQueries } from './queries.ts';
import { splitsBack } from './undo.ts';

/** The usual names of splits. */
const USUAL_SPLITS = ['train', 'validation', 'test'];
/** No more than there are digits for. */
const DIGITS = 9;

type Props = { ws: string; opened: boolean; rows: readonly DataRow[]; all: readonly DataRow[]; onClose: () => void };

/** Puts tasks into a split by hand, or takes them out. */
export function SplitDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Assign split')} size="md">
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, rows, all, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [split, setSplit] = useState('');
  const tasks = useMemo(() => [...new Set(rows.map(({ task }) => task))], [rows]);
  // A task's other recordings come along: a split is the task's.
  const along = useMemo(() => {
    const wanted = new Set(tasks);
    return all.filter(({ task }) => wanted.has(task)).length - rows.length;
  }, [all, rows, tasks]);
  const known = [...new Set([...USUAL_SPLITS, ...all.flatMap((row) => row.split ?? [])])];
  const fault = split === '' ? null : splitFault(split);
  const save = useMutation({
    mutationFn: (to: string | null) => client.dataset.split({ ws, tasks, split: to }),
    onSuccess: async (_done, to) => {
      const changed = rows.filter((row) => row.split !== to);
      const undo = async (): Promise<void> => {
        for (const call of splitsBack(changed)) await client.dataset.split({ ws, ...call });
        await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
      };
      const what =
        to === null
          ? tr('{tasks, plural, one {# task} other {# tasks}} removed from their split', { tasks: tasks.length })
          : tr('{tasks, plural, one {# task} other {# tasks}} put into {to}', { tasks: tasks.length, to });
      tellDone(what, changed.length > 0 ? undo : null, 'dataset');
      await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
      onClose();
    },
  });
  // No split begins with a digit: in the empty field it chooses one.
  useDialogKeys((event) => {
    const chosen = known.slice(0, DIGITS)[Number(event.key) - 1];
    if (chosen === undefined || split !== '' || !isPlain(event) || save.isPending) return false;
    save.mutate(chosen);
    return true;
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (split !== '' && fault === null && !save.isPending) save.mutate(split.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          {tr(
            '{tasks, plural, one {# task} other {# tasks}}{along, plural, =0 {} one {, with # more recording of the same {tasks, plural, one {task} other {tasks}}} other {, with # more recordings of the same {tasks, plural, one {task} other {tasks}}}}. Splits apply to tasks; all recordings of a task share one.',
            { tasks: tasks.length, along },
          )}
        </Text>
        <Group gap={8} role="group" aria-label={tr('Known splits')}>
          {known.slice(0, DIGITS).map((one, index) => (
            <Button
              key={one}
              variant="default"
              disabled={save.isPending}
              rightSection={<ChordKeys chord={String(index + 1)} />}
              aria-keyshortcuts={String(index + 1)}
              onClick={() => save.mutate(one)}
            >
              {one}
            </Button>
          ))}
        </Group>
        <Autocomplete
          label={tr('Split')}
          placeholder={'train'}
          // The others have their buttons.
          data={known.slice(DIGITS)}
          value={split}
          onChange={setSplit}
          error={fault}
          data-autofocus
        />
        {save.error && <ErrorPanel error={save.error} what={tr('The split was not changed.')} compact />}
        <Group justify="space-between" gap={8}>
          <Button
            variant="subtle"
            disabled={rows.every((row) => row.split === null) || save.isPending}
            onClick={() => save.mutate(null)}
          >
            {tr('Remove from split')}
          </Button>
          <Group gap={8}>
            <Button variant="default" onClick={onClose}>
              {tr('Cancel')}
            </Button>
            <Button type="submit" disabled={split === '' || fault !== null} loading={save.isPending}>
              {tr('Assign split')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
