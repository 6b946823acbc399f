import { Button, type ButtonProps } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Kbd } from './kbd.tsx';
import { useRefusal } from './store.ts';

type Props = ButtonProps & {
  /** The command that does the same by key. */
  command: string;
  icon?: TablerIcon;
  /** Where it goes; without, `onClick` says what it does. */
  href?: string;
  title?: string | undefined;
  onClick?: () => void;
};

/**
 * A button that does what a command does, with the command's key on it. Greyed out, with the reason, for whoever may not do it;
 * it keeps the focus, so that the reason is read and heard.
 */
export function CommandButton({ command, icon: Icon, href, children, ...rest }: Props): ReactNode {
  const whyNot = useRefusal(command);
  const shown: ButtonProps & Pick<Props, 'title' | 'onClick'> = {
    leftSection: Icon && <Icon size={15} aria-hidden />,
    rightSection: <Kbd command={command} />,
    ...rest,
  };
  if (whyNot !== null) {
    return (
      <Button {...shown} data-disabled aria-disabled title={whyNot} onClick={undefined} type="button">
        {children}
      </Button>
    );
  }
  if (href === undefined) return <Button {...shown}>{children}</Button>;
  return (
    <Button component={Link} href={href} {...shown}>
      {children}
    </Button>
  );
}
