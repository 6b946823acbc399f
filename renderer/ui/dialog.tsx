import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect } from 'react';
import { create } from 'zustand';
import { tr } from '../language/tr.ts';
import classes from './dialog.module.css';
import { FocusAtOnce } from './focus-at-once.tsx';

/**
 * A dialog that is there, with the focus in it, before the next key is heard: who knows the keys types on. Mantine's own
 * comes some tasks later and gives the focus by a timer; on a busy machine keys went to the page behind it until then.
 */
export function Dialog({ opened, ...props }: ModalProps): ReactNode {
  return opened ? <Shown {...props} /> : null;
}

/** Dialogs that are open, each opened from the one before it. */
const useOpen = create<{ ids: readonly string[] }>(() => ({ ids: [] }));

function Shown({ children, classNames, ...props }: Omit<ModalProps, 'opened'>): ReactNode {
  const id = useId();
  useLayoutEffect(() => {
    useOpen.setState(({ ids }) => ({ ids: [...ids, id] }));
    return () => useOpen.setState(({ ids }) => ({ ids: ids.filter((one) => one !== id) }));
  }, [id]);
  // Escape closes the one in front alone.
  const isInFront = useOpen(({ ids }) => ids.length === 0 || ids.at(-1) === id);
  return (
    <Modal
      opened
      closeOnEscape={isInFront}
      closeButtonProps={{ 'aria-label': tr('Close') }}
      transitionProps={{ duration: 0 }}
      returnFocus={false}
      // Its header is the dialog's own, not a banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '', ...classNames }}
      {...props}
    >
      <FocusAtOnce />
      {children}
    </Modal>
  );
}
