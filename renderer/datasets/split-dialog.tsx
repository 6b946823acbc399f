import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import type { DataRow } from '../../schemas/dataset.ts';
import { client } from '../client/api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { plural } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { splitFault } from './names.ts';
import { datasetQueries } from './queries.ts';
import { splitsBack } from './undo.ts';

/** The usual names of splits. */
const USUAL_SPLITS = ['train', 'validation', 'test'];

type Props = { ws: string; opened: boolean; rows: readonly DataRow[]; all: readonly DataRow[]; onClose: () => void };

/** Puts tasks into a split by hand, or takes them out. */
export function SplitDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="Put into a split" size="md">
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
      const what = `${plural(tasks.length, 'task')} ${to === null ? 'taken out of any split' : `put into ${to}`}`;
      tellDone(what, changed.length > 0 ? undo : null, 'dataset');
      await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (split !== '' && fault === null && !save.isPending) save.mutate(split.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">
          {plural(tasks.length, 'task')}
          {along > 0 &&
            `, with ${plural(along, 'more recording')} of the same ${tasks.length === 1 ? 'task' : 'tasks'}`}
          . A split is the task's: all its recordings share it.
        </Text>
        <Autocomplete
          label="Split"
          placeholder="train"
          data={known}
          value={split}
          onChange={setSplit}
          error={fault}
          data-autofocus
        />
        {save.error && <ErrorPanel error={save.error} what="The split was not changed." compact />}
        <Group justify="space-between" gap={8}>
          <Button
            variant="subtle"
            disabled={rows.every((row) => row.split === null) || save.isPending}
            onClick={() => save.mutate(null)}
          >
            Take out of their split
          </Button>
          <Group gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={split === '' || fault !== null} loading={save.isPending}>
              Put into the split
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
