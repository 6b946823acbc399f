import { Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { toError } from '../client/api.ts';
import { onHealed } from '../client/connection.ts';
import { tr } from '../language/tr.ts';
import classes from '../ui/parts.module.css';
import { makeTextSaver, type SaveState } from './text-saver.ts';

const SAVE_AFTER_MS = 600;

type Props = {
  label: string;
  value: string;
  /** The most letters the API takes. */
  maxLength: number;
  placeholder?: string;
  description?: string;
  lines?: boolean;
  rows?: number;
  onSave: (value: string) => Promise<unknown>;
};

/**
 * A text that is stored by itself: a moment after the last key, and at once when the field is left. Escape puts back what
 * was there when it was entered. A text that could not be stored stays in the field and says why.
 */
export function EditableText(props: Props): ReactNode {
  const { label, value, maxLength, onSave } = props;
  const [written, setWritten] = useState(value);
  const [state, setState] = useState<SaveState>('clean');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onEnter = useRef(value);
  const latest = useRef({ written, onSave });
  latest.current = { written, onSave };

  const [saver] = useState(() =>
    makeTextSaver({
      stored: value,
      written: () => latest.current.written,
      send: (text) => latest.current.onSave(text),
      onState: setState,
    }),
  );

  // Somebody else (another tab, the command line) changed it, and nothing is being written here.
  useEffect(() => {
    if (saver.isClean()) setWritten(value);
    saver.take(value);
  }, [saver, value]);

  const save = useCallback((): void => {
    clearTimeout(timer.current);
    saver.save();
  }, [saver]);
  // A text that could not be stored while the studio was away is stored when it is back.
  useEffect(() => onHealed(save), [save]);
  // A page that is left does not take the last words with it.
  useEffect(() => save, [save]);

  const field = {
    label: (
      <>
        {label} <span style={{ fontWeight: 400, opacity: 0.85 }}>{noteOf(state, written.length, maxLength)}</span>
      </>
    ),
    'aria-label': label,
    placeholder: props.placeholder ?? '',
    description: props.description,
    maxLength,
    value: written,
    error:
      typeof state === 'object' ? tr('Not stored. {message}', { message: toError(state.error).message }) : undefined,
    onFocus: () => {
      onEnter.current = written;
    },
    onBlur: save,
    onChange: (event: { currentTarget: { value: string } }) => {
      setWritten(event.currentTarget.value);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    onKeyDown: (event: { key: string; preventDefault: () => void; currentTarget: { blur: () => void } }) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      if (written === onEnter.current) return event.currentTarget.blur();
      setWritten(onEnter.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, 0);
    },
  };
  if (!props.lines) return <TextInput {...field} />;
  return <Textarea {...field} rows={props.rows ?? 2} classNames={{ input: classes.grows }} />;
}

/** The note beside the label: whether it is stored, and how much room is left when little is. */
function noteOf(state: SaveState, length: number, most: number): string {
  if (length > most * 0.9) return tr('{written, number} of {most, number} letters', { written: length, most });
  if (state === 'saving') return tr('storing …');
  if (state === 'saved') return tr('stored');
  return '';
}
