import { FileInput, SegmentedControl, TextInput } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { GivenFile } from '../../schemas/api/evaluate.ts';
import { tr } from '../language/tr.ts';
import { sendFile } from './send.ts';

/** A file as a person gives it: chosen in the browser, or by its path on the studio's machine. */
export type Given = { from: 'upload' | 'path'; file: File | null; path: string };
export const NOTHING_GIVEN: Given = { from: 'upload', file: null, path: '' };

export const isGiven = ({ from, file, path }: Given): boolean =>
  from === 'upload' ? file !== null : path.trim() !== '';

/** The file as the studio is told of it; a chosen one is sent first. */
export async function give(ws: string, { from, file, path }: Given): Promise<GivenFile> {
  if (from === 'upload' && file) return { from, upload: await sendFile(ws, file), name: file.name };
  return { from: 'path', path: path.trim() };
}

type Props = {
  label: string;
  about: string;
  example: string;
  value: Given;
  onChange: (value: Given) => void;
};

export function GivenFileField({ label, about, example, value, onChange }: Props): ReactNode {
  return (
    <>
      <SegmentedControl
        aria-label={tr('Where the file is')}
        data={[
          { value: 'upload', label: tr('Choose a file') },
          { value: 'path', label: tr('Path on this machine') },
        ]}
        value={value.from}
        onChange={(from) => onChange({ ...value, from: from === 'path' ? 'path' : 'upload' })}
      />
      {value.from === 'upload' ? (
        <FileInput
          size="xs"
          label={label}
          description={about}
          placeholder={tr('Choose a .jsonl file')}
          leftSection={<IconFile size={15} aria-hidden />}
          accept=".jsonl,.ndjson,.json,.txt"
          value={value.file}
          onChange={(file) => onChange({ ...value, file })}
          clearable
        />
      ) : (
        <TextInput
          label={label}
          description={about}
          placeholder={example}
          value={value.path}
          onChange={(event) => onChange({ ...value, path: event.currentTarget.value })}
        />
      )}
    </>
  );
}
