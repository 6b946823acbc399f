import { TextInput } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

/** A path on the studio's machine. `example`: without a home or a drive, which every system writes in its own way. */
export function PathField(props: {
  label: string;
  description: string;
  example?: string;
  value: string;
  onChange: (path: string) => void;
  /** The dialog's first field. */
  first?: boolean;
  field?: Ref<HTMLInputElement>;
}): ReactNode {
  const { label, description, example, value, onChange, first, field } = props;
  return (
    <TextInput
      {...(field !== undefined && { ref: field })}
      label={label}
      description={description}
      value={value}
      placeholder={example === undefined ? undefined : `…/${example}`}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus={first || undefined}
    />
  );
}
