import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';
import { tr } from '../language/tr.ts';
import classes from './dialog.module.css';

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
      classNames={{ content: classes.content ?? '', body: classes.body ?? '', ...classNames }}
      {...props}
    >
      <FocusAtOnce />
      {children}
    </Modal>
  );
}

/** In a dialog: takes the focus as soon as it is there (`data-autofocus`, else its first control), and gives it back. */
export function FocusAtOnce(): ReactNode {
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const body = mark.current?.parentElement;
    const dialog = body?.closest('[role="dialog"]');
    if (!body || !(dialog instanceof HTMLElement)) return;
    const before = document.activeElement;
    // Mantine's timer focuses what has this attribute: what has the focus by then is to keep it.
    const keep = ({ target }: FocusEvent): void => {
      for (const other of dialog.querySelectorAll('[data-autofocus]')) other.removeAttribute('data-autofocus');
      if (target instanceof HTMLElement) target.setAttribute('data-autofocus', 'true');
    };
    dialog.addEventListener('focusin', keep);
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? firstControl(body) ?? firstControl(dialog);
    (first ?? dialog).focus({ preventScroll: true });
    return () => {
      dialog.removeEventListener('focusin', keep);
      // Whoever closed it may have given the focus to another place already.
      if (dialog.contains(document.activeElement) && before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  return <span ref={mark} hidden />;
}

function firstControl(within: HTMLElement): HTMLElement | undefined {
  const controls = within.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]');
  return [...controls].find((one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.offsetParent !== null);
}
