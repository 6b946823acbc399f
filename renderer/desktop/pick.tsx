import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import { desktop } from './bridge.ts';

/** Ways to choose a path in the system's own dialog, beside the field that it could be typed into. */
export function PickButtons({ children }: { children: ReactNode }): ReactNode {
  // A browser does not tell a page any path.
  return desktop === null ? null : <Group gap={8}>{children}</Group>;
}

export function PickButton(props: { what: 'folder' | 'recording'; onPicked: (path: string) => void }): ReactNode {
  const pick = async (): Promise<void> => {
    const path = (await desktop?.pick(props.what).catch(() => null)) ?? null;
    if (path !== null) props.onPicked(path);
  };
  return (
    <Button variant="default" onClick={() => void pick()}>
      {props.what === 'folder' ? tr('Choose a folder …') : tr('Choose an archive …')}
    </Button>
  );
}
