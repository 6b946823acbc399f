import { Button } from '@mantine/core';
import { IconArrowsSplit2, IconDatabase, IconShieldCheck, IconTag, IconZoomCancel } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { DataRow } from '../../schemas/dataset.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { tr, trParts } from '../language/tr.ts';
import { PreviewPane, useWide } from '../lists/preview-pane.tsx';
import { selectionOf } from '../ui/grid/selection.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { EmptyState, RowKeys } from '../ui/parts.tsx';
import { useUndoKey } from '../ui/toast.ts';
import { narrowsData } from './filter.ts';
import { LeaksDialog } from './leaks-dialog.tsx';
import classes from './page.module.css';
import type { DataColumn } from './rows-columns.tsx';
import { RowsTable } from './rows-table.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { SplitDialog } from './split-dialog.tsx';
import { useDatasetView } from './store.ts';
import { TagDialog } from './tag-dialog.tsx';

type Props = {
  ws: string;
  all: readonly DataRow[];
  rows: readonly DataRow[];
  columns: readonly DataColumn[];
  filters: ReactNode;
};

/** The table, and what is done with many rows at once. */
export function RowsView({ ws, all, rows, columns, filters }: Props): ReactNode {
  const [, go] = useLocation();
  const { filter, setFilter, sort, setSort, selected, select, chosen, choose } = useDatasetView(ws);
  const [dialog, setDialog] = useState<'tag' | 'split' | 'rule' | 'leaks' | null>(null);
  const found = rows.findIndex(({ recording }) => recording === chosen);
  const at = Math.max(0, found);
  const row = rows[at];
  const recordings = useQuery({ ...queries.recordings(ws), enabled: useWide() }).data ?? [];
  const previewed = recordings.find(({ id }) => id === row?.recording);
  const { picked, target, every, toggle, toggleAll, clear } = selectionOf(
    rows,
    at,
    selected,
    select,
    ({ recording }) => recording,
  );
  const move = (by: number): void => {
    const to = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (to) choose(to.recording);
  };
  const some = rows.length > 0;
  useUndoKey('dataset');
  useHandlers('dataset', {
    'dataset.down': () => move(1),
    'dataset.up': () => move(-1),
    'dataset.select': { run: () => row && toggle(row.recording), enabled: some },
    'dataset.selectAll': { run: toggleAll, enabled: some },
    'dataset.open': { run: () => row && go(paths.annotate(ws, row.recording)), enabled: some },
    'dataset.tag': { run: () => setDialog('tag'), enabled: some },
    'dataset.split': { run: () => setDialog('split'), enabled: some },
    'dataset.rule': { run: () => setDialog('rule'), enabled: some },
    'dataset.leaks': { run: () => setDialog('leaks'), enabled: all.length > 0 },
    'dataset.clear': {
      run: () => (picked.length > 0 ? clear() : setFilter({})),
      enabled: picked.length > 0 || narrowsData(filter),
    },
  });
  if (all.length === 0) {
    return (
      <EmptyState
        icon={<IconDatabase size={22} />}
        title={tr('Nothing to choose from yet')}
        actions={
          <Button component={Link} href={paths.recordings(ws)}>
            {tr('Go to the recordings')}
          </Button>
        }
      >
        {tr(
          'The data set is made of recordings. Record a task or import a recording; then filter, tag, split and freeze it here.',
        )}
      </EmptyState>
    );
  }
  const close = (): void => setDialog(null);
  return (
    <>
      {filters}
      <div className={classes.tools} role="toolbar" aria-label={tr('With the rows')}>
        <span className={classes.picked} role="status">
          {picked.length > 0
            ? tr('{picked, plural, one {# recording} other {# recordings}} selected', { picked: picked.length })
            : tr('No selection: actions apply to the highlighted row')}
        </span>
        <Tool
          command="dataset.tag"
          icon={<IconTag size={14} aria-hidden />}
          disabled={!some}
          onClick={() => setDialog('tag')}
        >
          {tr('Tag')}
        </Tool>
        <Tool
          command="dataset.split"
          icon={<IconArrowsSplit2 size={14} aria-hidden />}
          disabled={!some}
          onClick={() => setDialog('split')}
        >
          {tr('Assign split')}
        </Tool>
        <Tool command="dataset.rule" icon={null} disabled={!some} onClick={() => setDialog('rule')}>
          {tr('Split automatically')}
        </Tool>
        <Tool
          command="dataset.leaks"
          icon={<IconShieldCheck size={14} aria-hidden />}
          disabled={false}
          onClick={() => setDialog('leaks')}
        >
          {tr('Check for leakage')}
        </Tool>
        <RowKeys
          keys={[
            [tr('choose'), 'dataset.down', 'dataset.up'],
            [tr('select'), 'dataset.select'],
            [tr('all'), 'dataset.selectAll'],
          ]}
        />
      </div>
      {some ? (
        <div className={classes.beside}>
          <RowsTable
            ws={ws}
            rows={rows}
            columns={columns}
            at={at}
            selected={selected}
            sort={sort}
            allSelected={every}
            someSelected={picked.length > 0}
            onSort={(key) => setSort({ key, descending: sort.key === key ? !sort.descending : false })}
            onChoose={choose}
            onOpen={(recording) => go(paths.annotate(ws, recording))}
            onToggle={toggle}
            onToggleAll={toggleAll}
          />
          <PreviewPane ws={ws} row={previewed} />
        </div>
      ) : (
        <EmptyState icon={<IconZoomCancel size={22} />} title={tr('No matching recordings')}>
          {trParts('Try fewer words or different filters; {kbd} shows all again.', {
            kbd: <Kbd command="dataset.clear" main />,
          })}
        </EmptyState>
      )}
      <TagDialog ws={ws} opened={dialog === 'tag'} rows={target} all={all} onClose={close} />
      <SplitDialog ws={ws} opened={dialog === 'split'} rows={target} all={all} onClose={close} />
      <RuleDialog ws={ws} opened={dialog === 'rule'} filter={filter} rows={rows} onClose={close} />
      <LeaksDialog ws={ws} opened={dialog === 'leaks'} filter={filter} onClose={close} />
    </>
  );
}

function Tool(props: {
  command: string;
  icon: ReactNode;
  disabled: boolean;
  onClick: () => void;
  children: string;
}): ReactNode {
  return (
    <CommandButton
      variant="default"
      size="compact-sm"
      leftSection={props.icon}
      command={props.command}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.children}
    </CommandButton>
  );
}
