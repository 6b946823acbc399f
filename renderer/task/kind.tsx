import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from '../ui/parts.tsx';

type Kind = TaskInfo['kind'];

const KINDS: { value: Kind; label: string }[] = [
  { value: 'full', label: tr('Full: a plan of subtasks') },
  { value: 'simple', label: tr('Simple: one subtask, no plan') },
];

/** Whether the task has a high-level plan (videogui.txt 3.1). */
export function KindField({ kind, onSave }: { kind: Kind; onSave: (kind: Kind) => Promise<void> }): ReactNode {
  const save = useMutation({ mutationFn: onSave });
  return (
    <div>
      <Select
        label={tr('Kind')}
        data={KINDS}
        value={kind}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = KINDS.find((one) => one.value === value);
          if (chosen && chosen.value !== kind) save.mutate(chosen.value);
        }}
      />
      {save.error && <ErrorPanel error={save.error} compact />}
    </div>
  );
}
