import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DatasetFilter, Leak } from '../../schemas/dataset.ts';
import { client, fileUrl } from '../client/api.ts';
import { listed, tr, trParts } from '../language/tr.ts';
import { percent } from '../ui/format.ts';
import { QueryError } from '../ui/parts.tsx';
import duplicates from './duplicates.module.css';
import classes from './page.module.css';
import { datasetQueries } from './queries.ts';

const MOST = 100;
/** The sentence about one template. */
const MOST_TASKS = 20;

/** Leaks between two splits: the same task, goals that say the same, screens that look the same. */
export function Leaks({ ws, filter }: { ws: string; filter: DatasetFilter }): ReactNode {
  const answer = useQuery({
    queryKey: [...datasetQueries.all(ws), 'leaks', filter],
    queryFn: ({ signal }) => client.dataset.leaks({ ws, filter, goals: 0.8, screens: 6 }, { signal }),
  });
  if (answer.error) {
    return <QueryError of={answer} what={tr('Leakage could not be checked.')} />;
  }
  if (!answer.data) {
    return (
      <Text size="sm" role="status">
        <Loader size={14} mr={8} /> {tr('Comparing goals and screens across splits …')}
      </Text>
    );
  }
  const { leaks, screensUnseen } = answer.data;
  return (
    <section aria-label={tr('Leakage')}>
      <Text size="sm" fw={500} role="status" className={leaks.length === 0 ? classes.good : classes.warn}>
        {leaks.length === 0
          ? tr('No leakage found.')
          : tr('{leaks, plural, one {# leak} other {# leaks}} between splits.', { leaks: leaks.length })}
      </Text>
      {screensUnseen > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {tr(
            'The screens of {screensUnseen, plural, one {# recording} other {# recordings}} were not looked at: search for near duplicates to include them.',
            { screensUnseen },
          )}
        </Text>
      )}
      {leaks.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by key
        <ul className={classes.list} tabIndex={0} aria-label={tr('Leaks')}>
          {leaks.slice(0, MOST).map((leak, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is an answer as a whole and is never edited
            <li key={i} className={classes.leak}>
              <LeakWords ws={ws} leak={leak} />
            </li>
          ))}
          {leaks.length > MOST && (
            <li className={classes.leak}>
              {tr('and {leaks, plural, one {# more leak} other {# more leaks}}.', { leaks: leaks.length - MOST })}
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function LeakWords({ ws, leak }: { ws: string; leak: Leak }): ReactNode {
  if (leak.kind === 'task') {
    return (
      <>
        {trParts('{task} is in {splits}: {recordings}.', {
          task: <strong>{leak.task}</strong>,
          splits: listed(leak.splits),
          recordings: leak.recordings.join(', '),
        })}
      </>
    );
  }
  if (leak.kind === 'family') {
    const { templates, splits, tasks } = leak;
    return (
      <>
        {trParts(
          '{template} and its instances are in {splits}: {tasks}. They differ in values alone: put one of these tasks into a split, and the others go along.',
          {
            template: <strong>{listed(templates)}</strong>,
            splits: listed(splits),
            tasks: tasks
              .slice(0, MOST_TASKS)
              .map(({ task, split }) => `${task} (${split})`)
              .join(', '),
          },
        )}
      </>
    );
  }
  if (leak.kind === 'goal') {
    return (
      <>
        {trParts(
          '{taskA} ({splitA}) and {taskB} ({splitB}) ask for nearly the same ({similarity}): “{goalA}” and “{goalB}”.',
          {
            taskA: <strong>{leak.tasks[0]}</strong>,
            splitA: leak.splits[0],
            taskB: <strong>{leak.tasks[1]}</strong>,
            splitB: leak.splits[1],
            similarity: percent(leak.similarity),
            goalA: leak.goals[0].slice(0, 300),
            goalB: leak.goals[1].slice(0, 300),
          },
        )}
      </>
    );
  }
  return (
    <>
      {trParts(
        '{taskA} ({splitA}) and {taskB} ({splitB}) show nearly the same screen, in {pairs, plural, one {# pair} other {# pairs}}.{pictures}',
        {
          taskA: <strong>{leak.screens[0].task}</strong>,
          splitA: leak.splits[0],
          taskB: <strong>{leak.screens[1].task}</strong>,
          splitB: leak.splits[1],
          pairs: leak.pairs,
          pictures: (
            <span className={duplicates.pair}>
              {leak.screens.map((screen) => (
                <img
                  key={`${screen.recording} ${screen.action}`}
                  className={duplicates.small}
                  src={fileUrl.frame(ws, screen.recording, screen.frame)}
                  alt={tr('Screen before a step of {task}', { task: screen.task })}
                  loading="lazy"
                />
              ))}
            </span>
          ),
        },
      )}
    </>
  );
}
