import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUser, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { toError } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { ROLE_WORDS, signOut, useMe } from '../client/team.ts';
import { tr } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { MenuItems } from '../ui/menu-items.tsx';
import { tellDone } from '../ui/toast.ts';
import classes from './person-chooser.module.css';

/** The signed-in member in the bar, with the way to the members and out. */
export function Account(): ReactNode {
  const [, go] = useLocation();
  const me = useMe();
  if (me === null) return null;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconUser size={15} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
        >
          <span className="visually-hidden">{tr('Signed in as')} </span>
          <span className={classes.who} title={me.name}>
            {me.name}
          </span>
        </Button>
      </Menu.Target>
      <MenuItems>
        <Menu.Label>
          <Text size="sm" truncate title={me.email}>
            {me.email}
          </Text>
          {ROLE_WORDS[me.role].name}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUsersGroup size={15} aria-hidden />}
          rightSection={<Kbd command="app.members" />}
          onClick={() => go(paths.members(me.ws))}
        >
          {me.rights.includes('members') ? tr('Members') : tr('Access tokens')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={15} aria-hidden />}
          onClick={() => signOut().catch((error: unknown) => tellDone(toError(error).message, null))}
        >
          {tr('Sign out')}
        </Menu.Item>
      </MenuItems>
    </Menu>
  );
}
