import { Anchor, Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { RecorderState } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { useStream } from '../client/stream.ts';
import { tr, trParts } from '../language/tr.ts';
import { Clamp, ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { Live } from './live.tsx';
import classes from './page.module.css';
import { Setup } from './setup.tsx';

const isOver = (state: RecorderState | null): boolean =>
  state === null || state.phase === 'done' || state.phase === 'failed';

/** Records a task: what to record, then the recorder as it goes, then straight on to the annotation. */
export function RecordPage({ ws, task }: { ws: string; task: string }): ReactNode {
  const [, go] = useLocation();
  const cache = useQueryClient();
  const info = useQuery(queries.task(ws, task));
  const [state, setState] = useState<RecorderState | null | undefined>(undefined);
  // A recording that ended before this page was opened is no reason to leave it.
  const seenRunning = useRef<string | null>(null);
  const [failed, setFailed] = useState<RecorderState | null>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  useStream(
    'recorder',
    (signal) => client.recorder.watch(undefined, { signal }),
    (now) => {
      setState(now);
      // The bar's own "Recording …" reads this.
      cache.setQueryData(queries.recorder().queryKey, now);
    },
  );

  const recording = state?.task === task ? state : null;
  useEffect(() => {
    if (!recording) return;
    if (!isOver(recording)) seenRunning.current = recording.recording;
    if (seenRunning.current !== recording.recording) return;
    // Who cancelled the countdown knows it.
    if (recording.phase === 'failed' && recording.error?.code !== 'CANCELLED') setFailed(recording);
    if (recording.phase !== 'done') return;
    seenRunning.current = null;
    void cache.invalidateQueries({ queryKey: ['of', ws] });
    go(paths.annotate(ws, recording.recording));
  }, [recording, cache, go, ws]);

  if (info.error && !info.data) {
    return (
      <div className={classes.page}>
        <PageHeader title={tr('Record {task}', { task })} />
        <QueryError of={info} what={tr('This task could not be opened.')} />
      </div>
    );
  }
  const elsewhere = state && !isOver(state) && state.task !== task ? state : null;
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Record {task}', { task })}
        above={
          <Anchor component={Link} href={paths.task(ws, task)} size="xs">
            {task}
          </Anchor>
        }
        about={<Clamp lines={2}>{info.data?.goal ?? ''}</Clamp>}
        actions={<div ref={setActions} className={classes.start} />}
      />
      {failed?.error && (
        <ErrorPanel
          error={failed.error}
          what={
            failed.error.code === 'DISK_FULL'
              ? tr('The disk is full.')
              : failed.kept
                ? tr('The recording failed. What was written until then is kept.')
                : tr('The recording failed.')
          }
        />
      )}
      {failed?.kept && (
        <div className={classes.notice}>
          <span>{tr('Its steps are there.')}</span>
          <Button component={Link} href={paths.annotate(ws, failed.recording)} variant="default">
            {tr('Open the recording')}
          </Button>
        </div>
      )}
      {elsewhere ? (
        <div className={classes.notice} role="status">
          <span>
            {trParts('Another task is being recorded now: {task}. One recording at a time.', {
              task: <strong>{elsewhere.task}</strong>,
            })}
          </span>
          <Button component={Link} href={paths.record(ws, elsewhere.task)} variant="default">
            {tr('Go to it')}
          </Button>
        </div>
      ) : recording && !isOver(recording) ? (
        <Live state={recording} />
      ) : (
        state !== undefined && (
          <Setup
            ws={ws}
            task={task}
            actions={actions}
            onStarted={(started) => {
              setFailed(null);
              setState(started);
            }}
          />
        )
      )}
    </div>
  );
}
