import { Button, Group, Menu, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconCheck, IconDeviceFloppy, IconPencil, IconTrash } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { usePersonId } from '../client/person.ts';
import { renamedView, searchOfView, useSavedViews, withView } from '../client/saved-views.ts';
import { tr } from '../language/tr.ts';
import { type AddressParts, isBare, partsOf, searchWith } from '../ui/address.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toError } from '../ui/errors.ts';
import { columnsOfPart, partOfColumns } from '../ui/grid/columns.ts';
import { ChordKeys, Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { MenuItems } from '../ui/menu-items.tsx';
import { tellDone } from '../ui/toast.ts';
import type { ListColumns } from './use-columns.ts';

type Props = {
  ws: string;
  columns: ListColumns;
  /** What the list shows now, as its address has it; `columns` among it. */
  parts: AddressParts;
  /** Makes the list show what an address says. */
  onTake: (parts: AddressParts) => void;
};

/** Filters, orders and columns of a list that are kept under names: chosen, saved, renamed and removed. */
export function SavedViews({ ws, columns, parts, onTake }: Props): ReactNode {
  const { list, all } = columns;
  const { views, change } = useSavedViews(ws, list, usePersonId(ws));
  const [opened, setOpened] = useState(false);
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null);
  useHandlers(list, { [`${list}.views`]: () => setOpened(true) });
  const names = Object.keys(parts);
  const search = searchWith('', parts);
  const now = views.find((view) => {
    const said = partsOf(view.search, names);
    return searchWith('', { ...said, columns: partOfColumns(columnsOfPart(said.columns, all), all) }) === search;
  });
  const store = (next: typeof views, said: string): void => {
    const before = views;
    change(next).then(
      () => tellDone(said, () => change(before)),
      (error: unknown) => tellDone(tr('Not stored. {why}', { why: toError(error).message }), null),
    );
  };
  const nothing = isBare(parts) || now !== undefined;
  return (
    <>
      <Menu opened={opened} onChange={setOpened} position="bottom-start" width={260}>
        <Menu.Target>
          <Button
            variant={now ? 'light' : 'default'}
            maw={220}
            leftSection={<IconBookmark size={14} aria-hidden />}
            rightSection={<Kbd command={`${list}.views`} />}
          >
            {now ? tr('View: {name}', { name: now.name }) : tr('Views')}
          </Button>
        </Menu.Target>
        <MenuItems>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              leftSection={<IconCheck size={15} aria-hidden visibility={view === now ? 'visible' : 'hidden'} />}
              onClick={() => onTake(partsOf(searchOfView(view, parts.columns ?? null), names))}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item
            leftSection={<IconDeviceFloppy size={15} aria-hidden />}
            // Looks disabled, and says so, but keeps the focus: without an item to stand on, the menu has no keys.
            data-disabled={nothing}
            onClick={() => {
              if (!nothing) setNaming('save');
            }}
          >
            {tr('Save filters, order and columns …')}
          </Menu.Item>
          {now && (
            <>
              <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setNaming('rename')}>
                {tr('Rename “{name}” …', { name: now.name })}
              </Menu.Item>
              <Menu.Item
                c="var(--studio-bad)"
                leftSection={<IconTrash size={15} aria-hidden />}
                onClick={() =>
                  store(
                    views.filter((view) => view !== now),
                    tr('View “{name}” removed', { name: now.name }),
                  )
                }
              >
                {tr('Remove “{name}”', { name: now.name })}
              </Menu.Item>
            </>
          )}
        </MenuItems>
      </Menu>
      <NameDialog
        key={naming}
        opened={naming !== null}
        title={naming === 'rename' ? tr('Rename the view') : tr('Save as a view')}
        first={naming === 'rename' ? (now?.name ?? '') : ''}
        onClose={() => setNaming(null)}
        onNamed={(name) => {
          if (naming === 'rename' && now)
            store(renamedView(views, now.name, name), tr('View renamed to “{name}”', { name }));
          else store(withView(views, { name, search }), tr('View “{name}” saved', { name }));
          setNaming(null);
        }}
      />
    </>
  );
}

function NameDialog(props: {
  opened: boolean;
  title: string;
  first: string;
  onClose: () => void;
  onNamed: (name: string) => void;
}): ReactNode {
  const [name, setName] = useState(props.first);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') props.onNamed(name.trim());
  };
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title} size="sm">
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={tr('Name')}
            value={name}
            maxLength={60}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose} rightSection={<ChordKeys chord="Escape" />}>
              {tr('Cancel')}
            </Button>
            <Button type="submit" disabled={name.trim() === ''} rightSection={<ChordKeys chord="Enter" />}>
              {tr('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
