import { Button, CloseButton } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { tr } from '../language/tr.ts';
import { Kbd } from './keys/kbd.tsx';
import { dismissToast, undoDone, useToasts } from './toast.ts';
import classes from './toast-line.module.css';

/** Long enough to read it and to reach Undo. */
const SHOWN_MS = 12_000;
const MODAL = '[role="dialog"][aria-modal="true"]';

/** At the foot of every page, in a line of its own: it never is over a control. It stays while it is pointed at. */
export function ToastLine(): ReactNode {
  const toast = useToasts((state) => state.toast);
  const [held, setHeld] = useState(false);
  const id = toast?.id;
  const waits = toast !== null && !held && !toast.undoing && !toast.failed;
  const undoable = toast?.undo != null;
  useEffect(() => {
    void id;
    void undoable;
    // Its button may be gone with the pointer or the focus on it.
    setHeld(false);
  }, [id, undoable]);
  useEffect(() => {
    if (!waits) return;
    void id;
    void undoable;
    // Under a dialog it waits to be seen.
    const timer = setInterval(() => document.querySelector(MODAL) ?? dismissToast(), SHOWN_MS);
    return () => clearInterval(timer);
  }, [id, undoable, waits]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while somebody is at it
    <div
      className={classes.place}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span role="status" className={classes.text}>
        {toast?.text}
      </span>
      {toast?.undo && (
        <Button
          size="compact-xs"
          variant="default"
          loading={toast.undoing}
          leftSection={<IconArrowBackUp size={13} aria-hidden />}
          rightSection={toast.command === null ? null : <Kbd command={toast.command} />}
          onClick={() => void undoDone()}
        >
          {tr('Undo')}
        </Button>
      )}
      {toast && (
        <CloseButton
          size="sm"
          aria-label={tr('Close the message')}
          onClick={() => {
            setHeld(false);
            dismissToast();
          }}
        />
      )}
    </div>
  );
}
