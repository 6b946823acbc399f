import { Group, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Recipe } from '../../../schemas/play.ts';
import { tr } from '../../language/tr.ts';
import { RemoveLine } from './program-fields.tsx';

type PutFile = Recipe['files'][number];

/** Endings of archives that can be unpacked. */
const PACKED = /\.(?:zip|tar|tar\.gz|tgz)$/i;

/** A line of what a recipe puts into the home: a file or an archive of the task, a text, an empty folder. */
export function FileFields(props: {
  put: PutFile;
  /** The task's files. */
  names: readonly string[];
  number: number;
  onChange: (put: PutFile) => void;
  onRemove: () => void;
}): ReactNode {
  const { put, names, number, onChange, onRemove } = props;
  const isFolder = 'folder' in put || 'unpack' in put;
  return (
    <Group gap={8} align="flex-end" wrap="nowrap">
      {'attachment' in put && (
        <>
          <Select
            label={tr('File of the task')}
            data={names.includes(put.attachment) || put.attachment === '' ? [...names] : [...names, put.attachment]}
            value={put.attachment || null}
            allowDeselect={false}
            style={{ flex: 1 }}
            onChange={(attachment) => attachment && onChange({ attachment, to: put.to || attachment })}
          />
          {('unpack' in put || PACKED.test(put.attachment)) && (
            <Switch
              label={tr('Unpack it')}
              mb={8}
              checked={'unpack' in put}
              onChange={(event) => {
                const { attachment } = put;
                // "." is the home itself.
                if (event.currentTarget.checked) onChange({ attachment, to: '.', unpack: true });
                else onChange({ attachment, to: attachment });
              }}
            />
          )}
        </>
      )}
      {'text' in put && (
        <Textarea
          label={tr('Text')}
          rows={2}
          value={put.text}
          style={{ flex: 1 }}
          onChange={(event) => onChange({ ...put, text: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={isFolder ? tr('Folder in the home') : tr('Path in the home')}
        placeholder={isFolder ? tr('notes') : tr('notes/note.txt')}
        value={put.to}
        style={{ flex: 1 }}
        onChange={(event) => onChange({ ...put, to: event.currentTarget.value })}
      />
      <RemoveLine what={tr('file {number}', { number })} onRemove={onRemove} />
    </Group>
  );
}
