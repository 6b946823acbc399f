import { Link } from 'wouter';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import thumb from '../lists/thumb.module.css';
import { Thumb } from '../lists/thumb.tsx';
import grid from '../ui/grid/grid.module.css';
import type { Column } from '../ui/grid/grid.tsx';
import { Clamp, Time } from '../ui/parts.tsx';
import { ProofLabel } from '../ui/proof.tsx';
import { Share, StateLabel } from '../ui/states.tsx';
import { type Entry, stageOf, type TaskSortKey } from './filter.ts';
import classes from './page.module.css';

type Line = { ws: string; entry: Entry };
export type TaskColumn = Column<Line, TaskSortKey>;

const QUIET = `${grid.quiet}`;

/** Every column of the tasks, in the order in which those that are chosen are shown. */
export const TASK_COLUMNS: readonly TaskColumn[] = [
  {
    id: 'id',
    key: 'id',
    name: tr('Task'),
    width: 104,
    narrow: 88,
    className: grid.id,
    cell: ({ ws, entry: { row } }) => (
      <Link href={paths.task(ws, row.id)} className={classes.link}>
        <Clamp>{row.id}</Clamp>
      </Link>
    ),
  },
  {
    id: 'goal',
    key: 'goal',
    name: tr('Goal'),
    width: 220,
    narrow: 120,
    grow: 1,
    className: thumb.beside,
    cell: ({ ws, entry: { row } }) => (
      <>
        {/* A task that nobody has recorded has no picture to wait for. */}
        {row.picture !== null && <Thumb ws={ws} recording={row.picture} />}
        <Clamp>{row.goal || tr('No goal yet')}</Clamp>
      </>
    ),
  },
  {
    id: 'software',
    key: 'software',
    name: tr('Software'),
    width: 132,
    narrow: 94,
    className: QUIET,
    cell: ({ entry }) => <Clamp>{entry.software}</Clamp>,
  },
  {
    id: 'category',
    name: tr('Category'),
    hidden: true,
    width: 132,
    narrow: 110,
    className: QUIET,
    cell: ({ entry }) => <Clamp>{entry.category || '–'}</Clamp>,
  },
  {
    id: 'platform',
    name: tr('Platform'),
    hidden: true,
    width: 110,
    narrow: 96,
    className: QUIET,
    cell: ({ entry }) => <Clamp>{entry.row.platform || '–'}</Clamp>,
  },
  {
    id: 'stage',
    key: 'stage',
    name: tr('State'),
    width: 132,
    narrow: 104,
    cell: ({ entry: { row } }) =>
      row.state === 'closed' ? <span className={QUIET}>{tr('Closed')}</span> : <StateLabel state={stageOf(row)} />,
  },
  {
    id: 'proof',
    name: tr('Proof'),
    hidden: true,
    width: 104,
    cell: ({ entry }) => <ProofLabel proof={entry.proof} />,
  },
  {
    id: 'progress',
    key: 'progress',
    name: tr('Annotated'),
    width: 132,
    narrow: 88,
    cell: ({ entry: { row } }) => row.recordings > 0 && <Share value={row.progress} />,
  },
  {
    id: 'recordings',
    key: 'recordings',
    name: tr('Recordings'),
    number: true,
    width: 80,
    narrow: 70,
    className: `${grid.number} ${grid.quiet}`,
    cell: ({ entry: { row } }) => row.recordings || '–',
  },
  {
    id: 'created',
    key: 'created',
    name: tr('Created'),
    width: 96,
    narrow: 80,
    className: QUIET,
    cell: ({ entry: { row } }) => <Time iso={row.createdAt} />,
  },
];
