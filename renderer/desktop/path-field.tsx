import { TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useRef } from 'react';
import classes from './folder-dialog.module.css';
import { Browse, type Browsed } from './pick.tsx';

/**
 * A path on the studio's machine: typed, or chosen among its folders. `example`: without a home or a drive, which every system
 * writes in its own way.
 */
export function PathField(props: {
  label: string;
  description: string;
  example?: string;
  value: string;
  onChange: (path: string) => void;
  /** What can be chosen. */
  browse: Browsed;
  disabled?: boolean;
  /** The dialog's first field. */
  first?: boolean;
  field?: RefObject<HTMLInputElement | null>;
  /** The key that leads to the field. */
  rightSection?: ReactNode;
}): ReactNode {
  const { label, description, example, value, onChange, browse, disabled = false, first, field, rightSection } = props;
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  return (
    <div className={classes.path}>
      <TextInput
        ref={input}
        className={classes.pathField}
        label={label}
        description={description}
        value={value}
        placeholder={example === undefined ? undefined : `…/${example}`}
        onChange={(event) => onChange(event.currentTarget.value)}
        disabled={disabled}
        maxLength={4000}
        {...(rightSection !== undefined && { rightSection, rightSectionPointerEvents: 'none' })}
        data-autofocus={first || undefined}
      />
      <Browse
        {...browse}
        value={value}
        disabled={disabled}
        onPicked={(path) => {
          onChange(path);
          // The next key sends what was just chosen.
          input.current?.focus();
        }}
      />
    </div>
  );
}
