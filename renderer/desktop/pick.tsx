import { Button } from '@mantine/core';
import { IconFolderSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { desktop } from './bridge.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { lastNameOf } from './folder-place.ts';

/** Files that each field can take, by the ends of their names (`.tar`); none: a folder is wanted. */
const ENDINGS = {
  folder: [],
  archive: ['.tar'],
  recording: ['.tar', '.tstar', '.mp4', '.m4v', '.mkv', '.mov', '.webm', '.json', '.jsonl'],
  transcript: ['.srt', '.vtt'],
  questions: ['.jsonl', '.ndjson'],
} as const;

export type Browsed = {
  kind: keyof typeof ENDINGS;
  /** A folder as well as a file: a recording's own folder. */
  orFolder?: boolean;
  /** Only the folder is chosen that something is written into: the last part of the value stays its name, else it is this. */
  writes?: string;
};

type Props = Browsed & {
  /** What the field says now: looking begins there. */
  value: string;
  onPicked: (path: string) => void;
  disabled?: boolean;
};

/**
 * The way to choose a path of the studio's machine, beside the field that it could be typed into: the system's own dialog in the
 * desktop app for what it knows, else ours. Nothing where the studio lets other machines in, and so lists no folders.
 */
export function Browse(props: Props): ReactNode {
  const { kind, orFolder = false } = props;
  const isFolder = props.writes !== undefined || kind === 'folder';
  if (desktop === null || !(isFolder || kind === 'recording' || kind === 'archive')) {
    return <OwnButton {...props} isFolder={isFolder} />;
  }
  return (
    <>
      {!isFolder && <NativeButton {...props} native="recording" />}
      {(isFolder || orFolder) && <NativeButton {...props} native="folder" />}
    </>
  );
}

function OwnButton(props: Props & { isFolder: boolean }): ReactNode {
  const { kind, value, onPicked, isFolder, orFolder = false, writes, disabled = false } = props;
  const [opened, setOpened] = useState(false);
  const listed = useQuery({
    queryKey: ['folders', 'listed'],
    queryFn: ({ signal }) => client.folders.listed(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (listed.data?.listed !== true) return null;
  return (
    <>
      <Button
        variant="default"
        disabled={disabled}
        leftSection={<IconFolderSearch size={15} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {tr('Browse …')}
      </Button>
      <FolderDialog
        opened={opened}
        value={value}
        endings={isFolder ? ENDINGS.folder : ENDINGS[kind]}
        takesFolder={isFolder || orFolder}
        written={writes === undefined ? null : lastNameOf(value) || writes}
        onClose={() => setOpened(false)}
        onPicked={(path) => {
          onPicked(path);
          setOpened(false);
        }}
      />
    </>
  );
}

function NativeButton(props: Props & { native: 'folder' | 'recording' }): ReactNode {
  const { native, value, onPicked, writes, disabled = false } = props;
  const pick = async (): Promise<void> => {
    const path = (await desktop?.pick(native).catch(() => null)) ?? null;
    if (path === null) return;
    const separator = desktop?.platform === 'win32' ? '\\' : '/';
    onPicked(writes === undefined ? path : `${path}${separator}${lastNameOf(value) || writes}`);
  };
  return (
    <Button variant="default" disabled={disabled} onClick={() => void pick()}>
      {native === 'folder' ? tr('Choose a folder …') : tr('Choose an archive …')}
    </Button>
  );
}
