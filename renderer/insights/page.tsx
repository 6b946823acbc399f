import { Loader, Menu, Select } from '@mantine/core';
import { IconChartDots, IconDownload, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Dashboard } from '../../schemas/api/review-models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf, queries, useWorkspace } from '../client/queries.ts';
import { type AgreementKind, byAgreement, kindsWithFigures, nameOfPerson } from '../figures/figures.ts';
import { tr, trParts } from '../language/tr.ts';
import { download, downloadName } from '../ui/download.ts';
import { openSelect } from '../ui/fields.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { MenuItems } from '../ui/menu-items.tsx';
import { EmptyState, ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { useAddress } from '../ui/use-address.ts';
import { AgreementByKind, AgreementByPair } from './agreement.tsx';
import classes from './insights.module.css';
import { Judgements } from './judgements.tsx';
import { People } from './people.tsx';
import { Queue, useQueue } from './queue.tsx';
import { Reasons } from './reasons.tsx';
import { States } from './states.tsx';

/**
 * Others work meanwhile. Figures that have not changed cost the studio nothing: figures are kept by the documents' versions.
 */
const REFRESH_MS = 30_000;

const TABLES = ['recordings', 'people', 'pairs', 'software'] as const;

/** How far the work on a data set is, who does it, and how well people agree. */
export function InsightsPage({ ws }: { ws: string }): ReactNode {
  const [software, setSoftware] = useState<string | null>(null);
  useAddress({ software }, (parts) => setSoftware(parts.software ?? null));
  const known = useQuery(queries.software(ws)).data ?? [];
  const all = useQuery({
    ...queries.insights(ws, software),
    refetchInterval: REFRESH_MS,
    placeholderData: (old) => old,
  });
  const name = known.find((one) => one.id === software)?.name ?? null;
  const about = all.data ? aboutOf(all.data) : tr('Counting …');
  const recorded = all.data ? total(all.data) : null;
  return (
    <div className={classes.page}>
      <PageHeader
        title={tr('Insights')}
        about={about}
        actions={<Tools ws={ws} software={software} name={name} data={all.data ?? null} onSoftware={setSoftware} />}
      />
      <QueryError of={all} what={tr('The figures could not be made.')} />
      {all.isPending && <Loader size="sm" aria-label={tr('Counting')} role="status" className={classes.loading} />}
      {recorded === 0 && (
        <EmptyState
          icon={<IconChartDots size={22} />}
          title={name === null ? tr('Nothing to count yet') : tr('No recordings in {name} yet', { name })}
          actions={
            <CommandButton href={paths.library(ws)} command="app.library">
              {tr('Go to the library')}
            </CommandButton>
          }
        >
          {tr(
            'Figures appear with the first recording. Open a task in the library and press Record, or import a recording.',
          )}
        </EmptyState>
      )}
      {all.data && recorded !== 0 && <Figures ws={ws} data={all.data} />}
    </div>
  );
}

const total = (data: Dashboard): number => Object.values(data.states).reduce((sum, n) => sum + n, 0);

function aboutOf(data: Dashboard): string {
  const compared = data.recordings.length;
  const people = data.people.filter(({ begun, reviewed }) => begun > 0 || reviewed > 0).length;
  const parts = [
    tr('{recordings, plural, one {# recording} other {# recordings}}', { recordings: total(data) }),
    tr('{people, plural, one {# person} other {# people}} at work', { people }),
  ];
  return tr('{parts}, {compared, number} annotated by two or more', { parts: parts.join(', '), compared });
}

function Figures({ ws, data }: { ws: string; data: Dashboard }): ReactNode {
  const [, go] = useLocation();
  const [wanted, setKind] = useState<AgreementKind>('overall');
  const select = useRef<HTMLInputElement>(null);
  const kinds = useMemo(
    () => kindsWithFigures([...data.pairs, ...data.recordings].map(({ agreement }) => agreement)),
    [data],
  );
  const kind = kinds.includes(wanted) ? wanted : 'overall';
  const rows = useMemo(() => byAgreement(data.recordings, kind), [data.recordings, kind]);
  const pairs = useMemo(() => byAgreement(data.pairs, kind), [data.pairs, kind]);
  const queue = useQueue(rows.length);
  const chosen = rows[queue.at];
  useHandlers('insights', {
    'insights.kind': { run: () => openSelect(select.current), enabled: rows.length > 0 },
    'insights.down': () => queue.by(1),
    'insights.up': () => queue.by(-1),
    'insights.open': {
      run: () => chosen && go(paths.compare(ws, chosen.recording)),
      enabled: chosen !== undefined,
    },
  });
  const choose = (
    <Select
      ref={select}
      label={
        <>
          {tr('Agreement of')} <Kbd command="insights.kind" />
        </>
      }
      aria-label={tr('Agreement of')}
      w={250}
      data={kinds.map((value) => ({ value, label: nameOfPerson(value) }))}
      value={kind}
      allowDeselect={false}
      comboboxProps={{ position: 'bottom-end' }}
      onChange={(value) => setKind(kinds.find((one) => one === value) ?? 'overall')}
    />
  );
  return (
    <>
      <States data={data} />
      {rows.length === 0 ? (
        <section className={classes.section} aria-label={tr('Agreement')}>
          <h2 className={classes.heading}>{tr('Agreement')}</h2>
          <p className={classes.nothing}>
            {trParts(
              'Agreement needs two people who annotated the same recording without seeing each other. Set how many in the rules of <link>My work</link> (blind replicas: 2); figures appear when both have submitted.',
              {
                link: (inside) => (
                  <Link href={paths.work(ws)} className={classes.inText}>
                    {inside}
                  </Link>
                ),
              },
            )}
          </p>
        </section>
      ) : (
        <>
          <AgreementByKind agreement={data.agreement} recordings={rows.length} />
          <div className={classes.by}>{choose}</div>
          <AgreementByPair pairs={pairs} people={data.people} kind={kind} />
          <Queue ws={ws} rows={rows} kind={kind} queue={queue} software={data.software} />
        </>
      )}
      <Judgements judgements={data.judgements} people={data.people} />
      <People people={data.people} work={paths.work(ws)} />
      <Reasons reasons={data.reasons} reviewed={data.people.reduce((sum, { reviewed }) => sum + reviewed, 0)} />
    </>
  );
}

/** Which software, and the figures as files. */
function Tools(props: {
  ws: string;
  software: string | null;
  name: string | null;
  data: Dashboard | null;
  onSoftware: (software: string | null) => void;
}): ReactNode {
  const { ws, software, name, data, onSoftware } = props;
  const [exporting, setExporting] = useState(false);
  const select = useRef<HTMLInputElement>(null);
  const known = useQuery(queries.software(ws)).data ?? [];
  const all = useQuery(queries.insights(ws, software));
  const workspace = useWorkspace(ws)?.name ?? 'workspace';
  const csv = useMutation({
    mutationFn: async (table: (typeof TABLES)[number]) => {
      const text = await client.review.dashboardCsv({
        ws,
        table,
        ...askerOf(ws),
        ...(software !== null && { software }),
      });
      download(downloadName(`${workspace} ${table}`, name, new Date(), 'csv'), 'text/csv', text);
    },
  });
  const json = (): void => {
    if (data) {
      const text = `${JSON.stringify(data, null, 2)}\n`;
      download(downloadName(`${workspace} insights`, name, new Date(), 'json'), 'application/json', text);
    }
  };
  useHandlers('insights', {
    'insights.software': () => openSelect(select.current),
    'insights.export': { run: () => setExporting(true), enabled: data !== null },
    'insights.refresh': () => void all.refetch(),
  });
  return (
    <>
      {csv.error && <ErrorPanel error={csv.error} what={tr('The table was not exported.')} compact />}
      <Select
        ref={select}
        aria-label={tr('Software')}
        w={190}
        data={[{ value: '', label: tr('All software') }, ...known.map(({ id, name }) => ({ value: id, label: name }))]}
        value={software ?? ''}
        allowDeselect={false}
        searchable
        rightSection={<Kbd command="insights.software" />}
        rightSectionPointerEvents="none"
        onChange={(value) => onSoftware(value || null)}
      />
      <CommandButton
        variant="default"
        loading={all.isFetching && !all.isPending}
        icon={IconRefresh}
        command="insights.refresh"
        onClick={() => void all.refetch()}
      >
        {tr('Refresh')}
      </CommandButton>
      <Menu opened={exporting} onChange={setExporting} position="bottom-end" width={260}>
        <Menu.Target>
          <CommandButton variant="default" disabled={data === null} icon={IconDownload} command="insights.export">
            {tr('Export')}
          </CommandButton>
        </Menu.Target>
        <MenuItems>
          <Menu.Item onClick={json}>{tr('All figures (JSON)')}</Menu.Item>
          <Menu.Divider />
          {TABLES.map((table) => (
            <Menu.Item key={table} onClick={() => csv.mutate(table)}>
              {tr('Table of {table} (CSV)', { table })}
            </Menu.Item>
          ))}
        </MenuItems>
      </Menu>
    </>
  );
}
