import { Anchor, Badge } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconFileImport, IconHandClick, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { TaskInfo } from '../../schemas/api/models.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { ImportDialog } from '../imports/import-dialog.tsx';
import { tr, trParts } from '../language/tr.ts';
import { RecordingActions, useRecordingActions } from '../recordings/actions.tsx';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { ErrorPanel, PageHeader, QueryError, Time } from '../ui/parts.tsx';
import { Attachments } from './attachments.tsx';
import { EditableText } from './editable.tsx';
import classes from './page.module.css';
import { RecordButton } from './record-button.tsx';
import { RecordingsOfTask, useRecordingsOfTask } from './recordings-of-task.tsx';
import { PlayingSetup, type SetupDialog } from './setup/setup.tsx';
import { TaskFields } from './task-fields.tsx';
import { TranscriptView } from './transcript-view.tsx';
import { useTaskWork } from './use-task-work.ts';

/** One task: what is to be done, what belongs to it, and its recordings. Every field is stored as it is written. */
export function TaskPage({ ws, task }: { ws: string; task: string }): ReactNode {
  const found = useQuery(queries.task(ws, task));
  if (found.error && !found.data) {
    return (
      <div className={classes.page}>
        <PageHeader title={task} above={<Back ws={ws} />} />
        <QueryError of={found} what={tr('This task could not be opened.')} />
      </div>
    );
  }
  return found.data ? <Opened ws={ws} task={found.data} /> : null;
}

function Back({ ws }: { ws: string }): ReactNode {
  return (
    <Anchor component={Link} href={paths.library(ws)} size="xs">
      {tr('Library')}
    </Anchor>
  );
}

function Opened({ ws, task }: { ws: string; task: TaskInfo }): ReactNode {
  const [, go] = useLocation();
  const page = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const [importing, setImporting] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [setup, setSetup] = useState<SetupDialog>(null);
  const software = useQuery(queries.software(ws)).data?.find((one) => one.id === task.software);
  const all = useRecordingsOfTask(ws, task.id);
  const { recordings } = all;
  const at = Math.max(0, Math.min(chosen, recordings.length - 1));
  const row = recordings[at];
  const actions = useRecordingActions();

  const hasRecipe = task.attachments.some(({ role }) => role === 'recipe');
  const { save, toggle, remove } = useTaskWork(ws, task);
  const focusField = (name: string): void =>
    page.current?.querySelector<HTMLElement>(`[aria-label="${name}"]`)?.focus();
  useHandlers('task', {
    'task.record': () => go(paths.record(ws, task.id)),
    'task.stage': { run: () => go(paths.stage(ws, task.id)), enabled: hasRecipe },
    'task.annotate': { run: () => row && go(paths.annotate(ws, row.id)), enabled: row !== undefined },
    'task.down': () => setChosen(at + 1),
    'task.up': () => setChosen(Math.max(0, at - 1)),
    'task.import': () => setImporting(true),
    'task.goal': () => focusField(tr('Goal')),
    'task.notes': () => focusField(tr('Notes')),
    'task.attach': () => page.current?.querySelector<HTMLElement>('[data-attach="material"]')?.click(),
    'task.recipe': () => setSetup('recipe'),
    'task.checks': () => setSetup('checks'),
    'task.close': () => toggle.mutate(),
    'task.review': { run: () => row && go(paths.review(ws, row.id)), enabled: row !== undefined },
    'task.play': { run: () => row && go(paths.play(ws, row.id)), enabled: row !== undefined },
    'task.plan': { run: () => row && actions.askPlan(row), enabled: row !== undefined },
    'task.assign': { run: () => row && actions.askAssign([row]), enabled: row !== undefined },
    'task.export': { run: () => row && actions.askExport(row), enabled: row !== undefined },
    'task.skill': { run: () => go(paths.skill(ws, task.id, row?.id ?? null)), enabled: row !== undefined },
    'task.remove': { run: () => row && actions.askRemove([row]), enabled: row !== undefined },
    'task.removeTask': { run: () => setRemoving(true), enabled: task.recordings === 0 },
  });
  const transcripts = task.attachments.filter((one) => one.role === 'transcript');

  return (
    <div className={classes.page} ref={page}>
      <PageHeader
        title={task.id}
        above={<Back ws={ws} />}
        about={
          <span>
            {trParts('{software} · created {when}', {
              software: software?.name ?? task.software,
              when: <Time iso={task.createdAt} />,
            })}{' '}
            {task.state === 'closed' && <Badge color="gray">{tr('closed')}</Badge>}
          </span>
        }
        actions={
          <>
            <CommandButton
              variant="default"
              leftSection={
                task.state === 'open' ? <IconArchive size={15} aria-hidden /> : <IconArchiveOff size={15} aria-hidden />
              }
              command="task.close"
              onClick={() => toggle.mutate()}
              loading={toggle.isPending}
            >
              {task.state === 'open' ? tr('Close task') : tr('Reopen task')}
            </CommandButton>
            <CommandButton
              variant="default"
              icon={IconFileImport}
              command="task.import"
              onClick={() => setImporting(true)}
            >
              {tr('Import')}
            </CommandButton>
            <CommandButton
              variant="default"
              icon={IconHandClick}
              command="task.stage"
              // A link cannot be disabled.
              {...(hasRecipe ? { href: paths.stage(ws, task.id) } : { disabled: true })}
              title={hasRecipe ? undefined : tr('The task has no recipe, so no stage can be set up for it.')}
            >
              {tr('Do it on a stage')}
            </CommandButton>
            <RecordButton ws={ws} task={task.id} />
          </>
        }
      />
      {toggle.error && <ErrorPanel error={toggle.error} compact />}
      <div className={classes.columns}>
        <div className={classes.main}>
          <EditableText
            label={tr('Goal')}
            value={task.goal}
            maxLength={10_000}
            lines
            rows={3}
            placeholder={tr('Describe the goal in full; this is the benchmark’s instruction.')}
            onSave={(goal) => save({ goal })}
          />
          <RecordingsOfTask ws={ws} task={task} all={all} at={at} actions={actions} onChoose={setChosen} />
          {transcripts.map((one) => (
            <TranscriptView key={one.id} ws={ws} attachment={one} />
          ))}
        </div>
        <div className={classes.side}>
          <TaskFields ws={ws} task={task} save={save} />
          <PlayingSetup ws={ws} task={task} opened={setup} onOpen={setSetup} />
          <Attachments ws={ws} task={task} />
          {task.recordings === 0 && (
            <CommandButton
              variant="subtle"
              color="red.8"
              className={classes.removeTask}
              icon={IconTrash}
              command="task.removeTask"
              onClick={() => setRemoving(true)}
            >
              {tr('Remove the task')}
            </CommandButton>
          )}
        </div>
      </div>
      <ImportDialog ws={ws} opened={importing} onClose={() => setImporting(false)} />
      <RecordingActions ws={ws} actions={actions} scope="task" />
      <ConfirmDialog
        opened={removing}
        title={tr('Remove {id}?', { id: task.id })}
        confirm={tr('Remove the task')}
        dangerous
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onCancel={() => setRemoving(false)}
      >
        {tr('The task, its notes and its attachments are removed from this workspace. It has no recordings.')}
      </ConfirmDialog>
    </div>
  );
}
