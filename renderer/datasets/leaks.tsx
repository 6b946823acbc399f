import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DatasetFilter, Leak } from '../../schemas/dataset.ts';
import { client, fileUrl } from '../client/api.ts';
import { percent, plural } from '../ui/format.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import duplicates from './duplicates.module.css';
import classes from './page.module.css';
import { datasetQueries } from './queries.ts';

const MOST = 100;

/** Leaks between two splits: the same task, goals that say the same, screens that look the same. */
export function Leaks({ ws, filter }: { ws: string; filter: DatasetFilter }): ReactNode {
  const answer = useQuery({
    queryKey: [...datasetQueries.all(ws), 'leaks', filter],
    queryFn: ({ signal }) => client.dataset.leaks({ ws, filter, goals: 0.8, screens: 6 }, { signal }),
  });
  if (answer.error) {
    return (
      <ErrorPanel error={answer.error} what="Leakage could not be checked." onRetry={() => void answer.refetch()} />
    );
  }
  if (!answer.data) {
    return (
      <Text size="sm" role="status">
        <Loader size={14} mr={8} /> Comparing goals and screens across splits …
      </Text>
    );
  }
  const { leaks, screensUnseen } = answer.data;
  return (
    <section aria-label="Leakage">
      <Text size="sm" fw={500} role="status" className={leaks.length === 0 ? classes.good : classes.warn}>
        {leaks.length === 0 ? 'No leakage found.' : `${plural(leaks.length, 'leak')} between splits.`}
      </Text>
      {screensUnseen > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          The screens of {plural(screensUnseen, 'recording')} were not looked at: search for near duplicates to include
          them.
        </Text>
      )}
      {leaks.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
        <ul className={classes.list} tabIndex={0} aria-label="Leaks">
          {leaks.slice(0, MOST).map((leak, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is an answer as a whole and is never edited
            <li key={i} className={classes.leak}>
              <LeakWords ws={ws} leak={leak} />
            </li>
          ))}
          {leaks.length > MOST && <li className={classes.leak}>and {plural(leaks.length - MOST, 'more leak')}.</li>}
        </ul>
      )}
    </section>
  );
}

function LeakWords({ ws, leak }: { ws: string; leak: Leak }): ReactNode {
  if (leak.kind === 'task') {
    return (
      <>
        <strong>{leak.task}</strong> is in {leak.splits.join(' and ')}: {leak.recordings.join(', ')}.
      </>
    );
  }
  if (leak.kind === 'goal') {
    return (
      <>
        <strong>{leak.tasks[0]}</strong> ({leak.splits[0]}) and <strong>{leak.tasks[1]}</strong> ({leak.splits[1]}) ask
        for nearly the same ({percent(leak.similarity)}): “{leak.goals[0].slice(0, 300)}” and “
        {leak.goals[1].slice(0, 300)}”.
      </>
    );
  }
  return (
    <>
      <strong>{leak.screens[0].task}</strong> ({leak.splits[0]}) and <strong>{leak.screens[1].task}</strong> (
      {leak.splits[1]}) show nearly the same screen, in {plural(leak.pairs, 'pair')}.
      <span className={duplicates.pair}>
        {leak.screens.map((screen) => (
          <img
            key={`${screen.recording} ${screen.action}`}
            className={duplicates.small}
            src={fileUrl.frame(ws, screen.recording, screen.frame)}
            alt={`Screen before a step of ${screen.task}`}
            loading="lazy"
          />
        ))}
      </span>
    </>
  );
}
