import { IconPlayerRecordFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { CommandButton } from '../ui/keys/command-button.tsx';

export function RecordButton({ ws, task }: { ws: string; task: string }): ReactNode {
  return (
    <CommandButton href={paths.record(ws, task)} color="red.8" icon={IconPlayerRecordFilled} command="task.record">
      {tr('Record')}
    </CommandButton>
  );
}
