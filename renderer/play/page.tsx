import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readOpened } from '../client/opened.ts';
import { askerOf } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { PageHeader, QueryError } from '../ui/parts.tsx';
import { Back } from './back.tsx';
import classes from './page.module.css';
import { PlayWorkspace } from './workspace.tsx';

/** Plays a recording again, and shows step by step what came of it beside what was recorded. */
export function PlayPage({ ws, recording }: { ws: string; recording: string }): ReactNode {
  const opened = useQuery({
    queryKey: ['of', ws, 'recordings', recording, 'opened', askerOf(ws).person ?? null],
    queryFn: () => readOpened({ ws, recording, ...askerOf(ws) }),
    staleTime: 60_000,
  });
  if (opened.data) return <PlayWorkspace ws={ws} demonstration={opened.data} />;
  return (
    <div className={classes.page}>
      <PageHeader title={tr('Play')} above={<Back ws={ws} recording={recording} />} />
      {opened.error ? (
        <QueryError of={opened} what={tr('The recording {recording} cannot be opened.', { recording })} />
      ) : (
        <Loader size="sm" aria-label={tr('Opening the recording')} role="status" />
      )}
    </div>
  );
}
