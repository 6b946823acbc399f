import { ActionIcon, Anchor, Button } from '@mantine/core';
import { IconDownload, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import type { Attachment, TaskInfo } from '../../schemas/api/models.ts';
import { client, fileUrl } from '../client/api.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { bytes } from '../ui/format.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { Clamp, ErrorPanel, ProgressWithStop } from '../ui/parts.tsx';
import classes from './page.module.css';
import { type Upload, upload } from './upload.ts';

type Role = Attachment['role'];
const ROLES: { role: Role; name: string; about: string; accept?: string }[] = [
  {
    role: 'query-start',
    name: tr('Visual query: start'),
    about: tr('Screenshot or video of the starting state'),
    accept: 'image/*,video/*',
  },
  {
    role: 'query-end',
    name: tr('Visual query: end'),
    about: tr('Image or video of how it should end'),
    accept: 'image/*,video/*',
  },
  { role: 'material', name: tr('Material'), about: tr('Pictures, clips and other files to work with') },
  { role: 'project', name: tr('Project files'), about: tr('What is opened at the start') },
  { role: 'result', name: tr('Result files'), about: tr('Files produced by the task') },
  {
    role: 'source-video',
    name: tr('Source video file'),
    about: tr('The video the task was taken from'),
    accept: 'video/*',
  },
  {
    role: 'transcript',
    name: tr('Transcript'),
    about: tr('Of the source video: .vtt, .srt or text'),
    accept: '.vtt,.srt,.txt,text/*',
  },
  {
    role: 'recipe',
    name: tr('Recipe'),
    about: tr('How the task is set up to be played: .json'),
    accept: '.json,application/json',
  },
  {
    role: 'checks',
    name: tr('Checks'),
    about: tr('When the task counts as done: .json'),
    accept: '.json,application/json',
  },
];

type Running = { id: number; role: Role; name: string; share: number; upload: Upload; error: unknown };
let lastId = 0;

/** The task's files by what they are for: dropped on their place, or picked; each is copied into the workspace. */
export function Attachments({ ws, task }: { ws: string; task: TaskInfo }): ReactNode {
  const cache = useQueryClient();
  const [running, setRunning] = useState<Running[]>([]);
  const [removing, setRemoving] = useState<Attachment | null>(null);
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: queries.task(ws, task.id).queryKey });
  const remove = useMutation({
    mutationFn: (attachment: string) => client.tasks.detach({ ws, attachment }),
    onSuccess: async () => {
      setRemoving(null);
      await refresh();
    },
  });
  const patch = (id: number, change: Partial<Running>): void =>
    setRunning((list) => list.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const drop = (id: number): void => setRunning((list) => list.filter((one) => one.id !== id));
  const send = (role: Role, files: Iterable<File>): void => {
    for (const file of files) {
      const id = ++lastId;
      const started = upload(ws, task.id, role, file, (share) => patch(id, { share }));
      setRunning((list) => [...list, { id, role, name: file.name, share: 0, upload: started, error: null }]);
      started.done.then(
        async () => {
          await refresh();
          drop(id);
        },
        (error) => patch(id, { error }),
      );
    }
  };
  return (
    <section aria-labelledby="attachments-title">
      <h2 id="attachments-title" className={classes.sectionTitle} style={{ marginBottom: 8 }}>
        {tr('Attachments')}
      </h2>
      {ROLES.map((one) => (
        <RolePlace
          key={one.role}
          {...one}
          ws={ws}
          files={task.attachments.filter((file) => file.role === one.role)}
          running={running.filter((item) => item.role === one.role)}
          onFiles={(files) => send(one.role, files)}
          onDismiss={drop}
          onRemove={setRemoving}
        />
      ))}
      <ConfirmDialog
        opened={removing !== null}
        title={tr('Remove the attachment?')}
        confirm={tr('Remove')}
        dangerous
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => removing && remove.mutate(removing.id)}
        onCancel={() => setRemoving(null)}
      >
        {tr('{name} is removed from the workspace. The file it was copied from stays where it is.', {
          name: removing?.name,
        })}
      </ConfirmDialog>
    </section>
  );
}

function RolePlace(props: {
  ws: string;
  role: Role;
  name: string;
  about: string;
  accept?: string;
  files: readonly Attachment[];
  running: readonly Running[];
  onFiles: (files: Iterable<File>) => void;
  onDismiss: (id: number) => void;
  onRemove: (attachment: Attachment) => void;
}): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const onDrag = (event: DragEvent, inside: boolean): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(inside);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the pointer's way; the button beside is the keyboard's
    <div
      className={classes.role}
      data-over={over}
      onDragOver={(event) => onDrag(event, true)}
      onDragLeave={(event) => onDrag(event, false)}
      onDrop={(event) => {
        onDrag(event, false);
        props.onFiles(event.dataTransfer.files);
      }}
    >
      <div className={classes.roleHead}>
        <div style={{ flex: 1, minWidth: 0 }}>
          <h3 className={classes.roleName}>{props.name}</h3>
          <p className={classes.roleAbout}>{props.about}</p>
        </div>
        <Button
          variant="default"
          size="compact-xs"
          data-attach={props.role}
          leftSection={<IconPlus size={13} aria-hidden />}
          rightSection={props.role === 'material' ? <Kbd command="task.attach" /> : undefined}
          onClick={() => picker.current?.click()}
        >
          {tr('Add')}
          <span className="visually-hidden"> {tr('file: {name}', { name: props.name })}</span>
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={tr('File: {name}', { name: props.name })}
          accept={props.accept}
          onChange={(event) => {
            props.onFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      <ul className={classes.files}>
        {props.files.map((file) => (
          <FileLine key={file.id} ws={props.ws} file={file} onRemove={() => props.onRemove(file)} />
        ))}
        {props.running.map(({ id, name, share, upload: started, error }) => (
          <li key={id} className={classes.file}>
            <div className={classes.upload}>
              {error ? (
                <ErrorPanel error={error} what={name} compact onRetry={() => props.onDismiss(id)} />
              ) : (
                <ProgressWithStop what={name} value={share} onStop={started.stop} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function FileLine({ ws, file, onRemove }: { ws: string; file: Attachment; onRemove: () => void }): ReactNode {
  const url = fileUrl.attachment(ws, file.id);
  return (
    <li className={classes.file}>
      <span className={classes.fileName}>
        <Clamp>{file.name}</Clamp>
      </span>
      <span className={classes.fileBytes}>{bytes(file.bytes)}</span>
      <ActionIcon
        component="a"
        href={url}
        download={file.name}
        size="sm"
        aria-label={tr('Download {name}', { name: file.name })}
      >
        <IconDownload size={15} aria-hidden />
      </ActionIcon>
      <ActionIcon size="sm" aria-label={tr('Remove {name}', { name: file.name })} onClick={onRemove}>
        <IconTrash size={15} aria-hidden />
      </ActionIcon>
      {file.mime.startsWith('image/') && (
        <Anchor href={url} target="_blank" rel="noopener noreferrer" style={{ flexBasis: '100%' }}>
          <img
            src={url}
            alt={tr('Preview of {name}', { name: file.name })}
            className={classes.preview}
            loading="lazy"
          />
        </Anchor>
      )}
      {file.mime.startsWith('video/') && (
        // biome-ignore lint/a11y/useMediaCaption: a visual query has no speech; a source video's transcript stands beside
        <video
          src={url}
          controls
          preload="metadata"
          className={classes.preview}
          aria-label={tr('Preview of {name}', { name: file.name })}
        />
      )}
    </li>
  );
}
