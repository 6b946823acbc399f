import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ArchiveReport } from '../../schemas/api/archives.ts';
import { datasetQueries } from '../datasets/queries.ts';
import { plural, bytes as sizeText } from '../ui/format.ts';
import { ErrorPanel, Time } from '../ui/parts.tsx';
import classes from './page.module.css';
import { WhereItIs } from './past.tsx';

/** Archives that were made and imported here: what came of each. */
export function PastArchives({ ws }: { ws: string }): ReactNode {
  const list = useQuery(datasetQueries.archives(ws));
  return (
    <section aria-labelledby="archives">
      <h2 className={classes.heading} id="archives">
        Archives
      </h2>
      {list.error && (
        <ErrorPanel error={list.error} what="The archives could not be read." onRetry={() => void list.refetch()} />
      )}
      {list.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. An archive is one file that carries this workspace, or a frozen version of it, to another machine.
        </Text>
      )}
      {list.data && list.data.length > 0 && (
        <table className={classes.plain}>
          <caption className="visually-hidden">Archives, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">When</th>
              <th scope="col">File</th>
              <th scope="col">What came of it</th>
            </tr>
          </thead>
          <tbody>
            {list.data.map((one) => (
              <tr key={`${one.at} ${one.file}`}>
                <td className={classes.word}>{one.kind === 'made' ? 'Made' : 'Imported'}</td>
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
        {stopped ? 'Stopped' : 'Refused'}: {error.message}
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
          <summary>{plural(noteCount, 'note')}</summary>
          <ul className={classes.problems}>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
          {noteCount > notes.length && <p>and {noteCount - notes.length} more</p>}
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
  const frozen = version !== null && !versionKnown ? [`the version ${version}`] : [];
  const some = recordings > 0 || frozen.length === 0 ? [plural(recordings, 'recording')] : [];
  const what = [...some, ...frozen].join(' and ');
  if (kind === 'made') {
    const size = bytes === null ? '' : `, ${sizeText(bytes)}`;
    return [
      `${what}${size}`,
      ...(resumed > 0 ? [`Went on from before: ${sizeText(resumed)} stood there already.`] : []),
    ];
  }
  return [
    `Came: ${recordings === 0 && frozen.length === 0 ? 'nothing new' : what}`,
    ...(known > 0 ? [`Skipped: ${plural(known, 'recording')} that ${known === 1 ? 'was' : 'were'} here already`] : []),
    ...(versionKnown ? [`Skipped: the version ${version}, which was here already`] : []),
    ...(resumed > 0 ? [`Went on from before: ${sizeText(resumed)} had come already.`] : []),
  ];
}
