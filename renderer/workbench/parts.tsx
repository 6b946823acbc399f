import { ActionIcon, Button, type ButtonProps, Tooltip } from '@mantine/core';
import { type MouseEvent, type ReactNode, type Ref, useContext, useSyncExternalStore } from 'react';
import { ariaKey, formatKey } from '../ui/keys/chord.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { useKeysOf } from '../ui/keys/store.ts';
import { readOnlyNow, StoreContext } from './store.ts';
import classes from './workbench.module.css';

/** The focus stays where it was, so that keys go on meaning steps after a click on a button. */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}

/** A button that does what a command does, and shows its key. */
export function KeyButton(props: {
  command: string;
  /** It changes the annotation: it cannot be pressed while nothing may be written. */
  writes?: boolean;
  label: string;
  onClick: () => void;
  icon?: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
  variant?: ButtonProps['variant'];
  /** Its key is in view always. */
  main?: boolean;
  color?: string;
  title?: string;
  ref?: Ref<HTMLButtonElement>;
}): ReactNode {
  const refused = useRefused(props.writes);
  const keys = useKeysOf(props.command);
  const [first] = keys;
  return (
    <Button
      {...(props.ref !== undefined && { ref: props.ref })}
      size="compact-xs"
      variant={props.pressed ? 'light' : (props.variant ?? 'default')}
      {...(props.color !== undefined && { color: props.color })}
      className={classes.keyButton}
      classNames={{ inner: classes.keyInner, label: classes.keyLabel }}
      leftSection={props.icon}
      rightSection={<Kbd command={props.command} {...(props.main && { main: true })} />}
      aria-keyshortcuts={keys.map(ariaKey).join(' ') || undefined}
      aria-pressed={props.pressed}
      disabled={refused || (props.disabled ?? false)}
      title={first === undefined ? props.title : `${props.title ?? props.label} (${formatKey(first)})`}
      onMouseDown={keepFocus}
      onClick={props.onClick}
    >
      {props.label}
    </Button>
  );
}

/** The same as an icon: its name and key in the tooltip, and the key beside it. */
export function KeyIcon(props: {
  command: string;
  /** As KeyButton's. */
  writes?: boolean;
  label: string;
  onClick: () => void;
  children: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
}): ReactNode {
  const refused = useRefused(props.writes);
  const keys = useKeysOf(props.command);
  const [first] = keys;
  const label = first === undefined ? props.label : `${props.label} (${formatKey(first)})`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-keyshortcuts={keys.map(ariaKey).join(' ') || undefined}
        aria-pressed={props.pressed}
        variant={props.pressed ? 'light' : 'subtle'}
        color={props.pressed ? 'lake' : 'gray'}
        className={classes.keyIcon}
        disabled={refused || (props.disabled ?? false)}
        onMouseDown={keepFocus}
        onClick={props.onClick}
      >
        {props.children}
        <span className="visually-hidden">{props.label}</span>
        <Kbd command={props.command} tooltip={false} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Whether a control that writes must rest. Bars of other pages have no document, and no control that writes. */
function useRefused(writes = false): boolean {
  const store = useContext(StoreContext);
  const refused = useSyncExternalStore(
    store?.subscribe ?? NEVER,
    () => writes && store !== null && readOnlyNow(store.getState()) !== null,
  );
  return refused;
}

const NEVER = () => (): void => {};

/** A line between two panes, moved with the pointer or the arrows. `value` and limits in CSS px. */
export function Splitter(props: {
  label: string;
  direction: 'columns' | 'rows';
  value: number;
  least: number;
  most: number;
  /** The pane that has the size comes after the line. */
  after?: boolean;
  onChange: (value: number) => void;
}): ReactNode {
  const { direction, value, least, most, onChange } = props;
  const bound = (next: number) => onChange(Math.round(Math.min(Math.max(next, least), most)));
  const sign = props.after ? -1 : 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a thematic break cannot be moved; this is ARIA's window splitter.
    <div
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={direction === 'columns' ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      className={direction === 'columns' ? classes.splitColumns : classes.splitRows}
      onPointerDown={(event) => {
        event.preventDefault();
        const target = event.currentTarget;
        target.setPointerCapture(event.pointerId);
        const from = direction === 'columns' ? event.clientX : event.clientY;
        const move = (now: PointerEvent) =>
          bound(value + sign * ((direction === 'columns' ? now.clientX : now.clientY) - from));
        target.addEventListener('pointermove', move);
        target.addEventListener('lostpointercapture', () => target.removeEventListener('pointermove', move), {
          once: true,
        });
      }}
      onKeyDown={(event) => {
        const forward = direction === 'columns' ? 'ArrowRight' : 'ArrowDown';
        const back = direction === 'columns' ? 'ArrowLeft' : 'ArrowUp';
        if (event.key !== forward && event.key !== back) return;
        event.preventDefault();
        bound(value + sign * (event.key === forward ? 16 : -16));
      }}
    />
  );
}
