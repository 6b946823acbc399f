import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import { Kbd } from './kbd.tsx';

type Props = Pick<TextInputProps, 'className' | 'placeholder' | 'maxLength' | 'w'> & {
  field: RefObject<HTMLInputElement | null>;
  label: string;
  /** The command whose key leads here. */
  command: string;
  value: string;
  onChange: (text: string) => void;
  /** An arrow key: to the next row of what was found, or the one before. */
  onWalk?: (step: 1 | -1) => void;
  onEnter?: () => void;
  onEscape?: () => void;
};

/** The words that a list is searched for. From them arrows and Enter lead straight on to what was found. */
export function SearchField({
  field,
  label,
  command,
  onChange,
  onWalk,
  onEnter,
  onEscape,
  ...input
}: Props): ReactNode {
  return (
    <TextInput
      {...input}
      ref={field}
      aria-label={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={<Kbd command={command} />}
      rightSectionPointerEvents="none"
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        const act = actOf(event.key);
        if (!act) return;
        event.preventDefault();
        act();
      }}
    />
  );

  function actOf(key: string): (() => void) | undefined {
    if (key === 'ArrowDown') return onWalk && (() => onWalk(1));
    if (key === 'ArrowUp') return onWalk && (() => onWalk(-1));
    if (key === 'Enter') return onEnter;
    if (key === 'Escape') return onEscape;
    return undefined;
  }
}
