import { Anchor } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TaskInfo } from '../../schemas/api/models.ts';
import { tr } from '../language/tr.ts';
import { EditableText } from './editable.tsx';
import { KindField } from './kind.tsx';
import { safeLink } from './links.ts';
import classes from './page.module.css';
import { RecordersField } from './recorders.tsx';
import type { TaskChange } from './use-task-work.ts';

type Props = { ws: string; task: TaskInfo; save: (change: TaskChange) => Promise<void> };

/** What is known of the task beside its goal. */
export function TaskFields({ ws, task, save }: Props): ReactNode {
  const link = safeLink(task.sourceUrl);
  return (
    <>
      <EditableText
        label={tr('Platform')}
        value={task.platform}
        maxLength={100}
        placeholder={'Windows 11'}
        onSave={(platform) => save({ platform })}
      />
      <div>
        <EditableText
          label={tr('Source video')}
          value={task.sourceUrl}
          maxLength={2000}
          placeholder={tr('https://…')}
          onSave={(sourceUrl) => save({ sourceUrl })}
        />
        {link !== null && (
          <Anchor href={link} target="_blank" rel="noopener noreferrer" size="xs" className={classes.link}>
            {tr('Open the source')} <IconExternalLink size={12} aria-hidden />
          </Anchor>
        )}
      </div>
      <EditableText
        label={tr('Notes')}
        value={task.notes}
        maxLength={10_000}
        lines
        onSave={(notes) => save({ notes })}
      />
      <EditableText
        label={tr('Answer')}
        description={tr('Where the task asks something: what the answer is.')}
        value={task.answer}
        maxLength={10_000}
        lines
        onSave={(answer) => save({ answer })}
      />
      <RecordersField ws={ws} task={task} />
      <KindField kind={task.kind} onSave={(kind) => save({ kind })} />
    </>
  );
}
