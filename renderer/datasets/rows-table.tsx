import { memo, type ReactNode } from 'react';
import type { DataRow } from '../../schemas/dataset.ts';
import { tr } from '../language/tr.ts';
import { Cells, Grid } from '../ui/grid/grid.tsx';
import { GridRow, SelectCell, SelectEvery } from '../ui/grid/row.tsx';
import type { DataSort, DataSortKey } from './filter.ts';
import { useSoftwareNames } from './queries.ts';
import type { DataColumn } from './rows-columns.tsx';

const ROW_PX = 38;
type Props = {
  ws: string;
  rows: readonly DataRow[];
  columns: readonly DataColumn[];
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
  const { ws, rows, columns, at, selected } = props;
  const names = useSoftwareNames(ws);
  const line = { ws, columns, onChoose: props.onChoose, onOpen: props.onOpen, onToggle: props.onToggle };
  return (
    <Grid
      label={tr('Rows of the data set')}
      rows={rows}
      at={at}
      rowPx={ROW_PX}
      columns={columns}
      sort={props.sort}
      onSort={props.onSort}
      wholePage
      multiselectable
      first={<SelectEvery every={props.allSelected} some={props.someSelected} onToggle={props.onToggleAll} />}
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
  columns: readonly DataColumn[];
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
    const { ws, row, columns, index, top, chosen, selected, software, onChoose, onOpen, onToggle } = props;
    const line = { ws, row, software };
    return (
      <GridRow
        index={index}
        top={top}
        chosen={chosen}
        selected={selected}
        onClick={() => onChoose(row.recording)}
        onOpen={() => onOpen(row.recording)}
      >
        <SelectCell
          label={tr('Select {task}, {recording}', { task: row.task, recording: row.recording })}
          selected={selected}
          onToggle={() => onToggle(row.recording)}
        />
        <Cells columns={columns} row={line} />
      </GridRow>
    );
  },
  (a, b) =>
    a.row === b.row &&
    a.columns === b.columns &&
    a.top === b.top &&
    a.index === b.index &&
    a.chosen === b.chosen &&
    a.selected === b.selected &&
    a.software === b.software,
);
