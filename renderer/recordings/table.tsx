// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconChecklist,
  IconDots,
  IconFileExport,
  IconPencil,
  IconPlayerPlay,
  IconSchool,
  IconTrash,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { Cells, Grid } from '../ui/grid/grid.tsx';
import { GridRow, SelectCell, SelectEvery } from '../ui/grid/row.tsx';
import type { Selection } from '../ui/grid/selection.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { MenuItems } from '../ui/menu-items.tsx';
import type { RecordingActionsState } from './actions.tsx';
import type { RecordingColumn } from './columns.tsx';
import classes from './table.module.css';

const ROW_PX = 38;
const ACTIONS = { id: 'actions', name: tr('Actions'), unseen: true, width: 28 };

type Props = {
  ws: string;
  rows: readonly RecordingRow[];
  columns: readonly RecordingColumn[];
  /** What the data set knows of each, where a column shows it. */
  data?: ReadonlyMap<string, DataRow>;
  at: number;
  /** The page of all recordings, not a task's own. */
  withTask: boolean;
  actions: RecordingActionsState;
  /** Several can be selected for one act; left out where a row alone is acted on. */
  selecting?: { selected: ReadonlySet<string> } & Pick<
    Selection<RecordingRow>,
    'picked' | 'every' | 'toggle' | 'toggleAll'
  >;
  onChoose: (at: number) => void;
  onOpen: (recording: string) => void;
  onReview: (recording: string) => void;
};

/** Recordings, with their state (which follows from what people do with them), how far the annotation is, and what is doubtful about the data. */
export function RecordingsTable(props: Props): ReactNode {
  const { ws, rows, columns, data, at, withTask, actions, selecting, onChoose, onOpen, onReview } = props;
  const withActions = useMemo(() => [...columns, ACTIONS], [columns]);
  const [, go] = useLocation();
  return (
    <Grid
      label={tr('Recordings')}
      rows={rows}
      at={at}
      rowPx={ROW_PX}
      columns={withActions}
      className={withTask ? classes.all : classes.ofTask}
      wholePage={withTask}
      multiselectable={selecting !== undefined}
      first={
        selecting && (
          <SelectEvery every={selecting.every} some={selecting.picked.length > 0} onToggle={selecting.toggleAll} />
        )
      }
    >
      {(row, index, top) => (
        <GridRow
          key={row.id}
          index={index}
          top={top}
          chosen={index === at}
          selected={selecting && selecting.picked.length > 0 ? selecting.selected.has(row.id) : index === at}
          onClick={() => onChoose(index)}
          onOpen={() => onOpen(row.id)}
          onContextMenu={(event) => {
            // The row's own menu; a link keeps the browser's.
            const menu = event.currentTarget.querySelector<HTMLElement>('[aria-haspopup=menu]');
            if (!menu || (event.target instanceof Element && event.target.closest('a'))) return;
            event.preventDefault();
            onChoose(index);
            menu.click();
          }}
        >
          {selecting && (
            <SelectCell
              label={tr('Select {task}, {id}', { task: row.task, id: row.id })}
              selected={selecting.selected.has(row.id)}
              onToggle={() => selecting.toggle(row.id)}
            />
          )}
          <Cells columns={columns} row={{ ws, row, data: data?.get(row.id) }} />
          <div role="gridcell">
            <RowMenu
              row={row}
              scope={withTask ? 'recordings' : 'task'}
              actions={actions}
              onOpen={() => onOpen(row.id)}
              onReview={() => onReview(row.id)}
              onPlay={() => go(paths.play(ws, row.id))}
              onSkill={() => go(paths.skill(ws, row.task, row.id))}
            />
          </div>
        </GridRow>
      )}
    </Grid>
  );
}

function RowMenu(props: {
  row: RecordingRow;
  scope: 'recordings' | 'task';
  actions: RecordingActionsState;
  onOpen: () => void;
  onReview: () => void;
  onPlay: () => void;
  onSkill: () => void;
}): ReactNode {
  const { row, scope, actions, onOpen, onReview, onPlay, onSkill } = props;
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon size="sm" aria-label={tr('Actions for {id}', { id: row.id })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <MenuItems>
        <Item icon={IconPencil} command={scope === 'task' ? 'task.annotate' : 'recordings.open'} onClick={onOpen}>
          {tr('Annotate')}
        </Item>
        <Item icon={IconChecklist} command={`${scope}.review`} onClick={onReview}>
          {tr('Review')}
        </Item>
        <Item icon={IconPlayerPlay} command={`${scope}.play`} onClick={onPlay}>
          {tr('Play again')}
        </Item>
        <Item icon={IconUsersGroup} command={`${scope}.plan`} onClick={() => actions.askPlan(row)}>
          {tr('Who annotates …')}
        </Item>
        <Item icon={IconUserPlus} command={`${scope}.assign`} onClick={() => actions.askAssign([row])}>
          {tr('Assign …')}
        </Item>
        <Item icon={IconFileExport} command={`${scope}.export`} onClick={() => actions.askExport(row)}>
          {tr('Export …')}
        </Item>
        <Item icon={IconSchool} command={`${scope}.skill`} onClick={onSkill}>
          {tr('Export as skill')}
        </Item>
        <Menu.Divider />
        <Item icon={IconTrash} command={`${scope}.remove`} onClick={() => actions.askRemove([row])} bad>
          {tr('Remove …')}
        </Item>
      </MenuItems>
    </Menu>
  );
}

function Item(props: {
  icon: typeof IconTrash;
  command: string;
  onClick: () => void;
  bad?: boolean;
  children: string;
}): ReactNode {
  const { icon: Icon, command, onClick, bad, children } = props;
  return (
    <Menu.Item
      {...(bad && { c: 'var(--studio-bad)' })}
      leftSection={<Icon size={15} aria-hidden />}
      rightSection={<Kbd command={command} />}
      onClick={onClick}
    >
      {children}
    </Menu.Item>
  );
}
