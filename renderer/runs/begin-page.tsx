import { Anchor } from '@mantine/core';
import { IconHandClick } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf, queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { AgreeDialog } from '../play/agree.tsx';
import { toError } from '../ui/errors.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import classes from './page.module.css';

/** A person is about to do a task on a stage: what will happen, and the way to begin. */
export function BeginPage({ ws, task }: { ws: string; task: string }): ReactNode {
  const [, go] = useLocation();
  const found = useQuery(queries.task(ws, task));
  const begin = useMutation({
    mutationFn: () => client.runs.human({ ws, task, ...askerOf(ws) }),
    onSuccess: ({ run }) => go(paths.liveRun(ws, run), { replace: true }),
  });
  const asks = begin.error !== null && toError(begin.error).code === 'NOT_AGREED';
  useHandlers('live', {
    'live.begin': { run: () => begin.mutate(), enabled: !begin.isPending },
    'live.task': () => go(paths.task(ws, task)),
  });
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Do it on a stage')}
        windowTitle={tr('{task} · On a stage', { task })}
        above={
          <Anchor component={Link} href={paths.task(ws, task)} size="xs">
            {task}
          </Anchor>
        }
        about={found.data && <Clamp>{found.data.goal || tr('No goal yet')}</Clamp>}
        actions={
          <CommandButton
            icon={IconHandClick}
            command="live.begin"
            loading={begin.isPending}
            onClick={() => begin.mutate()}
          >
            {tr('Begin')}
          </CommandButton>
        }
      />
      <div className={classes.body}>
        <QueryError of={found} compact />
        {begin.error && !asks && <ErrorPanel error={begin.error} what={tr('The stage could not be begun.')} />}
        <ul className={classes.told}>
          <li>{tr('A display of its own is set up as the task’s recipe says, with a home of its own.')}</li>
          <li>{tr('It is shown in this page; your mouse and keyboard over it act on it, whatever your layout is.')}</li>
          <li>{tr('It is recorded as your demonstration of the task from the moment that you see it.')}</li>
          <li>{tr('At the end the task’s checks are evaluated, and the stage is thrown away.')}</li>
        </ul>
      </div>
      {asks && <AgreeDialog ws={ws} task={task} onAgreed={() => begin.mutate()} onClose={() => begin.reset()} />}
    </div>
  );
}
