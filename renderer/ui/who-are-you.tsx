import { Group, Stack, Text } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import { CommandButton } from './keys/command-button.tsx';
import { EmptyState } from './parts.tsx';

/** In the place of work that is somebody's, while no name is chosen; `children` say why one is needed. */
export function WhoAreYou({
  onChoose,
  wholePage,
  children,
}: {
  onChoose: () => void;
  wholePage?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <EmptyState
      {...(wholePage && { wholePage })}
      icon={<IconUserQuestion size={22} />}
      title={tr('Who are you?')}
      actions={
        <CommandButton command="app.person" onClick={onChoose}>
          {tr('Choose your name')}
        </CommandButton>
      }
    >
      {children}
    </EmptyState>
  );
}

/** The same in a dialog, which closes for it. */
export function WhoFirst({ onChoose, children }: { onChoose: () => void; children: ReactNode }): ReactNode {
  return (
    <Stack gap="sm">
      <Text size="sm">{children}</Text>
      <Group justify="flex-end">
        <CommandButton command="app.person" data-autofocus onClick={onChoose}>
          {tr('Choose your name')}
        </CommandButton>
      </Group>
    </Stack>
  );
}
