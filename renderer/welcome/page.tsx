import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import { IconFolder, IconFolderOff, IconFolderOpen, IconFolderPlus, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { WorkspaceInfo } from '../../schemas/api/models.ts';
import { client } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { queries } from '../client/queries.ts';
import { PathField } from '../desktop/path-field.tsx';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { CommandButton } from '../ui/keys/command-button.tsx';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { Clamp, ErrorPanel, QueryError, Time, usePageTitle } from '../ui/parts.tsx';
import { useProposal } from '../ui/use-proposal.ts';
import classes from './page.module.css';

/** Where one begins: the sample, a new data set, a folder, or a workspace that was open before. */
export function WelcomePage(): ReactNode {
  usePageTitle(tr('Trajectory Studio'));
  const [, go] = useLocation();
  const cache = useQueryClient();
  const recent = useQuery(queries.workspaces());
  const [dialog, setDialog] = useState<'new' | 'open' | null>(null);
  const goTo = async (workspace: WorkspaceInfo): Promise<void> => {
    await cache.invalidateQueries({ queryKey: queries.workspaces().queryKey });
    go(paths.library(workspace.id));
  };
  const sample = useMutation({ mutationFn: () => client.workspaces.openSample(), onSuccess: goTo });
  useHandlers('welcome', {
    'welcome.sample': () => !sample.isPending && sample.mutate(),
    'welcome.new': () => setDialog('new'),
    'welcome.folder': () => setDialog('open'),
  });
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <h1 className={classes.title}>{tr('Trajectory Studio')}</h1>
        <p className={classes.about}>
          {tr(
            'Record real work on a desktop, turn it into exact actions with the screen before each, annotate it and export it as benchmarks and training data. Everything stays on this machine.',
          )}
        </p>
        <div className={classes.ways}>
          <button type="button" className={classes.way} onClick={() => sample.mutate()} disabled={sample.isPending}>
            <span className={classes.wayIcon}>
              {sample.isPending ? (
                <Loader size={18} aria-label={tr('Opening the sample')} />
              ) : (
                <IconPlayerPlay size={20} aria-hidden />
              )}
            </span>
            <span className={classes.wayName}>
              {tr('Open the sample')} <Kbd command="welcome.sample" />
            </span>
            <span className={classes.wayText}>
              {tr(
                'A real recording of a dozen steps, ready to annotate. It is copied to your own folder: change what you like.',
              )}
            </span>
          </button>
          <button type="button" className={classes.way} onClick={() => setDialog('new')}>
            <span className={classes.wayIcon}>
              <IconFolderPlus size={20} aria-hidden />
            </span>
            <span className={classes.wayName}>
              {tr('New workspace')} <Kbd command="welcome.new" />
            </span>
            <span className={classes.wayText}>
              {tr(
                'An empty workspace in a folder of your choice, with common applications ready. Record your own tasks.',
              )}
            </span>
          </button>
        </div>
        {sample.error && (
          <ErrorPanel
            error={sample.error}
            what={tr('The sample could not be opened.')}
            onRetry={() => sample.mutate()}
          />
        )}

        <div className={classes.recentHead}>
          <h2 className={classes.recentTitle}>{tr('Workspaces')}</h2>
          <CommandButton
            variant="default"
            icon={IconFolderOpen}
            command="welcome.folder"
            onClick={() => setDialog('open')}
          >
            {tr('Open a folder')}
          </CommandButton>
        </div>
        <QueryError of={recent} what={tr('The list could not be read.')} />
        {recent.data?.length === 0 && (
          <p className={classes.none}>{tr('No workspaces yet. Ones you open will appear here.')}</p>
        )}
        <ul className={classes.list}>
          {recent.data?.map((workspace) => (
            <Recent key={workspace.id} workspace={workspace} />
          ))}
        </ul>
      </div>
      <FolderDialog kind="new" opened={dialog === 'new'} onClose={() => setDialog(null)} onOpened={goTo} />
      <FolderDialog kind="open" opened={dialog === 'open'} onClose={() => setDialog(null)} onOpened={goTo} />
    </div>
  );
}

function Recent({ workspace }: { workspace: WorkspaceInfo }): ReactNode {
  const cache = useQueryClient();
  const forget = useMutation({
    mutationFn: () => client.workspaces.forget({ ws: workspace.id }),
    onSettled: () => cache.invalidateQueries({ queryKey: queries.workspaces().queryKey }),
  });
  const label = tr('Remove {name} from this list; its folder stays', { name: workspace.name });
  const inside = (
    <>
      {workspace.exists ? <IconFolder size={18} aria-hidden /> : <IconFolderOff size={18} aria-hidden />}
      <span className={classes.names}>
        <span className={classes.name}>
          <Clamp>{workspace.name}</Clamp>
        </span>
        <span className={classes.dir}>
          <Clamp>{workspace.exists ? workspace.dir : tr('Not there now: {dir}', { dir: workspace.dir })}</Clamp>
        </span>
      </span>
      <span className={classes.when}>{workspace.openedAt && <Time iso={workspace.openedAt} />}</span>
    </>
  );
  return (
    <li className={classes.item}>
      {workspace.exists ? (
        <Link href={paths.library(workspace.id)} className={classes.open}>
          {inside}
        </Link>
      ) : (
        <div className={classes.open} data-gone="true">
          {inside}
        </div>
      )}
      <Tooltip label={label}>
        <ActionIcon aria-label={label} onClick={() => forget.mutate()} loading={forget.isPending}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {forget.error && <ErrorPanel error={forget.error} compact />}
    </li>
  );
}

type DialogProps = {
  kind: 'new' | 'open';
  opened: boolean;
  onClose: () => void;
  onOpened: (workspace: WorkspaceInfo) => Promise<void>;
};

/** A folder by its path: the studio runs on this machine, so a path is what it needs. */
function FolderDialog(props: DialogProps): ReactNode {
  const title = props.kind === 'new' ? tr('New workspace') : tr('Open a folder');
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={title} size="lg">
      <FolderForm {...props} />
    </Dialog>
  );
}

function FolderForm({ kind, onClose, onOpened }: DialogProps): ReactNode {
  const suggested = useQuery({
    queryKey: ['workspaces', 'suggest'],
    queryFn: ({ signal }) => client.workspaces.suggest(undefined, { signal }),
    enabled: kind === 'new',
  });
  const [written, setWritten] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useProposal(field, suggested.data?.dir, written !== null);
  const dir = written ?? (kind === 'new' ? (suggested.data?.dir ?? '') : '');
  const open = useMutation({
    mutationFn: () => client.workspaces.open({ dir: dir.trim(), create: kind === 'new' }),
    onSuccess: onOpened,
  });
  return (
    <DialogForm
      onSubmit={() => open.mutate()}
      onClose={onClose}
      chord="Enter"
      loading={open.isPending}
      disabled={dir.trim() === ''}
      submit={kind === 'new' ? tr('Create workspace') : tr('Open')}
    >
      <PathField
        label={tr('Folder on this machine')}
        description={
          kind === 'new'
            ? tr('Created if it doesn’t exist. Everything is stored here; copy the folder to move it.')
            : tr('The folder of a workspace: the one that has studio.sqlite in it.')
        }
        example="my-data-set"
        value={dir}
        onChange={setWritten}
        browse={{ kind: 'folder' }}
        first
        field={field}
      />
      {open.error && <ErrorPanel error={open.error} compact />}
    </DialogForm>
  );
}
