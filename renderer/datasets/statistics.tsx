import { Button, Group, Loader, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { DatasetSource } from '../../schemas/api/datasets.ts';
import type { DatasetStatistics } from '../../schemas/dataset.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import { saveText } from '../ui/download.ts';
import { duration, durationInWords } from '../ui/format.ts';
import { EmptyState, QueryError } from '../ui/parts.tsx';
import { useAddress } from '../ui/use-address.ts';
import classes from './page.module.css';
import plots from './plots/figure.module.css';
import { FigureFrame } from './plots/figure.tsx';
import { Bars, Histogram } from './plots/svg.tsx';
import { datasetQueries } from './queries.ts';
import { type Plot, plotsOf } from './statistics-plots.ts';
import { useDatasetView } from './store.ts';

/** The figures that the paper shows, for what is filtered or for a version. */
export function StatisticsView({ ws, filters }: { ws: string; filters: ReactNode }): ReactNode {
  const { filter } = useDatasetView(ws);
  const versions = useQuery(datasetQueries.versions(ws)).data?.versions ?? [];
  const [version, setVersion] = useState('');
  useAddress({ version: version || null }, (parts) => setVersion(parts.version ?? ''));
  const [asked] = useDebouncedValue(filter, 250);
  const source: DatasetSource = version === '' ? { kind: 'filter', filter: asked } : { kind: 'version', name: version };
  const answer = useQuery({ ...datasetQueries.statistics(ws, source), placeholderData: keepPreviousData });
  const data = answer.data;
  const shown = useMemo(() => (data ? plotsOf(data) : []), [data]);
  return (
    <>
      {version === '' && filters}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key */}
      <section className={classes.content} tabIndex={0} aria-label={tr('Statistics')} aria-busy={answer.isFetching}>
        <Group gap={8} align="flex-end">
          {versions.length > 0 && (
            <Select
              label={tr('Statistics of')}
              data={[
                { value: '', label: tr('the data set as it is now') },
                ...versions.map(({ name }) => ({ value: name, label: tr('version {name}', { name }) })),
              ]}
              value={version}
              onChange={(value) => setVersion(value ?? '')}
              allowDeselect={false}
              w={220}
            />
          )}
          {data && (
            <Button
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() =>
                saveText(
                  `statistics${version === '' ? '' : `-${version}`}.json`,
                  'application/json',
                  `${JSON.stringify(data, null, 2)}\n`,
                )
              }
            >
              {tr('All figures as JSON')}
            </Button>
          )}
        </Group>
        <QueryError of={answer} what={tr('The figures could not be made.')} />
        {!data && !answer.error && (
          <Text size="sm" c="dimmed" role="status">
            <Loader size={13} mr={8} /> {tr('Counting …')}
          </Text>
        )}
        {data && data.recordings === 0 && (
          <EmptyState icon={<IconChartBar size={22} />} title={tr('Nothing to count')}>
            {tr('No recordings match the filter.')}
          </EmptyState>
        )}
        {data && data.recordings > 0 && (
          <>
            <Tiles data={data} />
            {data.uncounted > 0 && (
              <Text size="sm" className={classes.warn}>
                {tr(
                  '{uncounted, plural, one {# recording} other {# recordings}} could not be counted; no figure here speaks of them.',
                  { uncounted: data.uncounted },
                )}
              </Text>
            )}
            <div className={plots.grid}>
              {shown.map((plot) => (
                <PlotFigure key={plot.file} plot={plot} />
              ))}
            </div>
          </>
        )}
      </section>
    </>
  );
}

function Tiles({ data }: { data: DatasetStatistics }): ReactNode {
  const tiles: [string, string, string?][] = [
    [tr('Tasks'), data.tasks.toLocaleString(shownLanguage())],
    [tr('Recordings'), data.recordings.toLocaleString(shownLanguage())],
    [tr('Subtasks'), data.subtasks.toLocaleString(shownLanguage())],
    [tr('Actions'), data.actions.toLocaleString(shownLanguage())],
    [tr('Software'), data.software.length.toLocaleString(shownLanguage())],
    [tr('Recording time'), duration(data.seconds * 1e6), durationInWords(data.seconds * 1e6)],
  ];
  return (
    <dl className={plots.tiles}>
      {tiles.map(([name, value, title]) => (
        <div key={name} className={plots.tile}>
          <dt>{name}</dt>
          <dd title={title}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PlotFigure({ plot }: { plot: Plot }): ReactNode {
  const { title, caption, file, table } = plot;
  const label = `${title}. ${caption}`;
  return (
    <FigureFrame title={title} caption={caption} file={file} table={table}>
      {({ svgRef, width }) =>
        plot.kind === 'bars' ? (
          <Bars svgRef={svgRef} width={width} label={label} items={plot.items} />
        ) : (
          <Histogram
            svgRef={svgRef}
            width={width}
            label={label}
            bins={plot.bins}
            median={plot.median}
            medianLabel={plot.medianLabel}
            xLabel={plot.xLabel}
          />
        )
      }
    </FigureFrame>
  );
}
