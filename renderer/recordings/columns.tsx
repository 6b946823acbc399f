import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import { paths } from '../client/paths.ts';
import { shownLanguage, tr, trParts } from '../language/tr.ts';
import { AssignedLabel } from '../lists/assigned-label.tsx';
import thumb from '../lists/thumb.module.css';
import { Thumb } from '../lists/thumb.tsx';
import grid from '../ui/grid/grid.module.css';
import type { Column } from '../ui/grid/grid.tsx';
import { Clamp, Duration, Time } from '../ui/parts.tsx';
import { ProofLabel } from '../ui/proof.tsx';
import { Share, StateLabel, Verdicts } from '../ui/states.tsx';
import classes from './table.module.css';

/** A recording with what its cells need beside it. */
type Line = {
  ws: string;
  row: RecordingRow;
  /** What the data set knows of it; undefined where nobody asked, or it is on its way. */
  data: DataRow | undefined;
};
export type RecordingColumn = Column<Line>;

const NUMBER = `${grid.number}`;
const QUIET = `${grid.quiet}`;

const picture = ({ ws, row }: Line): ReactNode => <Thumb ws={ws} recording={row.phase === 'closed' ? row.id : null} />;

const recordedAt = ({ ws, row }: Line): ReactNode => (
  <Link href={paths.annotate(ws, row.id)} className={classes.link}>
    {trParts('{when}<hidden>: annotate the recording {id} of {task}</hidden>', {
      when: <Time iso={row.startedAt} />,
      id: row.id,
      task: row.task,
      hidden: (inside) => <span className="visually-hidden">{inside}</span>,
    })}
  </Link>
);

/** Every column of the recordings, in the order in which those that are chosen are shown. */
export const RECORDING_COLUMNS: readonly RecordingColumn[] = [
  {
    id: 'task',
    name: tr('Task'),
    width: 92,
    className: grid.id,
    cell: ({ ws, row }) => (
      <Link href={paths.task(ws, row.task)} className={classes.link}>
        <Clamp>{row.task}</Clamp>
      </Link>
    ),
  },
  {
    id: 'goal',
    name: tr('Goal'),
    width: 180,
    narrow: 150,
    grow: 1,
    className: thumb.beside,
    cell: (line) => (
      <>
        {picture(line)}
        <Clamp>{line.row.goal || tr('No goal yet')}</Clamp>
      </>
    ),
  },
  {
    id: 'software',
    name: tr('Software'),
    hidden: true,
    width: 120,
    className: QUIET,
    cell: ({ row }) => <Clamp>{row.software}</Clamp>,
  },
  { id: 'recorded', name: tr('Recorded'), width: 92, cell: recordedAt },
  {
    id: 'length',
    name: tr('Length'),
    number: true,
    width: 64,
    className: NUMBER,
    cell: ({ row }) => <Duration us={row.durationUs} />,
  },
  { id: 'state', name: tr('State'), width: 124, narrow: 110, cell: ({ row }) => <StateLabel state={row.state} /> },
  {
    id: 'assigned',
    name: tr('Assigned to'),
    hidden: true,
    width: 150,
    narrow: 120,
    cell: ({ ws, row }) => <AssignedLabel ws={ws} row={row} />,
  },
  {
    id: 'proof',
    name: tr('Proof'),
    hidden: true,
    width: 104,
    cell: ({ data }) => <ProofLabel proof={data?.proof} by={data?.proofSaid} />,
  },
  {
    id: 'annotated',
    name: tr('Annotated'),
    width: 120,
    narrow: 100,
    cell: ({ row }) => (row.steps ? <Share value={(row.done ?? 0) / row.steps} /> : <span className={QUIET}>–</span>),
  },
  {
    id: 'steps',
    name: tr('Steps'),
    number: true,
    width: 52,
    className: `${grid.number} ${grid.quiet}`,
    cell: ({ row }) => row.steps?.toLocaleString(shownLanguage()) ?? '–',
  },
  {
    id: 'person',
    name: tr('Recorded by'),
    hidden: true,
    width: 110,
    className: QUIET,
    cell: ({ row }) => <Clamp>{row.person ?? '–'}</Clamp>,
  },
  {
    id: 'annotators',
    name: tr('Annotators'),
    hidden: true,
    width: 130,
    className: QUIET,
    cell: ({ data }) => <Clamp>{data?.annotators.join(', ') || '–'}</Clamp>,
  },
  {
    id: 'resolution',
    name: tr('Resolution'),
    hidden: true,
    width: 92,
    className: `${grid.quiet} tabular`,
    cell: ({ data }) => data?.resolution?.replace('x', ' × ') ?? '–',
  },
  {
    id: 'frames',
    name: tr('Pictures'),
    hidden: true,
    number: true,
    width: 68,
    className: NUMBER,
    cell: ({ row }) => row.frames.toLocaleString(shownLanguage()),
  },
  {
    id: 'events',
    name: tr('Events'),
    hidden: true,
    number: true,
    width: 68,
    className: NUMBER,
    cell: ({ row }) => row.events.toLocaleString(shownLanguage()),
  },
  { id: 'data', name: tr('Data'), width: 150, cell: ({ row }) => <Verdicts row={row} /> },
  {
    id: 'recording',
    name: tr('Recording'),
    hidden: true,
    width: 190,
    className: `${grid.quiet} tabular`,
    cell: ({ row }) => <Clamp>{row.id}</Clamp>,
  },
];

/** The same with who is to do the work among those at first, where anybody assigns it. */
export const COLUMNS_WITH_ASSIGNED: readonly RecordingColumn[] = RECORDING_COLUMNS.map((column) =>
  column.id === 'assigned' ? { ...column, hidden: false } : column,
);

/** Columns whose cells show what the data set counted. */
const COUNTED: readonly string[] = ['proof', 'annotators', 'resolution'];
export const areCounted = (columns: readonly RecordingColumn[]): boolean =>
  columns.some(({ id }) => COUNTED.includes(id));

/** On a task's own page: its task and goal would only repeat, so the picture is before the time. */
export const COLUMNS_OF_TASK: readonly RecordingColumn[] = RECORDING_COLUMNS.flatMap((column) => {
  if (column.hidden || column.id === 'task' || column.id === 'goal') return [];
  if (column.id === 'data') return [{ ...column, width: 110, grow: 1.4 }];
  if (column.id !== 'recorded') return [column];
  const cell = (line: Line): ReactNode => (
    <>
      {picture(line)}
      {recordedAt(line)}
    </>
  );
  return [{ ...column, width: 154, grow: 1, className: thumb.beside, cell }];
});
