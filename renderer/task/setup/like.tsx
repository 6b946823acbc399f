import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import { tr } from '../../language/tr.ts';

type Props = {
  task: TaskInfo;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
};

/** One of the task's pictures. */
export function Like(props: Props): ReactNode {
  const pictures = props.task.attachments.filter(({ mime }) => mime.startsWith('image/'));
  return <Choose {...props} label={tr('Like a picture of the task')} names={pictures.map(({ name }) => name)} />;
}

/** One of the task's files, of any kind. */
export function LikeFile(props: Props): ReactNode {
  return (
    <Choose {...props} label={tr('Like a file of the task')} names={props.task.attachments.map(({ name }) => name)} />
  );
}

function Choose(props: Props & { label: string; names: string[] }): ReactNode {
  const all = [...new Set(props.value === undefined ? props.names : [...props.names, props.value])];
  return (
    <Select
      label={props.label}
      placeholder={tr('none')}
      data={all}
      clearable
      disabled={all.length === 0}
      value={props.value ?? null}
      onChange={(name) => props.onChange(name ?? undefined)}
    />
  );
}
