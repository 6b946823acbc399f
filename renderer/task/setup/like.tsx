import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import { tr } from '../../language/tr.ts';

/** One of the task's pictures. */
export function Like(props: {
  task: TaskInfo;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
}): ReactNode {
  const names = props.task.attachments.filter(({ mime }) => mime.startsWith('image/')).map(({ name }) => name);
  const all = [...new Set(props.value === undefined ? names : [...names, props.value])];
  return (
    <Select
      label={tr('Like a picture of the task')}
      placeholder={tr('none')}
      data={all}
      clearable
      disabled={all.length === 0}
      value={props.value ?? null}
      onChange={(name) => props.onChange(name ?? undefined)}
    />
  );
}
