import { Anchor, Button, Code, Group, Select, Text } from '@mantine/core';
import { IconSnowflake } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { DatasetVersion, VersionComparison } from '../../schemas/dataset.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { someOf } from '../ui/format.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { kindName } from '../ui/kinds.ts';
import { EmptyState, ErrorPanel, QueryError, TableHead, Time } from '../ui/parts.tsx';
import { useAddress } from '../ui/use-address.ts';
import own from './duplicates.module.css';
import { describeFilter } from './filter.ts';
import classes from './page.module.css';
import { datasetQueries, useSoftwareNames } from './queries.ts';

/** Every frozen version, and what changed between two. */
export function VersionsView(props: { ws: string; onFreeze: () => void; empty: boolean }): ReactNode {
  const { ws, onFreeze, empty } = props;
  const answer = useQuery(datasetQueries.versions(ws));
  const versions = answer.data?.versions ?? [];
  const [shown, setShown] = useState<string | null>(null);
  useAddress({ version: shown }, (parts) => setShown(parts.version ?? null));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
    <section className={classes.content} tabIndex={0} aria-label={tr('Versions')}>
      <QueryError of={answer} what={tr('The versions could not be read.')} />
      {answer.data?.unreadable.map(({ name, message }) => (
        <ErrorPanel
          key={name}
          error={{ code: 'VERSION_UNREADABLE', message }}
          what={tr('The version {name} cannot be used.', { name })}
          compact
        />
      ))}
      {answer.data && versions.length === 0 && (
        <EmptyState
          icon={<IconSnowflake size={22} />}
          title={tr('No version yet')}
          actions={
            <CommandButton onClick={onFreeze} command="dataset.freeze" disabled={empty}>
              {tr('Freeze a version')}
            </CommandButton>
          }
        >
          {tr(
            'A version keeps what is in the data set under a name. Later edits do not change it, and its export is byte for byte the same each time.',
          )}
        </EmptyState>
      )}
      {versions.length > 0 && (
        <table className={classes.plain}>
          <caption className="visually-hidden">{tr('Frozen versions, the newest first')}</caption>
          <TableHead columns={[tr('Version'), tr('Frozen'), tr('What is in it'), tr('Changelog'), tr('SHA-256')]} />
          <tbody>
            {versions.map((version) => (
              <VersionLine key={version.name} ws={ws} version={version} here={version.name === shown} />
            ))}
          </tbody>
        </table>
      )}
      {versions.length > 1 && <Compare ws={ws} versions={versions} />}
    </section>
  );
}

function VersionLine({ ws, version, here }: { ws: string; version: DatasetVersion; here: boolean }): ReactNode {
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (here) line.current?.scrollIntoView({ block: 'nearest' });
  }, [here]);
  const names = useSoftwareNames(ws);
  const { tasks, recordings, subtasks, actions } = version.counts;
  const [check, setCheck] = useState(false);
  const verified = useQuery({
    queryKey: [...datasetQueries.all(ws), 'version', version.name],
    queryFn: ({ signal }) => client.dataset.version({ ws, name: version.name }, { signal }),
    enabled: check,
  });
  return (
    <tr ref={line} data-here={here} aria-current={here ? 'true' : undefined}>
      <td>
        <strong>{version.name}</strong>
        <div>
          <Anchor
            component={Link}
            href={`${paths.exports(ws)}?share=${encodeURIComponent(version.name)}`}
            size="xs"
            aria-label={tr('Share {name}', { name: version.name })}
          >
            {tr('Share …')}
          </Anchor>
        </div>
      </td>
      <td>
        <Time iso={version.createdAt} />
      </td>
      <td>
        {tr('{tasks, plural, one {# task} other {# tasks}}', { tasks })},{' '}
        {tr('{recordings, plural, one {# recording} other {# recordings}}', { recordings })},{' '}
        {tr('{subtasks, plural, one {# subtask} other {# subtasks}}', { subtasks })},{' '}
        {tr('{actions, plural, one {# action} other {# actions}}', { actions })}
        <div className={classes.quiet}>{describeFilter(version.filter, names).join('; ') || tr('everything')}</div>
      </td>
      <td style={{ whiteSpace: 'pre-line' }}>{version.changelog || <span className={classes.quiet}>–</span>}</td>
      <td>
        <Group gap={8} wrap="nowrap">
          <Code title={version.hash}>{version.hash.slice(0, 12)}…</Code>
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => (check ? void verified.refetch() : setCheck(true))}
            loading={verified.isFetching}
            aria-label={tr('Verify {name}', { name: version.name })}
          >
            {tr('Verify')}
          </Button>
        </Group>
        <span role="status">
          {verified.data && !verified.isFetching && (
            <span className={classes.good}>{tr('Unchanged since it was frozen')}</span>
          )}
        </span>
        {verified.error && !verified.isFetching && <ErrorPanel error={verified.error} compact />}
      </td>
    </tr>
  );
}

function Compare({ ws, versions }: { ws: string; versions: readonly DatasetVersion[] }): ReactNode {
  const [from, setFrom] = useState(versions[1]?.name ?? '');
  const [to, setTo] = useState(versions[0]?.name ?? '');
  useAddress({ from: from === versions[1]?.name ? null : from, to: to === versions[0]?.name ? null : to }, (parts) => {
    setFrom(parts.from ?? versions[1]?.name ?? '');
    setTo(parts.to ?? versions[0]?.name ?? '');
  });
  const answer = useQuery({
    queryKey: [...datasetQueries.all(ws), 'compare', from, to],
    queryFn: ({ signal }) => client.dataset.compare({ ws, from, to }, { signal }),
    enabled: from !== to && from !== '' && to !== '',
  });
  const data = versions.map(({ name }) => name);
  return (
    <section aria-labelledby="compare">
      <h2 className={own.heading} id="compare">
        {tr('Compare two')}
      </h2>
      <Group gap={8} my={8} align="flex-end">
        <Select
          label={tr('From')}
          data={data}
          value={from}
          onChange={(v) => setFrom(v ?? '')}
          allowDeselect={false}
          w={180}
        />
        <Select
          label={tr('To')}
          data={data}
          value={to}
          onChange={(v) => setTo(v ?? '')}
          allowDeselect={false}
          w={180}
        />
      </Group>
      {from === to && (
        <Text size="sm" c="dimmed">
          {tr('Choose two different versions.')}
        </Text>
      )}
      {answer.error && <ErrorPanel error={answer.error} what={tr('They could not be compared.')} />}
      {from !== to && answer.data && <Changes comparison={answer.data} />}
    </section>
  );
}

/** More than these are counted, not listed; `dataset compare` on the command line has all. */
const MOST_CHANGES = 200;

function Changes({ comparison }: { comparison: VersionComparison }): ReactNode {
  const { tasks, recordings, equal } = comparison;
  if (equal) return <Text size="sm">{tr('They are the same, byte for byte.')}</Text>;
  const lists: [string, readonly string[]][] = [
    [tr('Tasks added'), tasks.added],
    [tr('Tasks removed'), tasks.removed],
    [tr('Recordings added'), recordings.added.map(({ recording, task }) => `${task} (${recording})`)],
    [tr('Recordings removed'), recordings.removed.map(({ recording, task }) => `${task} (${recording})`)],
  ];
  return (
    <>
      <Text size="sm" role="status">
        {tr('{added, plural, one {# task} other {# tasks}} added, {removed} removed, {changed} changed.', {
          added: tasks.added.length,
          removed: tasks.removed.length,
          changed: tasks.changed.length,
        })}
      </Text>
      {lists.map(
        ([name, items]) =>
          items.length > 0 && (
            <p key={name} className={classes.leak}>
              <strong>{name}:</strong> {someOf(items, MOST_CHANGES)}
            </p>
          ),
      )}
      {recordings.changed.slice(0, MOST_CHANGES).map(({ recording, task, what, steps }) => (
        <details key={recording} className={classes.leak}>
          <summary>
            <strong>{task}</strong> <span className={classes.quiet}>{recording}</span>:{' '}
            {[
              ...what.map(({ field }) => field),
              ...(steps.length > 0
                ? [tr('{steps, plural, one {# step} other {# steps}}', { steps: steps.length })]
                : []),
            ].join(', ')}
          </summary>
          <table className={classes.plain}>
            <TableHead columns={[tr('What'), tr('Before'), tr('After')]} />
            <tbody>
              {what.map(({ field, from, to }) => (
                <ChangeLine key={field} name={field} from={from} to={to} />
              ))}
              {steps.flatMap((step) =>
                step.what.length === 0
                  ? [
                      <ChangeLine
                        key={step.action}
                        name={tr('Step {action} {kind}', { action: step.action, kind: kindName(step.kind) })}
                        from={null}
                        to={null}
                      />,
                    ]
                  : step.what.map(({ field, from, to }) => (
                      <ChangeLine
                        key={`${step.action} ${field}`}
                        name={tr('Step {action}: {field}', { action: step.action, field })}
                        from={from}
                        to={to}
                      />
                    )),
              )}
            </tbody>
          </table>
        </details>
      ))}
    </>
  );
}

function ChangeLine({ name, from, to }: { name: string; from: unknown; to: unknown }): ReactNode {
  return (
    <tr>
      <td>{name}</td>
      <td>{written(from)}</td>
      <td>{written(to)}</td>
    </tr>
  );
}

function written(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 400);
}
