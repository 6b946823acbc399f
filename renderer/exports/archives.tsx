import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ArchiveReport } from '../../schemas/api/archives.ts';
import { datasetQueries } from '../datasets/queries.ts';
import { tr } from '../language/tr.ts';
import { bytes as sizeText } from '../ui/format.ts';
import { QueryError, TableHead, Time } from '../ui/parts.tsx';
import classes from './page.module.css';
import { WhereItIs } from './past.tsx';

/** Archives that were made and imported here: what came of each. */
export function PastArchives({ ws }: { ws: string }): ReactNode {
  const list = useQuery(datasetQueries.archives(ws));
  return (
    <section aria-labelledby="archives">
      <h2 className={classes.heading} id="archives">
        {tr('Archives')}
      </h2>
      <QueryError of={list} what={tr('The archives could not be read.')} />
      {list.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {tr(
            'None yet. An archive is one file that carries this workspace, or a frozen version of it, to another machine.',
          )}
        </Text>
      )}
      {list.data && list.data.length > 0 && (
        <table className={classes.plain}>
          <caption className="visually-hidden">{tr('Archives, the newest first')}</caption>
          <TableHead columns={[tr('What'), tr('When'), tr('File'), tr('What came of it')]} />
          <tbody>
            {list.data.map((one) => (
              <tr key={`${one.at} ${one.file}`}>
                <td className={classes.word}>{one.kind === 'made' ? tr('Created') : tr('Imported')}</td>
                <td className={classes.word}>
                  <Time iso={one.at} />
                </td>
                <td>
                  <WhereItIs folder={one.file} kind="file" />
                </td>
                <td>
                  <Outcome report={one} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The report of an archive: what came, what was passed over, what was refused and why. */
export function Outcome({ report }: { report: ArchiveReport }): ReactNode {
  const { error, notes, noteCount } = report;
  if (error) {
    const stopped = error.code === 'CANCELLED';
    return (
      <div className={`${classes.outcome} ${stopped ? classes.quiet : classes.bad}`}>
        {stopped ? <IconPlayerPause size={14} aria-hidden /> : <IconAlertTriangle size={14} aria-hidden />}{' '}
        {stopped ? tr('Stopped') : tr('Refused')}: {error.message}
      </div>
    );
  }
  const [first, ...more] = sentences(report);
  return (
    <div>
      <div className={`${classes.outcome} ${classes.good}`}>
        <IconCheck size={14} aria-hidden /> {first}
      </div>
      {more.map((text) => (
        <div key={text}>{text}</div>
      ))}
      {noteCount > 0 && (
        <details className={classes.reason}>
          <summary>{tr('{noteCount, plural, one {# note} other {# notes}}', { noteCount })}</summary>
          <ul className={classes.problems}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
          {noteCount > notes.length && <p>{tr('and {more} more', { more: noteCount - notes.length })}</p>}
        </details>
      )}
    </div>
  );
}

function sentences({
  kind,
  recordings,
  version,
  versionKnown,
  known,
  bytes,
  resumed,
}: ArchiveReport): [string, ...string[]] {
  const what = contents(recordings, versionKnown ? null : version);
  if (kind === 'made') {
    const size = bytes === null ? '' : `, ${sizeText(bytes)}`;
    return [
      `${what}${size}`,
      ...(resumed > 0
        ? [tr('Went on from before: {resumed} stood there already.', { resumed: sizeText(resumed) })]
        : []),
    ];
  }
  return [
    recordings === 0 && (version === null || versionKnown) ? tr('Came: nothing new') : tr('Came: {what}', { what }),
    ...(known > 0
      ? [
          tr(
            'Skipped: {known, plural, one {# recording that was here already} other {# recordings that were here already}}',
            { known },
          ),
        ]
      : []),
    ...(versionKnown ? [tr('Skipped: the version {version}, which was here already', { version })] : []),
    ...(resumed > 0 ? [tr('Went on from before: {resumed} had come already.', { resumed: sizeText(resumed) })] : []),
  ];
}

/** What an archive holds, in words. */
function contents(recordings: number, version: string | null): string {
  if (version === null) return tr('{recordings, plural, one {# recording} other {# recordings}}', { recordings });
  if (recordings === 0) return tr('the version {version}', { version });
  return tr('{recordings, plural, one {# recording} other {# recordings}} and the version {version}', {
    recordings,
    version,
  });
}
