import { IconFileExport, IconLicense, IconSnowflake } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { filterRows } from '../../core/curate/filter.ts';
import type { DataRow } from '../../schemas/dataset.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { ColumnsMenu } from '../lists/columns-menu.tsx';
import { SavedViews } from '../lists/saved-views.tsx';
import { useColumns } from '../lists/use-columns.ts';
import type { AddressParts } from '../ui/address.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { PageHeader, QueryError } from '../ui/parts.tsx';
import { useAddress } from '../ui/use-address.ts';
import { dataSortOfPart, filterOfParts, partOfDataSort, partsOfFilter } from './address.ts';
import { DuplicatesView } from './duplicates.tsx';
import { narrowsData, sortRows } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { FreezeDialog } from './freeze-dialog.tsx';
import { Frozen } from './frozen.tsx';
import classes from './page.module.css';
import { DATA_COLUMNS } from './rows-columns.tsx';
import { RowsView } from './rows-view.tsx';
import { StatisticsView } from './statistics.tsx';
import { useDatasetView } from './store.ts';
import { TermsDialog } from './terms-dialog.tsx';
import { VersionsView } from './versions.tsx';

const VIEWS = [
  { view: undefined, name: tr('Recordings'), command: 'dataset.rows' },
  { view: 'statistics', name: tr('Statistics'), command: 'dataset.statistics' },
  { view: 'duplicates', name: tr('Near duplicates'), command: 'dataset.duplicates' },
  { view: 'versions', name: tr('Versions'), command: 'dataset.versions' },
] as const;

const NO_ROWS: readonly DataRow[] = [];

/** The data set's page: its recordings are chosen, tagged, split, counted, frozen. One filter serves all of it. */
export function DatasetPage({ ws, view }: { ws: string; view?: string | undefined }): ReactNode {
  const [, go] = useLocation();
  const { filter, sort, setFilter, setSort } = useDatasetView(ws);
  const columns = useColumns(ws, 'dataset', DATA_COLUMNS);
  const parts = { ...partsOfFilter(filter), sort: partOfDataSort(sort), columns: columns.part };
  const take = (said: AddressParts): void => {
    setFilter(filterOfParts(said));
    setSort(dataSortOfPart(said.sort));
    columns.take(said.columns);
  };
  useAddress(parts, take);
  const answer = useQuery({
    ...queries.dataRows(ws),
    // While a job counts recordings their figures come in.
    refetchInterval: ({ state }) => (state.data && state.data.uncounted > 0 ? 2000 : false),
  });
  const [freezing, setFreezing] = useState(false);
  const [frozen, setFrozen] = useState<string | null>(null);
  const [naming, setNaming] = useState(false);
  const all = answer.data?.rows ?? NO_ROWS;
  const rows = useMemo(() => sortRows(filterRows(all, filter), sort), [all, filter, sort]);
  const some = all.length > 0;
  useHandlers('dataset', {
    'dataset.rows': () => go(paths.dataset(ws)),
    'dataset.statistics': () => go(paths.dataset(ws, 'statistics')),
    'dataset.duplicates': () => go(paths.dataset(ws, 'duplicates')),
    'dataset.versions': () => go(paths.dataset(ws, 'versions')),
    'dataset.terms': { run: () => setNaming(true), enabled: some },
    'dataset.freeze': { run: () => setFreezing(true), enabled: some },
    'dataset.export': { run: () => go(paths.exports(ws)), enabled: some },
  });
  const filters = some && (
    <FilterBar ws={ws} rows={all} filter={filter} onChange={setFilter}>
      <SavedViews ws={ws} columns={columns} parts={parts} onTake={take} />
      {view === undefined && <ColumnsMenu columns={columns} />}
    </FilterBar>
  );
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Data set')}
        about={
          answer.data ? <About rows={rows} all={all} uncounted={answer.data.uncounted} /> : tr('Loading the rows …')
        }
        actions={
          some && (
            <>
              <CommandButton
                variant="default"
                icon={IconLicense}
                command="dataset.terms"
                onClick={() => setNaming(true)}
              >
                {tr('Licence')}
              </CommandButton>
              <CommandButton
                variant="default"
                icon={IconSnowflake}
                command="dataset.freeze"
                onClick={() => setFreezing(true)}
              >
                {tr('Freeze a version')}
              </CommandButton>
              <CommandButton icon={IconFileExport} command="dataset.export" onClick={() => go(paths.exports(ws))}>
                {tr('Export')}
              </CommandButton>
            </>
          )
        }
      />
      <nav className={classes.views} aria-label={tr('Data set')}>
        {VIEWS.map((one) => (
          <Link
            key={one.name}
            href={paths.dataset(ws, one.view)}
            className={classes.view}
            aria-current={view === one.view ? 'page' : undefined}
          >
            {one.name} <Kbd command={one.command} />
          </Link>
        ))}
      </nav>
      {frozen !== null && <Frozen ws={ws} name={frozen} onClose={() => setFrozen(null)} />}
      <QueryError of={answer} what={tr('The data set could not be read.')} />
      {view === undefined && answer.data && (
        <RowsView ws={ws} all={all} rows={rows} columns={columns.shown} filters={filters} />
      )}
      {view === 'statistics' && answer.data && <StatisticsView ws={ws} filters={filters} />}
      {view === 'duplicates' && <DuplicatesView ws={ws} rows={all} />}
      {view === 'versions' && <VersionsView ws={ws} onFreeze={() => setFreezing(true)} empty={!some} />}
      <TermsDialog ws={ws} opened={naming} onClose={() => setNaming(false)} />
      <FreezeDialog
        ws={ws}
        opened={freezing}
        filter={filter}
        rows={rows}
        onClose={() => setFreezing(false)}
        onFrozen={setFrozen}
        onFilterOff={narrowsData(filter) ? () => setFilter({}) : undefined}
      />
    </div>
  );
}

function About(props: { rows: readonly DataRow[]; all: readonly DataRow[]; uncounted: number }): ReactNode {
  const { rows, all, uncounted } = props;
  const tasks = new Set(rows.map(({ task }) => task)).size;
  const recordings =
    rows.length === all.length
      ? tr('{all, plural, one {# recording} other {# recordings}}', { all: all.length })
      : tr('{shown, number} of {all, plural, one {# recording} other {# recordings}}', {
          shown: rows.length,
          all: all.length,
        });
  return (
    <span role="status">
      {tr(
        '{recordings} of {tasks, plural, one {# task} other {# tasks}}{uncounted, plural, =0 {} one {; # recording still being counted} other {; # recordings still being counted}}',
        { recordings, tasks, uncounted },
      )}
    </span>
  );
}
