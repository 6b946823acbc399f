import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import { Dialog } from './dialog.tsx';
import { ErrorPanel } from './parts.tsx';

/** Asks before what cannot be taken back. The safe way has the focus; Escape is no. */
export function ConfirmDialog(props: {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** The verb on the button: "Remove the task". */
  confirm: string;
  dangerous?: boolean;
  busy?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onCancel: () => void;
}): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onCancel} title={props.title} size="md">
      <Text component="div" size="sm">
        {props.children}
      </Text>
      {props.error != null && <ErrorPanel error={props.error} compact />}
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={props.onCancel} data-autofocus>
          {tr('Cancel')}
        </Button>
        <Button color={props.dangerous ? 'red.8' : 'lake'} onClick={props.onConfirm} loading={props.busy ?? false}>
          {props.confirm}
        </Button>
      </Group>
    </Dialog>
  );
}
