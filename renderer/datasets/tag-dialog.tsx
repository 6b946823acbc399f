import { TagsInput, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { DataRow } from '../../schemas/dataset.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { ErrorPanel } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { tagFault } from './names.ts';
import classes from './page.module.css';
import { datasetQueries } from './queries.ts';
import { tagsBack } from './undo.ts';

type Props = { ws: string; opened: boolean; rows: readonly DataRow[]; all: readonly DataRow[]; onClose: () => void };

/** Adds tags to many recordings and takes others away, in one step. */
export function TagDialog(props: Props): ReactNode {
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      title={tr('Tag {rows, plural, one {# recording} other {# recordings}}', { rows: props.rows.length })}
      size="md"
    >
      <Form {...props} />
    </Dialog>
  );
}

function Form({ ws, rows, all, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const known = useMemo(() => [...new Set(all.flatMap(({ tags }) => tags))].sort(), [all]);
  const here = useMemo(() => [...new Set(rows.flatMap(({ tags }) => tags))].sort(), [rows]);
  const [text, setText] = useState('');
  // A typed text that is not yet a tag of the list counts too.
  const adding = text.trim() === '' ? add : [...new Set([...add, text.trim()])];
  const fault = adding.map(tagFault).find((one) => one !== null) ?? null;
  const save = useMutation({
    mutationFn: () =>
      client.dataset.tag({ ws, recordings: rows.map(({ recording }) => recording), add: adding, remove }),
    onSuccess: async () => {
      const back = tagsBack(rows, { add: adding, remove });
      const undo = async (): Promise<void> => {
        for (const call of back) await client.dataset.tag({ ws, ...call });
        await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
      };
      tellDone(
        tr('Tags of {rows, plural, one {# recording} other {# recordings}} changed', { rows: rows.length }),
        back.length > 0 ? undo : null,
        'dataset',
      );
      await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
      onClose();
    },
  });
  const nothing = adding.length === 0 && remove.length === 0;
  return (
    <DialogForm
      onSubmit={() => save.mutate()}
      onClose={onClose}
      disabled={nothing || fault !== null}
      loading={save.isPending}
      submit={tr('Change tags')}
    >
      <TagsInput
        size="xs"
        label={tr('Add')}
        description={tr('Type a tag and press Enter, or choose one that is used already.')}
        data={known}
        value={add}
        onChange={setAdd}
        searchValue={text}
        onSearchChange={setText}
        classNames={{ inputField: classes.bare }}
        acceptValueOnBlur
        maxTags={50}
        error={fault}
        data-autofocus
      />
      {here.length > 0 ? (
        <TagsInput
          size="xs"
          label={tr('Remove')}
          description={tr('Of those that they have now')}
          data={here}
          value={remove}
          classNames={{ inputField: classes.bare }}
          onChange={(tags) => setRemove(tags.filter((tag) => here.includes(tag)))}
        />
      ) : (
        <Text size="xs" c="dimmed">
          {tr('None of them has a tag yet.')}
        </Text>
      )}
      {save.error && <ErrorPanel error={save.error} what={tr('The tags were not changed.')} compact />}
    </DialogForm>
  );
}
