// biome-ignore-all lint/a11y/useFocusableInteractive: the rows that can be chosen are focusable; cells are not acted on
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot keep its rows virtual and its columns a grid
import { Checkbox } from '@mantine/core';
import { IconListCheck, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import { missingWords } from '../../core/annotate/missing.ts';
import type { DataRow, ProofState } from '../../schemas/dataset.ts';
import { paths } from '../client/paths.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import grid from '../ui/grid/grid.module.css';
import { type Column, Grid } from '../ui/grid/grid.tsx';
import { Clamp, Duration } from '../ui/parts.tsx';
import { StateLabel } from '../ui/states.tsx';
import { type DataSort, type DataSortKey, PROOF_NAMES } from './filter.ts';
import classes from './page.module.css';
import { useSoftwareNames } from './queries.ts';

const ROW_PX = 34;
const COLUMNS: readonly Column<DataSortKey>[] = [
  { name: tr('Task'), key: 'task' },
  { name: tr('Goal'), key: 'goal' },
  { name: tr('Software'), key: 'software' },
  { name: tr('State'), key: 'state' },
  { name: tr('Steps'), key: 'steps', number: true },
  { name: tr('Length'), key: 'seconds', number: true },
  { name: tr('Resolution') },
  { name: tr('Person') },
  { name: tr('Split'), key: 'split' },
  { name: tr('Tags') },
];

type Props = {
  ws: string;
  rows: readonly DataRow[];
  at: number;
  selected: ReadonlySet<string>;
  allSelected: boolean;
  someSelected: boolean;
  sort: DataSort;
  onSort: (key: DataSortKey) => void;
  onChoose: (recording: string) => void;
  onOpen: (recording: string) => void;
  onToggle: (recording: string) => void;
  onToggleAll: () => void;
};

/** The rows of the data set. */
export function RowsTable(props: Props): ReactNode {
  const { ws, rows, at, selected } = props;
  const names = useSoftwareNames(ws);
  const line = { ws, onChoose: props.onChoose, onOpen: props.onOpen, onToggle: props.onToggle };
  return (
    <Grid
      label={tr('Rows of the data set')}
      rows={rows}
      at={at}
      rowPx={ROW_PX}
      columns={COLUMNS}
      sort={props.sort}
      onSort={props.onSort}
      className={classes.rows}
      wholePage
      multiselectable
      first={
        <Checkbox
          size="xs"
          aria-label={tr('Select every row shown')}
          checked={props.allSelected}
          indeterminate={props.someSelected && !props.allSelected}
          onChange={props.onToggleAll}
        />
      }
    >
      {(row, index, top) => (
        <Line
          key={row.recording}
          {...line}
          row={row}
          index={index}
          top={top}
          chosen={index === at}
          selected={selected.has(row.recording)}
          software={names.get(row.software) ?? row.software}
        />
      )}
    </Grid>
  );
}

type LineProps = {
  ws: string;
  row: DataRow;
  index: number;
  top: number;
  chosen: boolean;
  selected: boolean;
  software: string;
  onChoose: (recording: string) => void;
  onOpen: (recording: string) => void;
  onToggle: (recording: string) => void;
};

/** Compared by what it shows: while one types in the search box, rows that stay are not made again. */
const Line = memo(
  function Line(props: LineProps): ReactNode {
    const { ws, row, index, top, chosen, selected, software, onChoose, onOpen, onToggle } = props;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the page's commands walk and select the rows by key
      <div
        className={`${grid.row} ${grid.entry}`}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={selected}
        data-chosen={chosen}
        style={{ transform: `translateY(${top}px)` }}
        onClick={() => onChoose(row.recording)}
        onDoubleClick={() => onOpen(row.recording)}
      >
        <div role="gridcell">
          <Checkbox
            size="xs"
            aria-label={tr('Select {task}, {recording}', { task: row.task, recording: row.recording })}
            checked={selected}
            onChange={() => onToggle(row.recording)}
            onDoubleClick={(event) => event.stopPropagation()}
          />
        </div>
        <div role="gridcell" className={grid.id}>
          <Link href={paths.annotate(ws, row.recording)} className={classes.link} title={row.recording}>
            <Clamp>{row.task}</Clamp>
          </Link>
        </div>
        <div role="gridcell">
          <Clamp>{row.goal || tr('No goal yet')}</Clamp>
        </div>
        <div role="gridcell" className={grid.quiet}>
          <Clamp>{software}</Clamp>
        </div>
        <div role="gridcell">
          <StateLabel state={row.state} />
          {row.proof !== 'untried' && <ProofMark proof={row.proof} />}
          <MissingMark row={row} />
        </div>
        <div role="gridcell" className={grid.number} title={stepsInWords(row)}>
          {row.steps?.toLocaleString(shownLanguage()) ?? '–'}
        </div>
        <div role="gridcell" className={grid.number}>
          <Duration us={row.seconds === null ? null : row.seconds * 1e6} />
        </div>
        <div role="gridcell" className={`${grid.quiet} tabular`}>
          {row.resolution?.replace('x', ' × ') ?? '–'}
        </div>
        <div role="gridcell" className={grid.quiet}>
          <Clamp>{row.person ?? '–'}</Clamp>
        </div>
        <div role="gridcell">
          {row.split === null ? <span className={grid.quiet}>–</span> : <Clamp>{row.split}</Clamp>}
        </div>
        <div role="gridcell">
          {row.tags.length > 0 ? (
            <span className={classes.tags} title={row.tags.join(', ')}>
              {row.tags.map((tag) => (
                <span key={tag} className={classes.tag}>
                  {tag}
                </span>
              ))}
            </span>
          ) : (
            <span className={grid.quiet}>–</span>
          )}
        </div>
      </div>
    );
  },
  (a, b) =>
    a.row === b.row &&
    a.top === b.top &&
    a.index === b.index &&
    a.chosen === b.chosen &&
    a.selected === b.selected &&
    a.software === b.software &&
    a.onToggle === b.onToggle,
);

function ProofMark({ proof }: { proof: Exclude<ProofState, 'untried'> }): ReactNode {
  const [Icon, why] = proof === 'proven' ? PROVEN : NOT_PROVEN;
  return (
    <span className={classes.proof} data-proof={proof} title={why}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{PROOF_NAMES[proof]}</span>
    </span>
  );
}
/** Work that was handed in with gaps. Before that something is always missing. */
function MissingMark({ row: { state, missing } }: { row: DataRow }): ReactNode {
  const words = missing === null ? '' : missingWords(missing);
  if (words === '' || state === 'recorded' || state === 'annotating') return null;
  return (
    <span className={classes.proof} data-missing title={tr('Missing: {words}', { words })}>
      <IconListCheck size={14} aria-hidden />
      <span className="visually-hidden">{tr('missing: {words}', { words })}</span>
    </span>
  );
}

const PROVEN = [
  IconShieldCheck,
  tr('Proven: it plays again, and its checks pass only when the task was done'),
] as const;
const NOT_PROVEN = [IconShieldX, tr('Not proven: verify.json beside the recording says why')] as const;

function stepsInWords(row: DataRow): string {
  const kinds = Object.entries(row.kinds)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `${n} ${kind}`)
    .join(', ');
  const missing = row.missing === null ? '' : missingWords(row.missing);
  return missing === '' ? kinds : tr('{kinds}; missing: {missing}', { kinds, missing });
}
