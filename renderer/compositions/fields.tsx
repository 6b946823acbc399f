import { Autocomplete, Select, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, type Ref, useState } from 'react';
import { wordsOfValue } from '../../core/compositions/slots.ts';
import type { Composition, MemberOutput } from '../../schemas/composition.ts';
import { tr } from '../language/tr.ts';
import { useEditing } from './editing.ts';

type Shared = {
  label: string;
  /** Its place in the composition, by which its fault is found: `members.0.place`. */
  field: string;
  description?: string;
  placeholder?: string;
  maxLength?: number;
  className?: string | undefined;
};
type TextProps = Shared & {
  value: string;
  /** The composition with this text in it. */
  onWrite: (text: string) => Composition;
  lines?: number;
  /** Lines that are shown at most. */
  mostLines?: number;
  /** By which the editor finds it. */
  level?: string;
  inputRef?: Ref<HTMLTextAreaElement & HTMLInputElement>;
  onFocus?: () => void;
};

/** A text of the composition. */
export function WrittenField({
  field,
  value,
  onWrite,
  lines,
  mostLines,
  inputRef,
  level,
  ...rest
}: TextProps): ReactNode {
  const { change, fault, isLocked } = useEditing();
  const shared = {
    ...rest,
    value,
    error: fault(field),
    readOnly: isLocked,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      change(onWrite(text), { field, text });
    },
  };
  if (lines === undefined) return <TextInput {...shared} ref={inputRef ?? null} />;
  return (
    <Textarea
      {...shared}
      autosize
      minRows={lines}
      {...(mostLines && { maxRows: mostLines })}
      ref={inputRef ?? null}
      data-level={level}
    />
  );
}

/** A text with names that it may be, offered while one writes. */
export function OfferedField(
  props: Omit<TextProps, 'lines' | 'mostLines' | 'level' | 'inputRef'> & { names: readonly string[] },
): ReactNode {
  const { names, ...written } = props;
  // A list without entries would take the first Escape for itself.
  return names.length === 0 ? <WrittenField {...written} /> : <NamesField {...written} names={names} />;
}

function NamesField({ field, value, names, onWrite, ...rest }: Parameters<typeof OfferedField>[0]): ReactNode {
  const { change, fault, isLocked } = useEditing();
  return (
    <Autocomplete
      {...rest}
      value={value}
      data={[...new Set(names)]}
      limit={60}
      openOnFocus={false}
      error={fault(field)}
      readOnly={isLocked}
      autoComplete="off"
      onChange={(text) => change(onWrite(text), { field, text })}
    />
  );
}

/** A name that others refer to: it changes when it can be one, and until then only in its field. */
export function NamedField(props: Shared & { value: string; rename: (name: string) => Composition }): ReactNode {
  const { field, value, rename, ...rest } = props;
  const { composition, change, isLocked } = useEditing();
  const [written, setWritten] = useState<string | null>(null);
  const write = (text: string): void => {
    const next = rename(text);
    const isTaken = next !== composition || text === value;
    setWritten(isTaken ? null : text);
    if (next !== composition) change(next, { field, text: '' });
  };
  return (
    <TextInput
      {...rest}
      value={written ?? value}
      readOnly={isLocked}
      autoComplete="off"
      onChange={(event) => write(event.currentTarget.value)}
      onBlur={() => setWritten(null)}
      error={
        written === null ? undefined : tr('Another name: small letters, digits and “_”, a letter first, and not taken.')
      }
    />
  );
}

type ListProps = Shared & {
  value: readonly string[];
  onWrite: (list: string[]) => Composition;
  /** Entries stand on lines of their own, or in one, with commas between them. */
  split?: 'lines' | 'commas';
  lines?: number;
};

/** A list, written as one text. What is written stays as it is while it means the same. */
export function ListField({ field, value, onWrite, split = 'lines', lines = 2, ...rest }: ListProps): ReactNode {
  const { change, fault, isLocked } = useEditing();
  const [written, setWritten] = useState('');
  const mark = split === 'lines' ? '\n' : ',';
  const read = (text: string): string[] =>
    text
      .split(mark)
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const isSame = JSON.stringify(read(written)) === JSON.stringify(value);
  const shared = {
    ...rest,
    value: isSame ? written : value.join(split === 'lines' ? '\n' : ', '),
    error: fault(field),
    readOnly: isLocked,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      setWritten(text);
      change(onWrite(read(text)), { field, text });
    },
  };
  return split === 'lines' ? <Textarea {...shared} autosize minRows={lines} /> : <TextInput {...shared} />;
}

/** A whole number, which may be less than 0. What is written and is none stays until it is one. */
export function WholeField(props: Shared & { value: number; onWrite: (n: number) => Composition }): ReactNode {
  const { field, value, onWrite, ...rest } = props;
  const { change, fault, isLocked } = useEditing();
  const [written, setWritten] = useState('');
  const read = (text: string): number => (/^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : Number.NaN);
  const isSame = written !== '' && Object.is(read(written), value);
  return (
    <TextInput
      {...rest}
      value={isSame ? written : Number.isInteger(value) ? String(value) : ''}
      error={fault(field)}
      readOnly={isLocked}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => {
        const text = event.currentTarget.value;
        setWritten(text);
        change(onWrite(read(text)), { field, text });
      }}
    />
  );
}

type ValueKind = 'text' | 'number' | 'list';
const kindOf = (value: MemberOutput['value']): ValueKind =>
  typeof value === 'number' ? 'number' : Array.isArray(value) ? 'list' : 'text';

function valueFrom(kind: ValueKind, text: string): MemberOutput['value'] {
  if (kind === 'text') return text;
  if (kind === 'number') return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  return text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** The true value of an output, and what it is: a text, a number, a list. */
export function ValueField(props: {
  field: string;
  value: MemberOutput['value'];
  onWrite: (value: MemberOutput['value']) => Composition;
}): ReactNode {
  const { field, value, onWrite } = props;
  const { change, fault, isLocked } = useEditing();
  const [written, setWritten] = useState('');
  const kind = kindOf(value);
  const isSame = JSON.stringify(valueFrom(kind, written)) === JSON.stringify(value);
  const stored = Array.isArray(value) ? value.join('\n') : Number.isNaN(value) ? '' : wordsOfValue(value);
  const text = isSame ? written : stored;
  const write = (as: ValueKind, said: string): void => {
    setWritten(said);
    change(onWrite(valueFrom(as, said)), { field: `${field} ${as}`, text: said });
  };
  const shared = {
    label: tr('True value'),
    value: text,
    error: fault(field),
    readOnly: isLocked,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => write(kind, event.currentTarget.value),
  };
  return (
    <>
      {kind === 'list' ? <Textarea {...shared} autosize minRows={2} /> : <TextInput {...shared} />}
      <Select
        label={tr('It is')}
        data={[
          { value: 'text', label: tr('a text') },
          { value: 'number', label: tr('a number') },
          { value: 'list', label: tr('a list, an entry a line') },
        ]}
        value={kind}
        readOnly={isLocked}
        allowDeselect={false}
        onChange={(as) => write(as === 'number' || as === 'list' ? as : 'text', text)}
      />
    </>
  );
}
