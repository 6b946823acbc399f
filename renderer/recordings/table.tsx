// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { ActionIcon, Checkbox, Menu } from '@mantine/core';
import {
  IconChecklist,
  IconDots,
  IconFileExport,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { paths } from '../client/paths.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import grid from '../ui/grid/grid.module.css';
import { type Column, Grid } from '../ui/grid/grid.tsx';
import type { Selection } from '../ui/grid/selection.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { Clamp, Duration, Time } from '../ui/parts.tsx';
import { Share, StateLabel, Verdicts } from '../ui/states.tsx';
import thumb from '../ui/thumb.module.css';
import { Thumb } from '../ui/thumb.tsx';
import type { RecordingActionsState } from './actions.tsx';
import classes from './table.module.css';

const ROW_PX = 38;
const OF_TASK: readonly Column<never>[] = [{ name: tr('Task') }, { name: tr('Goal') }];
const COLUMNS: readonly Column<never>[] = [
  { name: tr('Recorded') },
  { name: tr('Length'), number: true },
  { name: tr('State') },
  { name: tr('Annotated') },
  { name: tr('Steps'), number: true },
  { name: tr('Data') },
  { name: tr('Actions'), unseen: true },
];

type Props = {
  ws: string;
  rows: readonly RecordingRow[];
  at: number;
  /** On the page of all recordings the task and its goal stand in the row; on a task's own page they would only repeat. */
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
  const { ws, rows, at, withTask, actions, selecting, onChoose, onOpen, onReview } = props;
  const [, go] = useLocation();
  return (
    <Grid
      label={tr('Recordings')}
      rows={rows}
      at={at}
      rowPx={ROW_PX}
      columns={withTask ? [...OF_TASK, ...COLUMNS] : COLUMNS}
      className={withTask ? classes.all : classes.ofTask}
      wholePage={withTask}
      multiselectable={selecting !== undefined}
      first={
        selecting && (
          <Checkbox
            size="xs"
            aria-label={tr('Select every row shown')}
            checked={selecting.every}
            indeterminate={selecting.picked.length > 0 && !selecting.every}
            onChange={selecting.toggleAll}
          />
        )
      }
    >
      {(row, index, top) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the page's commands walk and open the rows by key
        <div
          key={row.id}
          className={`${grid.row} ${grid.entry}`}
          role="row"
          tabIndex={-1}
          aria-rowindex={index + 2}
          aria-selected={selecting && selecting.picked.length > 0 ? selecting.selected.has(row.id) : index === at}
          data-chosen={index === at}
          style={{ transform: `translateY(${top}px)` }}
          onClick={() => onChoose(index)}
          onDoubleClick={() => onOpen(row.id)}
        >
          {selecting && (
            <div role="gridcell">
              <Checkbox
                size="xs"
                aria-label={tr('Select {task}, {id}', { task: row.task, id: row.id })}
                checked={selecting.selected.has(row.id)}
                onChange={() => selecting.toggle(row.id)}
                onDoubleClick={(event) => event.stopPropagation()}
              />
            </div>
          )}
          {withTask && (
            <div role="gridcell" className={grid.id}>
              <Link href={paths.task(ws, row.task)} className={classes.link}>
                <Clamp>{row.task}</Clamp>
              </Link>
            </div>
          )}
          {withTask && (
            <div role="gridcell" className={thumb.beside}>
              <Thumb ws={ws} recording={row.phase === 'closed' ? row.id : null} />
              <Clamp>{row.goal || tr('No goal yet')}</Clamp>
            </div>
          )}
          <div role="gridcell" className={withTask ? undefined : thumb.beside}>
            {!withTask && <Thumb ws={ws} recording={row.phase === 'closed' ? row.id : null} />}
            <Link href={paths.annotate(ws, row.id)} className={classes.link}>
              <Time iso={row.startedAt} />
              <span className="visually-hidden">
                {tr(': annotate the recording {id} of {task}', { id: row.id, task: row.task })}
              </span>
            </Link>
          </div>
          <div role="gridcell" className={grid.number}>
            <Duration us={row.durationUs} />
          </div>
          <div role="gridcell">
            <StateLabel state={row.state} />
          </div>
          <div role="gridcell">
            {row.steps ? <Share value={(row.done ?? 0) / row.steps} /> : <span className={grid.quiet}>–</span>}
          </div>
          <div role="gridcell" className={`${grid.number} ${grid.quiet}`}>
            {row.steps?.toLocaleString(shownLanguage()) ?? '–'}
          </div>
          <div role="gridcell">
            <Verdicts row={row} />
          </div>
          <div role="gridcell">
            <RowMenu
              row={row}
              scope={withTask ? 'recordings' : 'task'}
              actions={actions}
              onOpen={() => onOpen(row.id)}
              onReview={() => onReview(row.id)}
              onPlay={() => go(paths.play(ws, row.id))}
            />
          </div>
        </div>
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
}): ReactNode {
  const { row, scope, actions, onOpen, onReview, onPlay } = props;
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon size="sm" aria-label={tr('Actions for {id}', { id: row.id })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPencil size={15} aria-hidden />}
          rightSection={<Kbd command={scope === 'task' ? 'task.annotate' : 'recordings.open'} />}
          onClick={onOpen}
        >
          {tr('Annotate')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconChecklist size={15} aria-hidden />}
          rightSection={<Kbd command={`${scope}.review`} />}
          onClick={onReview}
        >
          {tr('Review')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          rightSection={<Kbd command={`${scope}.play`} />}
          onClick={onPlay}
        >
          {tr('Play again')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconUsersGroup size={15} aria-hidden />}
          rightSection={<Kbd command={`${scope}.plan`} />}
          onClick={() => actions.askPlan(row)}
        >
          {tr('Who annotates …')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileExport size={15} aria-hidden />}
          rightSection={<Kbd command={`${scope}.export`} />}
          onClick={() => actions.askExport(row)}
        >
          {tr('Export …')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={15} aria-hidden />}
          rightSection={<Kbd command={`${scope}.remove`} />}
          onClick={() => actions.askRemove([row])}
        >
          {tr('Remove …')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
