import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChordKeys } from './keys/kbd.tsx';

type Props = {
  onClose: () => void;
  /** What the button that closes is called. */
  close: ReactNode;
  /** Says the Escape key on it. */
  saysEscape?: boolean;
  /** The key that submits. */
  chord: 'Enter' | 'Ctrl+Enter';
  loading?: boolean;
  disabled?: boolean;
  mt?: 'md';
  /** What the button that submits is called. */
  children: ReactNode;
};

/** The end of a dialog with a form: the button that closes it, and the one that submits. */
export function DialogEnd({
  onClose,
  close,
  saysEscape = false,
  chord,
  loading = false,
  disabled = false,
  mt,
  children,
}: Props): ReactNode {
  return (
    <Group justify="flex-end" gap={8} {...(mt && { mt })}>
      <Button variant="default" onClick={onClose} rightSection={saysEscape && <ChordKeys chord="Escape" />}>
        {close}
      </Button>
      <Button type="submit" loading={loading} disabled={disabled} rightSection={<ChordKeys chord={chord} />}>
        {children}
      </Button>
    </Group>
  );
}
