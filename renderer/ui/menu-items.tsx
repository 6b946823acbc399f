import { Menu, type MenuDropdownProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { FocusAtOnce } from './focus-at-once.tsx';

/** The items of a menu, with the focus on the first before the next key is heard, so that the key is not the page's. */
export function MenuItems({ children, ...props }: MenuDropdownProps): ReactNode {
  return (
    <Menu.Dropdown {...props}>
      <FocusAtOnce />
      {children}
    </Menu.Dropdown>
  );
}
