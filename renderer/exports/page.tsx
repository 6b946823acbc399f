import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowLeft, IconPackageExport, IconPackageImport } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { DatasetSource, ExportFormat, ExportWishes } from '../../schemas/api/datasets.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { askerOf, queries } from '../client/queries.ts';
import { filterOfParts, partsOfFilter } from '../datasets/address.ts';
import { describeFilter, narrowsData } from '../datasets/filter.ts';
import { datasetQueries, useJob, useSoftwareNames } from '../datasets/queries.ts';
import { useDatasetView } from '../datasets/store.ts';
import { isActive } from '../jobs/jobs.ts';
import { JobRow } from '../jobs/tray.tsx';
import { tr } from '../language/tr.ts';
import { listPart, valuesOfPart } from '../ui/address.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { useAddress } from '../ui/use-address.ts';
import { useProposal } from '../ui/use-proposal.ts';
import { ImportArchiveDialog, MakeArchiveDialog } from './archive-dialogs.tsx';
import { PastArchives } from './archives.tsx';
import { FormatList } from './formats.tsx';
import { faultOf, type Picked, wishedFormats } from './left-out.ts';
import classes from './page.module.css';
import { PastExports, WhereItIs } from './past.tsx';
import { PreviewPanel } from './preview.tsx';
import { readPreview } from './read-preview.ts';
import { SourceChoice } from './source.tsx';

/** The choice for people who never exported: the benchmark's own form. */
const FIRST_FORMAT = 'videogui';
const NONE: readonly ExportFormat[] = [];

/** Writes the data set for others: what, from where, what will be missing and why, and where it went. */
export function ExportPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const cache = useQueryClient();
  const names = useSoftwareNames(ws);
  const { filter, setFilter } = useDatasetView(ws);
  const formats = useQuery(datasetQueries.formats());
  const versions = useQuery(datasetQueries.versions(ws)).data?.versions ?? [];
  const suggested = useQuery({
    queryKey: [...datasetQueries.all(ws), 'suggest'],
    queryFn: ({ signal }) => client.exports.suggest({ ws }, { signal }),
  });
  const list = formats.data ?? NONE;
  const first = list.find(({ name }) => name === FIRST_FORMAT) ?? list[0];
  const [chosen, setChosen] = useState<Picked | null>(null);
  const [named, setNamed] = useState<readonly string[]>([]);
  const known = list.filter(({ name }) => named.includes(name));
  const asFirst = known.length > 0 ? known : first ? [first] : [];
  const picked: Picked = chosen ?? Object.fromEntries(asFirst.map((format) => [format.name, defaultsOf(format)]));
  const [version, setVersion] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const [every, setEvery] = useState(false);
  const [proven, setProven] = useState(false);
  const [out, setOut] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'make' | 'take' | null>(null);
  const [sharing, setSharing] = useState<string | null>(null);
  const share = (): void => {
    setSharing(version);
    setDialog('make');
  };
  const pickedNames = chosen === null ? named : Object.keys(chosen);
  useAddress(
    {
      ...partsOfFilter(filter),
      version,
      formats: listPart(pickedNames),
      unapproved: all ? 'yes' : null,
      every: every ? 'yes' : null,
      proven: proven ? 'yes' : null,
      share: dialog === 'make' ? (sharing ?? '') : null,
    },
    (parts) => {
      setFilter(filterOfParts(parts));
      setVersion(parts.version ?? null);
      setChosen(null);
      setNamed(valuesOfPart(parts.formats ?? '').filter((name) => name !== null));
      setAll(parts.unapproved === 'yes');
      setEvery(parts.every === 'yes');
      setProven(parts.proven === 'yes');
      if (parts.share !== null && parts.share !== undefined) {
        setSharing(parts.share === '' ? null : parts.share);
        setDialog('make');
      }
    },
  );
  const folder = useRef<HTMLInputElement>(null);
  useProposal(folder, suggested.data?.out, out !== null);
  const target = (out ?? suggested.data?.out ?? '').trim();
  const source: DatasetSource = version === null ? { kind: 'filter', filter } : { kind: 'version', name: version };
  const fault = formats.data ? faultOf(picked, list) : null;
  const wishes: ExportWishes = {
    formats: wishedFormats(picked, list),
    source,
    all,
    ...(every && { recordings: 'every' }),
    ...(proven && { proof: ['proven'] }),
  };
  const [asked] = useDebouncedValue(JSON.stringify(wishes), 300);
  const preview = useQuery({
    queryKey: [...datasetQueries.all(ws), 'preview', asked],
    // The wishes were put together above and only travelled as text.
    queryFn: ({ signal }) => readPreview(ws, { wishes: JSON.parse(asked) as ExportWishes, ...askerOf(ws) }, signal),
    // The first question would be asked before the list of formats came: without one there is nothing to preview.
    enabled: formats.data !== undefined && fault === null && asked === JSON.stringify(wishes),
    placeholderData: keepPreviousData,
  });
  const start = useMutation({
    mutationFn: (to: string) => client.exports.start({ ws, wishes, out: to }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const job = useJob(ws, start.data);
  const busy = start.isPending || (job !== undefined && isActive(job));
  const nothing = preview.data?.tasks === 0;
  const ready = formats.data !== undefined && fault === null && target !== '' && !busy && !nothing;
  useHandlers('exports', {
    'exports.start': { run: () => start.mutate(target), enabled: ready },
    'exports.folder': () => folder.current?.select(),
    'exports.archive': share,
    'exports.import': () => setDialog('take'),
    'exports.dataset': () => go(paths.dataset(ws)),
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
    <section className={classes.page} tabIndex={0} aria-label={tr('Export')}>
      <PageHeader
        title={tr('Export')}
        about={tr('Export benchmarks and training data.')}
        actions={
          <>
            <CommandButton variant="default" icon={IconPackageExport} command="exports.archive" onClick={share}>
              {tr('Share as archive …')}
            </CommandButton>
            <CommandButton
              variant="default"
              icon={IconPackageImport}
              command="exports.import"
              onClick={() => setDialog('take')}
            >
              {tr('Import an archive')}
            </CommandButton>
            <CommandButton variant="default" href={paths.dataset(ws)} icon={IconArrowLeft} command="exports.dataset">
              {tr('Data set')}
            </CommandButton>
          </>
        }
      />
      <QueryError of={formats} what={tr('The formats could not be read.')} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <section aria-labelledby="source">
            <h2 className={classes.heading} id="source">
              {tr('What')}
            </h2>
            <SourceChoice
              label={tr('What is exported')}
              whole={{
                label: tr('The data set as it is now'),
                description: narrowsData(filter)
                  ? describeFilter(filter, names).join('; ')
                  : tr('Everything: nothing is filtered.'),
              }}
              frozen={{
                description: tr('Byte for byte the same each time it is exported.'),
                none: tr('None yet: freeze one on the data set’s page, and its export is the same every time.'),
              }}
              versions={versions.map(({ name }) => name)}
              version={version}
              onChange={setVersion}
            />
            <Checkbox
              mt={12}
              size="xs"
              label={tr('Include unapproved recordings')}
              description={tr(
                'For a look at work in progress; what is not approved has not been checked by a second person.',
              )}
              checked={all}
              onChange={(event) => setAll(event.currentTarget.checked)}
            />
            <Checkbox
              mt={12}
              size="xs"
              label={tr('Every recording of a task, not one alone')}
              description={tr(
                'Several go out as PPT_15, PPT_15-2, PPT_15-3; else the one whose work is furthest, then the newest.',
              )}
              checked={every}
              onChange={(event) => setEvery(event.currentTarget.checked)}
            />
            <Checkbox
              mt={12}
              size="xs"
              label={tr('Only what is proven by playing')}
              description={tr('Recordings that were played again from the beginning, with checks that can fail.')}
              checked={proven}
              onChange={(event) => setProven(event.currentTarget.checked)}
            />
          </section>
          <section aria-labelledby="formats">
            <h2 className={classes.heading} id="formats">
              {tr('Formats')}
            </h2>
            <FormatList formats={list} picked={picked} onChange={setChosen} />
          </section>
        </div>
        <div className={`${classes.column} ${classes.beside}`}>
          <section aria-labelledby="preview" className={classes.card}>
            <h2 className={classes.heading} id="preview">
              {tr('Contents')}
            </h2>
            {fault !== null ? (
              <Text size="sm" c="dimmed">
                {fault}
              </Text>
            ) : (
              <PreviewPanel
                formats={list}
                preview={preview.data}
                error={preview.error}
                loading={preview.isFetching}
                onRetry={() => void preview.refetch()}
                {...(!all && { onAll: () => setAll(true) })}
              />
            )}
          </section>
          <section aria-labelledby="where" className={classes.card}>
            <h2 className={classes.heading} id="where">
              {tr('Where')}
            </h2>
            <TextInput
              ref={folder}
              label={tr('Folder on this machine')}
              description={
                wishes.formats.length > 1
                  ? tr('Must be a new or empty folder. Each format gets a folder of its own in it.')
                  : tr('Must be a new or empty folder.')
              }
              value={out ?? suggested.data?.out ?? ''}
              onChange={(event) => setOut(event.currentTarget.value)}
              maxLength={4000}
              rightSection={<Kbd command="exports.folder" />}
              rightSectionPointerEvents="none"
            />
            {start.error && <ErrorPanel error={start.error} what={tr('The export did not begin.')} compact />}
            {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
            {job?.state === 'done' && (
              <div role="status" className={classes.written}>
                <span className={classes.good}>{tr('Written to')}</span>
                <WhereItIs folder={start.variables ?? ''} />
              </div>
            )}
            <Group justify="flex-end" mt="sm">
              <CommandButton
                onClick={() => start.mutate(target)}
                disabled={!ready}
                loading={busy}
                command="exports.start"
              >
                {tr('Export')}
              </CommandButton>
            </Group>
          </section>
        </div>
      </div>
      <PastExports ws={ws} formats={list} since={start.data?.createdAt} />
      <PastArchives ws={ws} />
      <MakeArchiveDialog ws={ws} version={sharing} opened={dialog === 'make'} onClose={() => setDialog(null)} />
      <ImportArchiveDialog ws={ws} opened={dialog === 'take'} onClose={() => setDialog(null)} />
    </section>
  );
}

function defaultsOf(format: ExportFormat): Picked[string] {
  return {
    parts: format.defaultParts,
    options: Object.fromEntries(format.options.map((option) => [option.name, option.default])),
  };
}
