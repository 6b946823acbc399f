import { ActionIcon, Badge, Button, Indicator, Popover, Text, Tooltip } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { isActive } from '../../schemas/api/job-state.ts';
import type { Job } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { whileActive } from '../client/changes.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { formatKey } from '../ui/keys/chord.ts';
import { useKeysOf } from '../ui/keys/store.ts';
import { Clamp, ErrorPanel, ProgressWithStop, Time } from '../ui/parts.tsx';
import { jobWords } from './jobs.ts';
import classes from './tray.module.css';

type Props = {
  ws: string;
  /** Changes are followed here, so that the list need not be asked for. */
  live: boolean;
  opened: boolean;
  onChange: (opened: boolean) => void;
};

/** Long work of the workspace: how far it is, a stop for each, and what failed. */
export function JobsTray({ ws, live, opened, onChange }: Props): ReactNode {
  const cache = useQueryClient();
  const jobs = useQuery({
    ...queries.jobs(ws),
    refetchInterval: (query) =>
      live ? whileActive(query) : query.state.data?.some(isActive) ? 700 : opened ? 2000 : 15_000,
  });
  const active = jobs.data?.filter(isActive).length ?? 0;
  const [chord] = useKeysOf('app.jobs');
  // A finished job may have changed any list.
  const before = useRef(active);
  useEffect(() => {
    if (!live && active < before.current) void cache.invalidateQueries({ queryKey: ['of', ws] });
    before.current = active;
  }, [active, cache, live, ws]);
  const label = `${tr('{active, plural, =0 {Long work} other {Long work, # running}}', { active })}${chord ? ` (${formatKey(chord)})` : ''}`;
  return (
    <Popover opened={opened} onChange={onChange} position="bottom-end" width={400} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={label} disabled={opened}>
          <Indicator disabled={active === 0} label={active} size={15} offset={4}>
            <ActionIcon aria-label={label} onClick={() => onChange(!opened)}>
              <IconListCheck size={18} aria-hidden />
            </ActionIcon>
          </Indicator>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={tr('Background jobs')}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
        <section className={classes.list} aria-label={tr('Background jobs')} tabIndex={0} data-autofocus>
          {jobs.error && <ErrorPanel error={jobs.error} compact />}
          {jobs.data?.length === 0 && (
            <Text size="sm" c="dimmed" ta="center" py="md">
              {tr('Nothing is running. Imports, exports and keyframes show here.')}
            </Text>
          )}
          {jobs.data?.slice(0, 30).map((job) => (
            <JobRow key={job.id} ws={ws} job={job} />
          ))}
        </section>
      </Popover.Dropdown>
    </Popover>
  );
}

/** One job: its progress with a stop while it runs, its outcome after. */
export function JobRow({ ws, job }: { ws: string; job: Job }): ReactNode {
  const cache = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => client.jobs.cancel({ ws, job: job.id }),
    onSettled: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const again = useMutation({
    mutationFn: () => client.jobs.again({ ws, job: job.id }),
    onSettled: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const what = jobWords(job.kind, job.subject);
  if (isActive(job)) {
    return (
      <div className={classes.job}>
        <ProgressWithStop
          what={what}
          value={job.state === 'waiting' ? null : job.progress}
          message={job.state === 'waiting' ? tr('Waiting for other work to end.') : job.message}
          onStop={() => cancel.mutate()}
        />
        {cancel.error && <ErrorPanel error={cancel.error} compact />}
      </div>
    );
  }
  return (
    <div className={classes.job}>
      <div className={classes.ended}>
        <Clamp>{what}</Clamp>
        <Badge color={COLORS[job.state]}>{NAMES[job.state]}</Badge>
        <Text size="xs" c="dimmed">
          <Time iso={job.createdAt} />
        </Text>
      </div>
      {job.error && <ErrorPanel error={job.error} compact />}
      {job.state === 'done' && job.message && (
        <Text size="xs" c="dimmed">
          <Clamp lines={4}>{job.message}</Clamp>
        </Text>
      )}
      {job.again && (
        <Button size="compact-xs" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          {tr('Try again')}
        </Button>
      )}
      {again.error && <ErrorPanel error={again.error} compact />}
    </div>
  );
}

const NAMES = { waiting: 'waiting', running: 'running', done: 'done', failed: 'failed', cancelled: 'stopped' } as const;
const COLORS = { waiting: 'gray', running: 'lake', done: 'green', failed: 'red', cancelled: 'gray' } as const;
