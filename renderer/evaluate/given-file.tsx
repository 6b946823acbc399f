import { Button, CloseButton, FileButton, TextInput } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { GivenFile } from '../../schemas/api/evaluate.ts';
import { tr } from '../language/tr.ts';
import classes from './evaluate.module.css';
import { sendFile } from './send.ts';

/** A file as a person gives it: chosen in the browser, else by its path on the studio's machine. */
export type Given = { file: File | null; path: string };
export const NOTHING_GIVEN: Given = { file: null, path: '' };

export const isGiven = ({ file, path }: Given): boolean => file !== null || path.trim() !== '';

/** The file as the studio is told of it; a chosen one is sent first. */
export async function give(ws: string, { file, path }: Given): Promise<GivenFile> {
  if (file) return { from: 'upload', upload: await sendFile(ws, file), name: file.name };
  return { from: 'path', path: path.trim() };
}

type Props = {
  label: string;
  about: string;
  example: string;
  value: Given;
  onChange: (value: Given) => void;
  /** The dialog's first field. */
  first?: boolean;
};

/** One field for both: a path is written into it, and a file that was chosen is named in it. */
export function GivenFileField({ label, about, example, value, onChange, first }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const { file } = value;
  // The next key sends what was just chosen.
  useEffect(() => {
    if (file) field.current?.focus();
  }, [file]);
  return (
    <div className={classes.given}>
      <TextInput
        ref={field}
        className={classes.givenPath}
        label={label}
        description={`${about} ${tr('Its path on this machine, or choose it.')}`}
        placeholder={example}
        value={file ? file.name : value.path}
        readOnly={file !== null}
        onChange={(event) => onChange({ file: null, path: event.currentTarget.value })}
        rightSection={
          file && (
            <CloseButton
              size="sm"
              aria-label={tr('Clear')}
              onClick={() => {
                onChange({ ...value, file: null });
                field.current?.focus();
              }}
            />
          )
        }
        data-autofocus={first || undefined}
      />
      <FileButton accept=".jsonl,.ndjson,.json,.txt" onChange={(chosen) => onChange({ ...value, file: chosen })}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconFile size={15} aria-hidden />}>
            {tr('Choose a file …')}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
