import { IconListCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DataRow } from '../../schemas/dataset.ts';
import { paths } from '../client/paths.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import thumb from '../lists/thumb.module.css';
import { Thumb } from '../lists/thumb.tsx';
import { percent } from '../ui/format.ts';
import grid from '../ui/grid/grid.module.css';
import type { Column } from '../ui/grid/grid.tsx';
import { kindCounts } from '../ui/kinds.ts';
import { Clamp, Duration, Time } from '../ui/parts.tsx';
import { ProofLabel } from '../ui/proof.tsx';
import { StateLabel } from '../ui/states.tsx';
import type { DataSortKey } from './filter.ts';
import { missingCounts } from './missing-counts.ts';
import classes from './page.module.css';

/** A row, with what its cells need beside it. */
type Line = { ws: string; row: DataRow; software: string };
export type DataColumn = Column<Line, DataSortKey>;

const NUMBER = `${grid.number}`;
const QUIET = `${grid.quiet}`;
const FIGURE = { number: true, className: NUMBER, hidden: true } as const;

/** Every column of the data set's rows, in the order in which those that are chosen are shown. */
export const DATA_COLUMNS: readonly DataColumn[] = [
  {
    id: 'task',
    name: tr('Task'),
    key: 'task',
    width: 92,
    className: grid.id,
    cell: ({ ws, row }) => (
      <Link href={paths.annotate(ws, row.recording)} className={classes.link} title={row.recording}>
        <Clamp>{row.task}</Clamp>
      </Link>
    ),
  },
  {
    id: 'goal',
    name: tr('Goal'),
    key: 'goal',
    width: 200,
    grow: 1,
    className: thumb.beside,
    cell: ({ ws, row }) => (
      <>
        <Thumb ws={ws} recording={row.recording} />
        <Clamp>{row.goal || tr('No goal yet')}</Clamp>
      </>
    ),
  },
  {
    id: 'software',
    name: tr('Software'),
    key: 'software',
    width: 132,
    className: QUIET,
    cell: ({ software }) => <Clamp>{software}</Clamp>,
  },
  {
    id: 'state',
    name: tr('State'),
    key: 'state',
    width: 118,
    cell: ({ row }) => (
      <span className={classes.state}>
        <StateLabel state={row.state} />
        <ProofLabel proof={row.proof} by={row.proofSaid} short />
        <MissingMark row={row} />
      </span>
    ),
  },
  {
    id: 'proof',
    name: tr('Proof'),
    hidden: true,
    width: 104,
    cell: ({ row }) => <ProofLabel proof={row.proof} by={row.proofSaid} />,
  },
  {
    id: 'steps',
    name: tr('Steps'),
    key: 'steps',
    number: true,
    width: 48,
    className: NUMBER,
    title: ({ row }) => stepsInWords(row),
    cell: ({ row }) => row.steps?.toLocaleString(shownLanguage()) ?? '–',
  },
  {
    id: 'subtasks',
    name: tr('Subtasks'),
    ...FIGURE,
    width: 66,
    cell: ({ row }) => row.subtasks?.toLocaleString(shownLanguage()) ?? '–',
  },
  {
    id: 'seconds',
    name: tr('Length'),
    key: 'seconds',
    number: true,
    width: 56,
    className: NUMBER,
    cell: ({ row }) => <Duration us={row.seconds === null ? null : row.seconds * 1e6} />,
  },
  {
    id: 'recorded',
    name: tr('Recorded'),
    hidden: true,
    width: 96,
    className: QUIET,
    cell: ({ row }) => <Time iso={row.startedAt} />,
  },
  {
    id: 'resolution',
    name: tr('Resolution'),
    width: 92,
    className: `${grid.quiet} tabular`,
    cell: ({ row }) => row.resolution?.replace('x', ' × ') ?? '–',
  },
  {
    id: 'person',
    name: tr('Person'),
    width: 92,
    className: QUIET,
    cell: ({ row }) => <Clamp>{row.person ?? '–'}</Clamp>,
  },
  {
    id: 'annotators',
    name: tr('Annotators'),
    hidden: true,
    width: 120,
    className: QUIET,
    cell: ({ row }) => <Clamp>{row.annotators.join(', ') || '–'}</Clamp>,
  },
  {
    id: 'missing',
    name: tr('Missing'),
    hidden: true,
    width: 170,
    cell: ({ row }) => <Clamp>{missingIn(row)}</Clamp>,
  },
  {
    id: 'drafted',
    name: tr('Drafts'),
    hidden: true,
    width: 110,
    cell: ({ row }) => <Clamp>{draftsTaken(row)}</Clamp>,
  },
  { id: 'boxes', name: tr('Boxes'), ...FIGURE, width: 56, cell: ({ row }) => share(row.boxes) },
  { id: 'names', name: tr('Names'), ...FIGURE, width: 56, cell: ({ row }) => share(row.names) },
  { id: 'agreement', name: tr('Agreement'), ...FIGURE, width: 78, cell: ({ row }) => share(row.agreement) },
  {
    id: 'judged',
    name: tr('Judged'),
    ...FIGURE,
    width: 62,
    cell: ({ row }) => row.judged?.steps.toLocaleString(shownLanguage()) ?? '–',
  },
  {
    id: 'split',
    name: tr('Split'),
    key: 'split',
    width: 84,
    cell: ({ row }) => (row.split === null ? <span className={QUIET}>–</span> : <Clamp>{row.split}</Clamp>),
  },
  {
    id: 'tags',
    name: tr('Tags'),
    width: 150,
    cell: ({ row }) =>
      row.tags.length === 0 ? (
        <span className={QUIET}>–</span>
      ) : (
        <span className={classes.tags} title={row.tags.join(', ')}>
          {row.tags.map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
        </span>
      ),
  },
  {
    id: 'recording',
    name: tr('Recording'),
    hidden: true,
    width: 190,
    className: `${grid.quiet} tabular`,
    cell: ({ row }) => <Clamp>{row.recording}</Clamp>,
  },
];

const share = (value: number | null): string => (value === null ? '–' : percent(value));

/** Fields whose words come from models' drafts. */
function draftsTaken({ drafted }: DataRow): string {
  if (drafted === null) return '–';
  const { taken, edited } = drafted;
  return taken + edited === 0 ? '0' : tr('{all}, {edited} edited', { all: taken + edited, edited });
}

function missingIn({ missing }: DataRow): string {
  if (missing === null) return '–';
  return missingCounts(missing) || tr('nothing');
}

/** Work that was submitted with gaps. Before that something is always missing. */
function MissingMark({ row: { state, missing } }: { row: DataRow }): ReactNode {
  const words = missing === null ? '' : missingCounts(missing);
  if (words === '' || state === 'recorded' || state === 'annotating') return null;
  return (
    <span className={classes.missing} title={tr('Missing: {words}', { words })}>
      <IconListCheck size={14} aria-hidden />
      <span className="visually-hidden">{tr('missing: {words}', { words })}</span>
    </span>
  );
}

function stepsInWords(row: DataRow): string {
  const kinds = kindCounts(Object.entries(row.kinds).filter(([, n]) => n > 0));
  const missing = row.missing === null ? '' : missingCounts(row.missing);
  return missing === '' ? kinds : tr('{kinds}; missing: {missing}', { kinds, missing });
}
