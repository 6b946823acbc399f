import { IconSchool, IconVideo } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { TaskInfo } from '../../schemas/api/models.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import type { RecordingActionsState } from '../recordings/actions.tsx';
import { COLUMNS_OF_TASK } from '../recordings/columns.tsx';
import { RecordingsTable } from '../recordings/table.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { EmptyState, QueryError } from '../ui/parts.tsx';
import classes from './page.module.css';
import { RecordButton } from './record-button.tsx';

/** The task's recordings, or the way to the first one. */
export function RecordingsOfTask(props: {
  ws: string;
  task: TaskInfo;
  all: ReturnType<typeof useRecordingsOfTask>;
  at: number;
  actions: RecordingActionsState;
  onChoose: (at: number) => void;
}): ReactNode {
  const { ws, task, all, at, actions, onChoose } = props;
  const [, go] = useLocation();
  const { recordings } = all;
  return (
    <section aria-labelledby="recordings-title" className={classes.section}>
      <h2 id="recordings-title" className={classes.sectionTitle}>
        {tr('Recordings')}{' '}
        <span className={classes.count}>
          {tr('{recordings, plural, one {# recording} other {# recordings}}', { recordings: recordings.length })}
        </span>
        {recordings.length > 0 && (
          <CommandButton
            variant="default"
            size="compact-sm"
            className={classes.skill}
            icon={IconSchool}
            command="task.skill"
            onClick={() => go(paths.skill(ws, task.id, recordings[at]?.id ?? null))}
          >
            {tr('Export as skill')}
          </CommandButton>
        )}
      </h2>
      <QueryError of={all.query} />
      {recordings.length > 0 ? (
        <RecordingsTable
          ws={ws}
          rows={recordings}
          columns={COLUMNS_OF_TASK}
          at={at}
          withTask={false}
          actions={actions}
          onChoose={onChoose}
          onOpen={(id) => go(paths.annotate(ws, id))}
          onReview={(id) => go(paths.review(ws, id))}
        />
      ) : (
        all.query.data && (
          <EmptyState
            icon={<IconVideo size={22} />}
            title={tr('Not recorded yet')}
            actions={<RecordButton ws={ws} task={task.id} />}
          >
            {tr('Record the task on this machine, or import a recording that was made elsewhere.')}
          </EmptyState>
        )
      )}
    </section>
  );
}

export function useRecordingsOfTask(ws: string, task: string) {
  const query = useQuery(queries.recordings(ws));
  const recordings = useMemo(() => (query.data ?? []).filter((row) => row.task === task), [query.data, task]);
  return { query, recordings };
}
