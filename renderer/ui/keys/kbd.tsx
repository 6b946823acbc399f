import { type ReactNode, useEffect, useRef } from 'react';
import { ariaKey, formatKey, formatParts } from './chord.ts';
import classes from './kbd.module.css';
import { useKeys, useKeysOf } from './store.ts';

/**
 * The key of a command, inside its control: `<Kbd command="library.search" />`. Nothing when it has none. The cap is in
 * view always when it is a `main` one, in a filled button, in a menu or in a dialog; else only while keys are asked for
 * (shown-keys.ts), and the control's tooltip says it. It is not part of the control's name; assistive technology is told by
 * `aria-keyshortcuts`, which this sets on the control. `tooltip` false: the control has a tooltip of its own.
 */
export function Kbd(props: { command: string; main?: boolean; tooltip?: boolean }): ReactNode {
  const { command, main = false, tooltip = true } = props;
  const [chord] = useKeysOf(command);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const control = place.current?.closest('button, a, [role="menuitem"]');
    if (!control || chord === undefined) return;
    control.setAttribute('aria-keyshortcuts', ariaKey(chord));
    const titled = tooltip && !control.hasAttribute('title');
    if (titled) control.setAttribute('title', `${nameOf(control)} (${formatKey(chord)})`);
    return () => {
      control.removeAttribute('aria-keyshortcuts');
      if (titled) control.removeAttribute('title');
    };
  }, [chord, tooltip]);
  if (chord === undefined) return null;
  return (
    <span ref={place} className={classes.holder} data-main={main}>
      <ChordKeys chord={chord} />
    </span>
  );
}

/** A key itself, where no command is behind it. */
export function ChordKeys({ chord }: { chord: string }): ReactNode {
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

/** What a control is called on the page, without the caps in it. */
function nameOf(control: Element): string {
  const label = control.getAttribute('aria-label');
  if (label !== null) return label;
  const copy = control.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const cap of copy.querySelectorAll('kbd')) cap.remove();
  return copy.textContent.replace(/\s+/g, ' ').trim();
}
