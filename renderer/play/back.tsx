import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';

/** The way back to the recording that is played. */
export function Back({ ws, recording }: { ws: string; recording: string }): ReactNode {
  return (
    <Anchor component={Link} href={paths.annotate(ws, recording)} size="xs">
      {tr('Recording {recording}', { recording })}
    </Anchor>
  );
}
