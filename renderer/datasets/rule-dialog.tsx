import { ActionIcon, Button, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { DataRow, DatasetFilter, SplitPlan, SplitRule } from '../../schemas/dataset.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { percent } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import { tellDone } from '../ui/toast.ts';
import { Leaks } from './leaks.tsx';
import { splitFault } from './names.ts';
import classes from './page.module.css';
import { datasetQueries, useSoftwareNames } from './queries.ts';
import { sharesTable } from './shares.ts';
import { splitsBack } from './undo.ts';

type Props = { ws: string; opened: boolean; filter: DatasetFilter; rows: readonly DataRow[]; onClose: () => void };
type Line = { id: number; split: string; share: number | string };

/** Splits by a rule: what it would do is shown first, what leaks after. */
export function RuleDialog(props: Props): ReactNode {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={tr('Split automatically')} size="lg">
      <Form {...props} />
    </Dialog>
  );
}

const FIRST: Line[] = [
  { id: 1, split: 'train', share: 80 },
  { id: 2, split: 'validation', share: 10 },
  { id: 3, split: 'test', share: 10 },
];

function Form({ ws, filter, rows, onClose }: Props): ReactNode {
  const cache = useQueryClient();
  const names = useSoftwareNames(ws);
  const [lines, setLines] = useState(FIRST);
  const [seed, setSeed] = useState('1');
  const [keepDuplicatesTogether, setTogether] = useState(true);
  const [again, setAgain] = useState(false);
  const fault = faultOf(lines);
  const rule: SplitRule = {
    shares: lines.map(({ split, share }) => ({ split: split.trim(), share: Number(share) })),
    seed,
    keepDuplicatesTogether,
    again,
  };
  const [asked] = useDebouncedValue(JSON.stringify(rule), 250);
  const plan = useQuery({
    queryKey: [...datasetQueries.all(ws), 'plan', asked, filter],
    // The value was put together above and only travelled as text.
    queryFn: ({ signal }) => client.dataset.planSplit({ ws, rule: JSON.parse(asked) as SplitRule, filter }, { signal }),
    enabled: fault === null,
    placeholderData: keepPreviousData,
  });
  const apply = useMutation({
    mutationFn: () => client.dataset.applySplit({ ws, rule, filter }),
    onSuccess: async ({ assigned }) => {
      const undo = async (): Promise<void> => {
        for (const call of splitsBack(assigned.map(({ task, from }) => ({ task, split: from }))))
          await client.dataset.split({ ws, ...call });
        await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
      };
      tellDone(
        tr('{assigned, plural, one {# task} other {# tasks}} assigned to splits', { assigned: assigned.length }),
        assigned.length > 0 ? undo : null,
        'dataset',
      );
      await cache.invalidateQueries({ queryKey: datasetQueries.all(ws) });
    },
  });
  const change = (id: number, part: Partial<Line>): void =>
    setLines(lines.map((line) => (line.id === id ? { ...line, ...part } : line)));
  if (apply.data) return <Done ws={ws} filter={filter} plan={apply.data} onClose={onClose} />;
  const tasks = new Set(rows.map(({ task }) => task)).size;
  return (
    <DialogForm
      onSubmit={() => apply.mutate()}
      onClose={onClose}
      loading={apply.isPending}
      disabled={fault !== null || plan.data?.assigned.length === 0}
      submit={
        plan.data && plan.data.assigned.length > 0
          ? tr('Split {assigned, plural, one {# task} other {# tasks}}', { assigned: plan.data.assigned.length })
          : tr('Split')
      }
    >
      <Text size="sm">
        {tr(
          '{tasks, plural, one {# task} other {# tasks}} of the rows shown. Whole tasks are dealt, each software by itself, so that every split has its share of each.',
          { tasks },
        )}
      </Text>
      <Stack gap={6}>
        {lines.map(({ id, split, share }, index) => (
          <Group key={id} gap={8} wrap="nowrap">
            <TextInput
              aria-label={tr('Name of split {number}', { number: index + 1 })}
              value={split}
              onChange={(event) => change(id, { split: event.currentTarget.value })}
              style={{ flex: 1 }}
              {...(index === 0 && { 'data-autofocus': true })}
            />
            <NumberInput
              aria-label={tr('Share of split {number}', { number: index + 1 })}
              value={share}
              onChange={(value) => change(id, { share: value })}
              min={0}
              max={1000}
              suffix={` ${tr('parts')}`}
              w={120}
            />
            <ActionIcon
              aria-label={tr('Remove split {number}', { number: index + 1 })}
              disabled={lines.length === 1}
              onClick={() => setLines(lines.filter((line) => line.id !== id))}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group gap={8}>
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconPlus size={13} aria-hidden />}
            disabled={lines.length >= 20}
            onClick={() =>
              setLines([...lines, { id: Math.max(...lines.map(({ id }) => id)) + 1, split: '', share: 10 }])
            }
          >
            {tr('Another split')}
          </Button>
        </Group>
      </Stack>
      <TextInput
        label={tr('Seed')}
        description={tr('The same seed and tasks give the same splits.')}
        value={seed}
        maxLength={100}
        onChange={(event) => setSeed(event.currentTarget.value)}
      />
      <Switch
        label={tr('Near-duplicate tasks share a split')}
        description={tr('As last found under Near duplicates; those you dismissed do not count.')}
        checked={keepDuplicatesTogether}
        onChange={(event) => setTogether(event.currentTarget.checked)}
      />
      <Switch
        label={tr('Reassign tasks that already have a split')}
        description={tr('Otherwise they keep it and only the others are assigned.')}
        checked={again}
        onChange={(event) => setAgain(event.currentTarget.checked)}
      />
      {fault !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
      {fault === null && plan.error && <ErrorPanel error={plan.error} what={tr('No preview.')} compact />}
      {fault === null && plan.data && (
        <Preview plan={plan.data} order={rule.shares.map((s) => s.split)} names={names} />
      )}
      {apply.error && <ErrorPanel error={apply.error} what={tr('Nothing was split.')} compact />}
    </DialogForm>
  );
}

function faultOf(lines: readonly Line[]): string | null {
  for (const { split, share } of lines) {
    const fault = splitFault(split);
    if (fault !== null) return fault;
    if (!(Number(share) > 0)) return tr('The share of “{split}” must be more than 0.', { split });
  }
  const all = lines.map(({ split }) => split.trim());
  const twice = all.find((split, i) => all.indexOf(split) !== i);
  return twice === undefined ? null : tr('“{twice}” stands there twice.', { twice });
}

function Preview(props: { plan: SplitPlan; order: readonly string[]; names: ReadonlyMap<string, string> }): ReactNode {
  const { plan, order, names } = props;
  const table = sharesTable(plan.shares, order);
  return (
    <section aria-label={tr('Preview')}>
      <Text size="sm" mb={4} role="status">
        {plan.assigned.length === 0
          ? tr('Nothing would change: every task has a split.')
          : tr(
              '{assigned, plural, one {# task} other {# tasks}} would change. Tasks of each software as they will be:',
              { assigned: plan.assigned.length },
            )}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
      <section className={classes.bounded} tabIndex={0} aria-label={tr('Tasks by software and split')}>
        <table className={classes.plain}>
          <thead>
            <tr>
              <th scope="col">{tr('Software')}</th>
              {table.splits.map((split) => (
                <th key={split} scope="col" className={classes.number}>
                  {split}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(({ software, tasks, total }) => (
              <tr key={software}>
                <td>{names.get(software) ?? software}</td>
                {tasks.map((n, i) => (
                  <td key={table.splits[i]} className={classes.number}>
                    {n} <span className={classes.quiet}>({percent(total === 0 ? 0 : n / total)})</span>
                  </td>
                ))}
              </tr>
            ))}
            {table.rows.length > 1 && (
              <tr>
                <td>{tr('All')}</td>
                {table.totals.map((n, i) => (
                  <td key={table.splits[i]} className={classes.number}>
                    {n} <span className={classes.quiet}>({percent(table.total === 0 ? 0 : n / table.total)})</span>
                  </td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </section>
      {plan.torn.length > 0 && (
        <p className={`${classes.leak} ${classes.warn}`}>
          {tr(
            '{torn, plural, one {# group} other {# groups}} of near duplicates had been put into different splits by hand and stay so: {groups}{more, select, yes { …} other {}}',
            {
              torn: plan.torn.length,
              groups: plan.torn
                .slice(0, 5)
                .map((group) => group.join(', '))
                .join('; '),
              more: plan.torn.length > 5 ? 'yes' : 'no',
            },
          )}
        </p>
      )}
    </section>
  );
}

function Done(props: { ws: string; filter: DatasetFilter; plan: SplitPlan; onClose: () => void }): ReactNode {
  const done = useRef<HTMLButtonElement>(null);
  // The form that had the focus is gone.
  useEffect(() => done.current?.focus(), []);
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {tr('{assigned, plural, one {# task} other {# tasks}} put into splits.', {
          assigned: props.plan.assigned.length,
        })}
      </Text>
      <Leaks ws={props.ws} filter={props.filter} />
      <Group justify="flex-end">
        <Button ref={done} onClick={props.onClose}>
          {tr('Done')}
        </Button>
      </Group>
    </Stack>
  );
}
