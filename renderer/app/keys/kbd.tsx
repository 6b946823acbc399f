import { type ReactNode, useEffect, useRef } from 'react';
import { ariaKey, formatParts } from './chord.ts';
import classes from './kbd.module.css';
import { useKeys, useKeysOf } from './store.ts';

/**
 * The key of a command, shown inside its control: `<Kbd command="library.search" />`. Nothing when it has none. It is not
 * part of the control's name; assistive technology is told by `aria-keyshortcuts`, which this sets on the control.
 */
export function Kbd({ command }: { command: string }): ReactNode {
  const [chord] = useKeysOf(command);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const control = place.current?.closest('button, a, [role="menuitem"]');
    if (!control || chord === undefined) return;
    control.setAttribute('aria-keyshortcuts', ariaKey(chord));
    return () => control.removeAttribute('aria-keyshortcuts');
  }, [chord]);
  if (chord === undefined) return null;
  return (
    <span ref={place} className={classes.holder}>
      <Chord chord={chord} />
    </span>
  );
}

/** A key itself, where no command stands behind it. */
export function Chord({ chord }: { chord: string }): ReactNode {
  const mac = useKeys((state) => state.mac);
  return (
    <span className={classes.keys} aria-hidden="true">
      {formatParts(chord, mac).map((part) => (
        <kbd key={part} className={classes.key}>
          {part}
        </kbd>
      ))}
    </span>
  );
}
