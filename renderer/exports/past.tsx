import { Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconFolderOpen } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ExportFormat, PastExport } from '../../schemas/api/datasets.ts';
import { isActive } from '../../schemas/api/job-state.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { datasetQueries, useJob } from '../datasets/queries.ts';
import { desktop } from '../desktop/bridge.ts';
import { JobRow } from '../jobs/tray.tsx';
import { tr } from '../language/tr.ts';
import { ErrorPanel, QueryError, TableHead, Time } from '../ui/parts.tsx';
import { countsInWords } from './counts.ts';
import classes from './page.module.css';

/** A folder or file, and the ways to get there: its path to take along, in the desktop app the folder itself. */
export function WhereItIs({ folder, kind = 'folder' }: { folder: string; kind?: 'folder' | 'file' }): ReactNode {
  return (
    <Group gap={8} wrap="nowrap" className={classes.where}>
      <Code className={classes.path}>{folder}</Code>
      <CopyButton value={folder}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size="compact-xs"
            leftSection={copied ? <IconCheck size={13} aria-hidden /> : <IconCopy size={13} aria-hidden />}
            onClick={copy}
            aria-label={copied ? tr('The path is copied') : tr('Copy the path {folder}', { folder })}
          >
            {copied ? tr('Copied') : tr('Copy')}
          </Button>
        )}
      </CopyButton>
      {desktop !== null && kind === 'folder' && <OpenFolder folder={folder} />}
    </Group>
  );
}

/** Shows it in the system's file manager, where there is a desktop app to ask. */
function OpenFolder({ folder }: { folder: string }): ReactNode {
  const open = useMutation({ mutationFn: async () => desktop?.openFolder(folder) });
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconFolderOpen size={13} aria-hidden />}
        onClick={() => open.mutate()}
        aria-label={tr('Open the folder {folder}', { folder })}
      >
        {tr('Open')}
      </Button>
      {open.error && (
        <span role="alert" className={classes.warn}>
          {tr('It could not be opened: is it still there?')}
        </span>
      )}
    </>
  );
}

/** Exports that were made: where they are, and whether they still are what was written. */
export function PastExports(props: {
  ws: string;
  formats: readonly ExportFormat[];
  /** What was written from then on is checked by itself. */
  since?: string | undefined;
}): ReactNode {
  const { ws, formats, since } = props;
  const list = useQuery(datasetQueries.exports(ws));
  return (
    <section aria-labelledby="past">
      <h2 className={classes.heading} id="past">
        {tr('Past exports')}
      </h2>
      <QueryError of={list} what={tr('Past exports could not be read.')} />
      {list.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {tr('None yet. They are listed here with their folder, and can be read back and checked.')}
        </Text>
      )}
      {list.data && list.data.length > 0 && (
        <table className={classes.plain}>
          <caption className="visually-hidden">{tr('Past exports, the newest first')}</caption>
          <TableHead columns={[tr('Format'), tr('Created'), tr('Source'), tr('Rows'), tr('Folder'), tr('Checked')]} />
          <tbody>
            {list.data.map((one) => (
              <PastLine
                key={one.id}
                ws={ws}
                one={one}
                fresh={since !== undefined && one.createdAt >= since}
                title={formats.find(({ name }) => name === one.format)?.title ?? one.format}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function PastLine(props: { ws: string; one: PastExport; title: string; fresh: boolean }): ReactNode {
  const { ws, one, title, fresh } = props;
  const cache = useQueryClient();
  const validate = useMutation({
    mutationFn: () => client.exports.validate({ ws, export: one.id }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.jobs(ws).queryKey }),
  });
  const { mutate } = validate;
  const checked = useRef(false);
  const unchecked = fresh && one.exists && one.validation === null;
  useEffect(() => {
    if (!unchecked || checked.current) return;
    checked.current = true;
    mutate();
  }, [unchecked, mutate]);
  const job = useJob(ws, validate.data);
  const busy = validate.isPending || (job !== undefined && isActive(job));
  return (
    <tr>
      <td>{title}</td>
      <td className={classes.word}>
        <Time iso={one.createdAt} />
      </td>
      <td>{one.version ?? <span className={classes.quiet}>{tr('not frozen')}</span>}</td>
      <td>{countsInWords(one.counts)}</td>
      <td>
        {one.exists ? <WhereItIs folder={one.folder} /> : <Code className={classes.path}>{one.folder}</Code>}
        {!one.exists && <span className={classes.warn}>{tr('The folder is gone.')}</span>}
      </td>
      <td>
        <Group gap={8}>
          <Verdict one={one} />
          <Button
            variant="default"
            size="compact-xs"
            disabled={!one.exists}
            loading={busy}
            onClick={() => validate.mutate()}
            aria-label={tr('Validate {title} in {folder}', { title, folder: one.folder })}
          >
            {tr('Validate')}
          </Button>
        </Group>
        {validate.error && <ErrorPanel error={validate.error} compact />}
        {job && job.state !== 'done' && <JobRow ws={ws} job={job} />}
        {one.validation && one.validation.problems.length > 0 && (
          <details className={classes.reason}>
            <summary>{tr('What is wrong')}</summary>
            <ul className={classes.problems}>
              {one.validation.problems.map(({ code, file, where, message }) => (
                <li key={`${code} ${file} ${where} ${message}`}>
                  <Code>{[file, where].filter(Boolean).join(' ')}</Code> {message}
                </li>
              ))}
            </ul>
            {one.validation.count > one.validation.problems.length && (
              <p>
                {tr('and {problems, plural, one {# more problem} other {# more problems}}', {
                  problems: one.validation.count - one.validation.problems.length,
                })}
              </p>
            )}
          </details>
        )}
      </td>
    </tr>
  );
}

function Verdict({ one: { validation } }: { one: PastExport }): ReactNode {
  if (validation === null) return <span className={classes.quiet}>{tr('not yet')}</span>;
  return (
    <span role="status" className={validation.ok ? classes.good : classes.bad}>
      {validation.ok ? <IconCheck size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}{' '}
      {validation.ok
        ? tr('valid')
        : tr('{count, plural, one {# problem} other {# problems}}', { count: validation.count })}
      , <Time iso={validation.at} />
    </span>
  );
}
