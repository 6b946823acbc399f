import { MultiSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from '../ui/parts.tsx';

/** The people who are to record the task: their studios list it as theirs. With none, anybody may. */
export function RecordersField({ ws, task }: { ws: string; task: TaskInfo }): ReactNode {
  const cache = useQueryClient();
  const people = useQuery(queries.people(ws)).data ?? [];
  const save = useMutation({
    mutationFn: (chosen: string[]) => client.tasks.assign({ ws, task: task.id, people: chosen }),
    onSuccess: (changed) => cache.setQueryData(queries.task(ws, task.id).queryKey, changed),
  });
  if (people.length === 0) return null;
  return (
    <div>
      <MultiSelect
        label={tr('To be recorded by')}
        placeholder={task.recorders === undefined ? tr('anybody') : ''}
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={task.recorders ?? []}
        onChange={(chosen) => save.mutate(chosen)}
        searchable
        clearable
      />
      {save.error && <ErrorPanel error={save.error} compact />}
    </div>
  );
}
