import { Checkbox, Group, Text } from '@mantine/core';
import { IconArrowLeft, IconPackageExport, IconPackageImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ExportFormat } from '../../schemas/api/datasets.ts';
import { paths } from '../client/paths.ts';
import { describeFilter, narrowsData } from '../datasets/filter.ts';
import { datasetQueries, useSoftwareNames } from '../datasets/queries.ts';
import { PathField } from '../desktop/path-field.tsx';
import { JobRow } from '../jobs/tray.tsx';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, PageHeader, QueryError } from '../ui/parts.tsx';
import { ImportArchiveDialog, MakeArchiveDialog } from './archive-dialogs.tsx';
import { PastArchives } from './archives.tsx';
import { FormatList } from './formats.tsx';
import { faultOf } from './left-out.ts';
import classes from './page.module.css';
import { PastExports, WhereItIs } from './past.tsx';
import { PreviewPanel } from './preview.tsx';
import { SourceChoice } from './source.tsx';
import { useExportChoice } from './use-choice.ts';
import { useExport, useExportPreview } from './use-export.ts';

const NONE: readonly ExportFormat[] = [];

/** Writes the data set for others: what, from where, what will be missing and why, and where it went. */
export function ExportPage({ ws }: { ws: string }): ReactNode {
  const [, go] = useLocation();
  const names = useSoftwareNames(ws);
  const formats = useQuery(datasetQueries.formats());
  const versions = useQuery(datasetQueries.versions(ws)).data?.versions ?? [];
  const list = formats.data ?? NONE;
  const choice = useExportChoice(ws, list);
  const { filter, scope, changeScope, picked, wishes, dialog, share, openDialog } = choice;
  const fault = formats.data ? faultOf(picked, list) : null;
  // The first question would be asked before the list of formats came: without one there is nothing to preview.
  const preview = useExportPreview(ws, wishes, formats.data !== undefined && fault === null);
  const folder = useRef<HTMLInputElement>(null);
  const { out, setOut, target, start, job, busy } = useExport(ws, wishes, folder);
  const nothing = preview.data?.tasks === 0;
  const ready = formats.data !== undefined && fault === null && target !== '' && !busy && !nothing;
  useHandlers('exports', {
    'exports.start': { run: () => start.mutate(target), enabled: ready },
    'exports.unapproved': () => changeScope({ all: !scope.all }),
    'exports.folder': () => folder.current?.select(),
    'exports.archive': share,
    'exports.import': () => openDialog('take'),
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
              onClick={() => openDialog('take')}
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
              version={scope.version}
              onChange={(version) => changeScope({ version })}
            />
            <Checkbox
              mt={12}
              size="xs"
              label={
                <>
                  {tr('Include unapproved recordings')} <Kbd command="exports.unapproved" />
                </>
              }
              description={tr(
                'For a look at work in progress; what is not approved has not been checked by a second person.',
              )}
              checked={scope.all}
              onChange={(event) => changeScope({ all: event.currentTarget.checked })}
            />
            <Checkbox
              mt={12}
              size="xs"
              label={tr('Every recording of a task')}
              description={tr(
                'On: all of them, as GIMP_1, GIMP_1-2, GIMP_1-3. Off: the most advanced one of each task, and of equals the newest.',
              )}
              checked={scope.every}
              onChange={(event) => changeScope({ every: event.currentTarget.checked })}
            />
            <Checkbox
              mt={12}
              size="xs"
              label={tr('Only what is proven by playing')}
              description={tr('Recordings that were played again from the beginning, with checks that can fail.')}
              checked={scope.proven}
              onChange={(event) => changeScope({ proven: event.currentTarget.checked })}
            />
          </section>
          <section aria-labelledby="formats">
            <h2 className={classes.heading} id="formats">
              {tr('Formats')}
            </h2>
            <FormatList formats={list} picked={picked} onChange={choice.pick} />
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
                {...(!scope.all && { onAll: () => changeScope({ all: true }) })}
              />
            )}
          </section>
          <section aria-labelledby="where" className={classes.card}>
            <h2 className={classes.heading} id="where">
              {tr('Where')}
            </h2>
            <PathField
              field={folder}
              label={tr('Folder on this machine')}
              description={
                wishes.formats.length > 1
                  ? tr('Must be a new or empty folder. Each format gets a folder of its own in it.')
                  : tr('Must be a new or empty folder.')
              }
              value={out}
              onChange={setOut}
              browse={{ kind: 'folder', writes: 'export' }}
              rightSection={<Kbd command="exports.folder" />}
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
      <MakeArchiveDialog ws={ws} version={choice.sharing} opened={dialog === 'make'} onClose={() => openDialog(null)} />
      <ImportArchiveDialog ws={ws} opened={dialog === 'take'} onClose={() => openDialog(null)} />
    </section>
  );
}
