import { Button, Group, NumberInput, Switch, Text } from '@mantine/core';
import { IconCopyCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { isActive } from '../../schemas/api/job-state.ts';
import type { DataRow, GoalGroup, ScreenGroup } from '../../schemas/dataset.ts';
import { client, fileUrl } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { JobRow } from '../jobs/tray.tsx';
import { tr, trParts } from '../language/tr.ts';
import { percent } from '../ui/format.ts';
import { EmptyState, ErrorPanel, QueryError, TableHead, Time } from '../ui/parts.tsx';
import own from './duplicates.module.css';
import classes from './page.module.css';
import { datasetQueries, useJob } from './queries.ts';
import { useDatasetView } from './store.ts';

/** More groups than this are asked for by the thousand, not read. */
const MOST_GROUPS = 60;
const MOST_SCREENS = 12;
/** The tag that "keep the first" writes on the others, so that a filter can leave them out. */
const DUPLICATE_TAG = 'duplicate';

/** Tasks that say nearly the same and screens that look nearly the same: keep one, or say that they differ. */
export function DuplicatesView({ ws, rows }: { ws: string; rows: readonly DataRow[] }): ReactNode {
  const cache = useQueryClient();
  const { filter } = useDatasetView(ws);
  const found = useQuery(datasetQueries.duplicates(ws));
  const [goals, setGoals] = useState<number | string>(0.8);
  const [screens, setScreens] = useState<number | string>(6);
  const [withScreens, setWithScreens] = useState(true);
  const [dismissedToo, setDismissedToo] = useState(false);
  const search = useMutation({
    mutationFn: () =>
      client.dataset.findDuplicates({
        ws,
        wishes: { filter, goals: Number(goals) || 0.8, screens: withScreens ? Number(screens) : null },
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, search.data);
  const busy = search.isPending || (job !== undefined && isActive(job));
  const changed = { onSuccess: () => cache.invalidateQueries({ queryKey: datasetQueries.all(ws) }) };
  const dismiss = useMutation({
    mutationFn: (to: { group: string; dismissed: boolean }) => client.dataset.dismiss({ ws, ...to }),
    ...changed,
  });
  const keepFirst = useMutation({
    mutationFn: (recordings: string[]) => client.dataset.tag({ ws, recordings, add: [DUPLICATE_TAG], remove: [] }),
    ...changed,
  });
  const recordingsOf = (tasks: readonly string[]): string[] =>
    rows.filter(({ task }) => tasks.includes(task)).map(({ recording }) => recording);
  const data = found.data;
  const shown = <T extends { dismissed: boolean }>(groups: readonly T[]): T[] =>
    groups.filter((group) => dismissedToo || !group.dismissed);
  const goalGroups = shown(data?.goals ?? []);
  const screenGroups = shown(data?.screens ?? []);
  const dismissed = [...(data?.goals ?? []), ...(data?.screens ?? [])].filter((group) => group.dismissed).length;
  const actionsOf = (group: { id: string; dismissed: boolean }, others: readonly string[]): ReactNode => (
    <Actions
      group={group}
      others={others}
      tagged={
        others.length > 0 && others.every((id) => rows.find((r) => r.recording === id)?.tags.includes(DUPLICATE_TAG))
      }
      busy={dismiss.isPending || keepFirst.isPending}
      onDismiss={() => dismiss.mutate({ group: group.id, dismissed: !group.dismissed })}
      onKeep={() => keepFirst.mutate([...others])}
    />
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
    <section className={classes.content} tabIndex={0} aria-label={tr('Near duplicates')}>
      <Group gap={16} align="flex-end">
        <NumberInput
          label={tr('Goals alike from')}
          value={goals}
          onChange={setGoals}
          min={0.3}
          max={1}
          step={0.05}
          decimalScale={2}
          w={120}
        />
        <NumberInput
          label={tr('Screens differ in at most')}
          suffix={` ${tr('of 256 bits')}`}
          value={screens}
          onChange={setScreens}
          min={0}
          max={32}
          disabled={!withScreens}
          w={160}
        />
        <Switch
          label={tr('Look at screens')}
          checked={withScreens}
          onChange={(event) => setWithScreens(event.currentTarget.checked)}
          mb={6}
        />
        <Button onClick={() => search.mutate()} loading={busy} disabled={rows.length === 0}>
          {data?.ranAt ? tr('Search again') : tr('Search')}
        </Button>
        <Text size="xs" c="dimmed" mb={6} role="status">
          {data?.ranAt
            ? trParts(
                'Searched {time}: {goals, plural, one {# group} other {# groups}} of tasks, {screens, plural, one {# group} other {# groups}} of screens',
                { time: <Time iso={data.ranAt} />, goals: data.goals.length, screens: data.screens.length },
              )
            : ''}
        </Text>
        {dismissed > 0 && (
          <Switch
            label={tr('Show {dismissed} dismissed', { dismissed })}
            checked={dismissedToo}
            onChange={(event) => setDismissedToo(event.currentTarget.checked)}
            mb={6}
          />
        )}
      </Group>
      {search.error && <ErrorPanel error={search.error} what={tr('The search did not begin.')} compact />}
      {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
      <QueryError of={found} what={tr('What was found could not be read.')} />
      {(dismiss.error ?? keepFirst.error) != null && (
        <ErrorPanel error={dismiss.error ?? keepFirst.error} what={tr('Nothing was changed.')} compact />
      )}
      {data && goalGroups.length + screenGroups.length === 0 && !busy && (
        <EmptyState
          icon={<IconCopyCheck size={22} />}
          title={data.ranAt ? tr('No near duplicates') : tr('No search yet')}
        >
          {data.ranAt
            ? tr('No two tasks ask for nearly the same and no two screens look nearly the same, at these limits.')
            : tr(
                'Goals are compared by their words and letters, the screens before steps by how they look. Nothing is removed by it.',
              )}
        </EmptyState>
      )}
      {goalGroups.length > 0 && <h2 className={own.heading}>{tr('Tasks that ask for nearly the same')}</h2>}
      <ul className={own.groups}>
        {goalGroups.slice(0, MOST_GROUPS).map((group) => (
          <GoalCard key={group.id} ws={ws} group={group}>
            {actionsOf(group, recordingsOf(group.members.slice(1).map(({ task }) => task)))}
          </GoalCard>
        ))}
      </ul>
      {screenGroups.length > 0 && <h2 className={own.heading}>{tr('Screens that look nearly the same')}</h2>}
      <ul className={own.groups}>
        {screenGroups.slice(0, MOST_GROUPS).map((group) => (
          <ScreenCard key={group.id} ws={ws} group={group}>
            {actionsOf(group, othersOf(group))}
          </ScreenCard>
        ))}
      </ul>
      {Math.max(goalGroups.length, screenGroups.length) > MOST_GROUPS && (
        <Text size="sm" c="dimmed">
          {tr('The first {shown} of each are shown. Work through them, or search with narrower limits.', {
            shown: MOST_GROUPS,
          })}
        </Text>
      )}
      {data && data.skipped.length > 0 && (
        <details className={own.skipped}>
          <summary>
            {tr('{skipped, plural, one {# recording} other {# recordings}} whose screens could not be looked at', {
              skipped: data.skipped.length,
            })}
          </summary>
          <ul>
            {data.skipped.slice(0, 200).map(({ recording, reason }) => (
              <li key={`${recording} ${reason}`} className={classes.leak}>
                {recording}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Recordings other than the keeper's. */
function othersOf({ members }: ScreenGroup): string[] {
  const keeper = members[0]?.recording;
  return [...new Set(members.map(({ recording }) => recording))].filter((recording) => recording !== keeper);
}

function Actions(props: {
  group: { id: string; dismissed: boolean };
  others: readonly string[];
  tagged: boolean;
  busy: boolean;
  onDismiss: () => void;
  onKeep: () => void;
}): ReactNode {
  const { group, others, tagged, busy } = props;
  return (
    <Group gap={8}>
      {!group.dismissed && others.length > 0 && (
        <Button
          variant="default"
          size="compact-xs"
          disabled={busy || tagged}
          onClick={props.onKeep}
          title={tr(
            'Tags {others, plural, one {# other recording} other {# other recordings}} “{tag}”; filter them out by “Excluded tags”.',
            { others: others.length, tag: DUPLICATE_TAG },
          )}
        >
          {tagged
            ? tr('The others are tagged')
            : tr('Keep the first, tag {others, plural, one {# other} other {# others}}', { others: others.length })}
        </Button>
      )}
      <Button variant="subtle" size="compact-xs" disabled={busy} onClick={props.onDismiss}>
        {group.dismissed ? tr('They are duplicates after all') : tr('Dismiss: no duplicates')}
      </Button>
    </Group>
  );
}

function GoalCard({ ws, group, children }: { ws: string; group: GoalGroup; children: ReactNode }): ReactNode {
  return (
    <li className={own.group} data-dismissed={group.dismissed}>
      <div className={own.groupHead}>
        <h3 className={own.groupTitle}>
          {tr('{tasks, plural, one {# task} other {# tasks}}{dismissed, select, yes { (dismissed)} other {}}', {
            tasks: group.members.length,
            dismissed: group.dismissed ? 'yes' : 'no',
          })}
        </h3>
        {children}
      </div>
      <table className={classes.plain}>
        <TableHead hidden columns={[tr('Task'), tr('Goal'), tr('Alike')]} />
        <tbody>
          {group.members.map(({ task, goal, similarity }, i) => (
            <tr key={task}>
              <td>
                <Link className={own.link} href={paths.task(ws, task)}>
                  {task}
                </Link>
              </td>
              <td>{goal.slice(0, 600)}</td>
              <td className={classes.number}>{i === 0 ? tr('keep') : percent(similarity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </li>
  );
}

function ScreenCard({ ws, group, children }: { ws: string; group: ScreenGroup; children: ReactNode }): ReactNode {
  const hidden = group.members.length - MOST_SCREENS;
  return (
    <li className={own.group} data-dismissed={group.dismissed}>
      <div className={own.groupHead}>
        <h3 className={own.groupTitle}>
          {tr(
            '{screens, plural, one {# screen} other {# screens}} of {tasks, plural, one {# task} other {# tasks}}{exact, select, yes {, equal in every pixel} other {}}{dismissed, select, yes { (dismissed)} other {}}',
            {
              screens: group.members.length,
              tasks: group.tasks,
              exact: group.exact ? 'yes' : 'no',
              dismissed: group.dismissed ? 'yes' : 'no',
            },
          )}
        </h3>
        {children}
      </div>
      <div className={own.screens}>
        {group.members.slice(0, MOST_SCREENS).map(({ recording, task, action, frame, distance }, i) => (
          <figure key={`${recording} ${action}`} className={own.screen}>
            <img
              className={own.picture}
              src={fileUrl.frame(ws, recording, frame)}
              alt={tr('Screen before a step of {task}', { task })}
              loading="lazy"
            />
            <figcaption>
              <Link className={own.link} href={paths.annotate(ws, recording)}>
                {task}
              </Link>{' '}
              <span className={classes.quiet}>
                {i === 0
                  ? tr('keep')
                  : distance === 0
                    ? tr('looks equal')
                    : tr('{distance, plural, one {# bit} other {# bits}} apart', { distance })}
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
      {hidden > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {tr('and {hidden, plural, one {# more screen} other {# more screens}}', { hidden })}
        </Text>
      )}
    </li>
  );
}
