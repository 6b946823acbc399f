import { Button, Menu } from '@mantine/core';
import { IconColumns3, IconRestore } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { tr } from '../language/tr.ts';
import { columnsOfPart, withColumn } from '../ui/grid/columns.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useHandlers } from '../ui/keys/use-commands.ts';
import { MenuItems } from '../ui/menu-items.tsx';
import type { ListColumns } from './use-columns.ts';

/** Chooses the columns of a list; the first one, by which its rows are known, is always there. */
export function ColumnsMenu({ columns }: { columns: ListColumns }): ReactNode {
  const { list, all, shown, part, show } = columns;
  const [opened, setOpened] = useState(false);
  useHandlers(list, { [`${list}.columns`]: () => setOpened(true) });
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={230} closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant={part === null ? 'default' : 'light'}
          leftSection={<IconColumns3 size={14} aria-hidden />}
          rightSection={<Kbd command={`${list}.columns`} />}
        >
          {tr('Columns')}
        </Button>
      </Menu.Target>
      <MenuItems mah="min(460px, calc(100vh - 150px))" style={{ overflowY: 'auto' }}>
        {all.slice(1).map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={shown.includes(column)}
            onChange={() => show(withColumn(shown, all, column.id))}
          >
            {column.name}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconRestore size={15} aria-hidden />}
          // Never disabled: it would lose the focus, and with it the menu its keys.
          onClick={() => show(columnsOfPart(null, all))}
        >
          {tr('Reset columns')}
        </Menu.Item>
      </MenuItems>
    </Menu>
  );
}
