import { ActionIcon, Button, Group, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconArrowUp, IconFile, IconFileSymlink, IconFolder, IconFolderSymlink, IconHome } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { FolderList } from '../../schemas/api/folders.ts';
import { client } from '../client/api.ts';
import { tr } from '../language/tr.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { QueryError } from '../ui/parts.tsx';
import classes from './folder-dialog.module.css';
import { aboveOf, whereToLook, withoutEnd } from './folder-place.ts';

type Entry = FolderList['entries'][number];

type Props = {
  opened: boolean;
  /** What the field says now. */
  value: string;
  /** Ends of the names of files that can be taken. */
  endings: readonly string[];
  /** The folder that is shown can be taken. */
  takesFolder: boolean;
  /** The name of what is written into the folder that is taken; null: the folder itself is meant. */
  written: string | null;
  onClose: () => void;
  onPicked: (path: string) => void;
};

/** The folders of the studio's machine, to choose a path by: typed on, by arrows, or by the mouse. */
export function FolderDialog(props: Props): ReactNode {
  const title = props.takesFolder && props.endings.length === 0 ? tr('Choose a folder') : tr('Choose a file');
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      size="lg"
      title={props.takesFolder && props.endings.length > 0 ? tr('Choose a file or a folder') : title}
    >
      {/* What is pressed here is not for the form behind, whose child React takes it for. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps events from going further */}
      <div onKeyDown={(event) => event.stopPropagation()}>
        <Folders {...props} />
      </div>
    </Dialog>
  );
}

function Folders({ value, endings, takesFolder, written, onClose, onPicked }: Props): ReactNode {
  const [asked, setAsked] = useState({ typed: whereToLook(value, written !== null), orAbove: true });
  const [at, setAt] = useState<number | null>(null);
  // A key that came before the list that it is for.
  const [waiting, setWaiting] = useState<'open' | 'take' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const id = useId();
  const list = useQuery({
    queryKey: ['folders', 'list', asked, endings],
    queryFn: ({ signal }) => client.folders.list({ ...asked, endings: [...endings] }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = list;
  const fresh = data !== undefined && !list.isPlaceholderData && !list.isFetching;
  // The first answer says where looking begins: a folder as it is written from the root on.
  const typed = asked.orAbove && data ? data.dir : asked.typed;
  const entries = data?.entries ?? NONE;
  const narrowed = !/[/\\]$/.test(typed) && typed !== '';
  const marked = Math.min(at ?? (narrowed ? 0 : -1), entries.length - 1);

  const look = (text: string): void => {
    setAsked({ typed: text, orAbove: false });
    setAt(null);
    setWaiting(null);
    field.current?.focus();
  };
  const take = (dir: string): void => onPicked(written === null ? withoutEnd(dir) : `${dir}${written}`);
  const open = ({ dir }: FolderList, { kind, name }: Entry): void =>
    kind === 'folder' ? look(`${dir}${name}${dir.at(-1)}`) : onPicked(`${dir}${name}`);
  const act = (what: 'open' | 'take', shown: FolderList): void => {
    const entry = entries[marked];
    if (what === 'open' && entry) open(shown, entry);
    else if (takesFolder && !(what === 'open' && narrowed)) take(shown.dir);
  };
  useEffect(() => {
    if (waiting === null || !(fresh || list.error)) return;
    setWaiting(null);
    if (fresh) act(waiting, data);
  });
  useEffect(() => {
    rows.current?.querySelector(`[data-at="${marked}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [marked]);

  const up = fresh ? data.parent : aboveOf(typed);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (event.key === 'ArrowUp' && event.altKey) {
      if (up !== null) look(up);
    } else if (step !== undefined) setAt(Math.max(0, Math.min(entries.length - 1, marked + step)));
    else if (event.key === 'Enter') {
      const what = event.ctrlKey || event.metaKey ? 'take' : 'open';
      if (fresh) act(what, data);
      else setWaiting(what);
    } else return;
    event.preventDefault();
  };

  return (
    <Stack gap="sm">
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          ref={field}
          className={classes.field}
          label={tr('Path')}
          description={tr('Type the beginning of a name, or a dot for hidden ones.')}
          value={typed}
          onChange={(event) => look(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          maxLength={4096}
          spellCheck={false}
          data-autofocus
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls={entries.length > 0 ? id : undefined}
          aria-activedescendant={marked >= 0 ? `${id}-${marked}` : undefined}
        />
        <Tooltip label={tr('Folder above (Alt+Up)')}>
          <ActionIcon
            variant="default"
            size={30}
            disabled={up === null || up === typed}
            aria-label={tr('Folder above')}
            onClick={() => up !== null && look(up)}
          >
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={tr('Home folder')}>
          <ActionIcon variant="default" size={30} aria-label={tr('Home folder')} onClick={() => look(data?.home ?? '')}>
            <IconHome size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      {list.error ? (
        <div className={classes.list} data-error="true">
          <QueryError of={list} compact />
        </div>
      ) : (
        <div className={classes.list} ref={rows}>
          {data && entries.length > 0 && (
            <div id={id} role="listbox" aria-label={tr('In this folder')}>
              <Rows entries={entries} marked={marked} id={id} onOpen={(entry) => open(data, entry)} />
            </div>
          )}
          {fresh && entries.length === 0 && <p className={classes.none}>{nothing(endings, narrowed)}</p>}
        </div>
      )}
      <p className={classes.count} role="status">
        {fresh ? counted(data) : ' '}
      </p>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose} rightSection={<ChordKeys chord="Escape" />}>
          {tr('Cancel')}
        </Button>
        {takesFolder && (
          <Button
            disabled={!fresh}
            onClick={() => fresh && take(data.dir)}
            rightSection={<ChordKeys chord="Ctrl+Enter" />}
          >
            {written === null ? tr('Choose this folder') : tr('Write into this folder')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

const NONE: readonly Entry[] = [];

type RowsProps = { entries: readonly Entry[]; marked: number; id: string; onOpen: (entry: Entry) => void };

function Rows({ entries, marked, id, onOpen }: RowsProps): ReactNode {
  const latest = useRef(onOpen);
  latest.current = onOpen;
  const [openOne] = useState(
    () =>
      (entry: Entry): void =>
        latest.current(entry),
  );
  return entries.map((entry, i) => (
    <Row key={entry.name} entry={entry} id={`${id}-${i}`} at={i} marked={i === marked} onOpen={openOne} />
  ));
}

type RowProps = { entry: Entry; id: string; at: number; marked: boolean; onOpen: (entry: Entry) => void };

/** Its keys are those of the field, which keeps the focus. */
const Row = memo(function Row({ entry, id, at, marked, onOpen }: RowProps): ReactNode {
  const { name, kind, link } = entry;
  const Icon = kind === 'folder' ? (link ? IconFolderSymlink : IconFolder) : link ? IconFileSymlink : IconFile;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and hears the keys
    <div
      id={id}
      role="option"
      aria-selected={marked}
      tabIndex={-1}
      data-at={at}
      className={classes.row}
      title={link ? tr('{name}: a link', { name }) : name}
      onClick={() => onOpen(entry)}
    >
      <Icon size={16} aria-hidden className={classes.icon} data-kind={kind} />
      <bdi className={classes.name}>{name}</bdi>
    </div>
  );
});

function nothing(endings: readonly string[], narrowed: boolean): string {
  if (narrowed) return tr('Nothing here begins like that.');
  return endings.length === 0
    ? tr('No folders in this one.')
    : tr('No folders here, and no files that end in {endings}.', { endings: endings.join(', ') });
}

/** How many there are, and what is left out and why. */
function counted({ entries, fitting, whole, hidden, untypable }: FolderList): string {
  return [
    entries.length === fitting
      ? tr('{count, plural, one {# entry} other {# entries}}', { count: fitting })
      : tr('The first {shown, number} of {count, number}: type the beginning of a name to see others.', {
          shown: entries.length,
          count: fitting,
        }),
    !whole && tr('The folder is too large to be read to its end: others may exist.'),
    hidden > 0 &&
      tr('{count, plural, one {# is hidden} other {# are hidden}}: type a dot to see them.', { count: hidden }),
    untypable > 0 &&
      tr(
        '{count, plural, one {# is} other {# are}} left out: a field cannot hold such names. Rename them to choose them.',
        { count: untypable },
      ),
  ]
    .filter((part) => part !== false)
    .join(' · ');
}
