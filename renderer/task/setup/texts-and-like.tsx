import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../../schemas/api/models.ts';
import { LikeFile } from './like.tsx';
import { TextsField } from './texts-field.tsx';

/** How the fields of a whole file begin: texts that it is to have, and the task's file that it is to be like; none is undefined. */
export function TextsAndLike(props: {
  task: TaskInfo;
  label: string;
  texts: string[] | undefined;
  onTexts: (texts: string[] | undefined) => void;
  like: string | undefined;
  onLike: (like: string | undefined) => void;
  /** What says more of the likeness, in the same row. */
  children?: ReactNode;
}): ReactNode {
  return (
    <>
      <TextsField
        label={props.label}
        value={props.texts ?? []}
        onChange={(texts) => props.onTexts(texts.length > 0 ? texts : undefined)}
      />
      <Group gap={8} grow align="flex-end">
        <LikeFile task={props.task} value={props.like} onChange={props.onLike} />
        {props.children}
      </Group>
    </>
  );
}
