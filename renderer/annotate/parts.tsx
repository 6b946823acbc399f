import { ActionIcon, Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { ariaKey, formatKey } from '../app/keys/chord.ts';
import { Kbd } from '../app/keys/kbd.tsx';
import { useKeysOf } from '../app/keys/store.ts';
import classes from './annotate.module.css';

/** The focus stays where it was, so that keys go on meaning steps after a click on a button. */
export function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}

/** A button that does what a command does, and shows its key. */
export function KeyButton(props: {
  command: string;
  label: string;
  onClick: () => void;
  icon?: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
  variant?: ButtonProps['variant'];
  color?: string;
  title?: string;
}): ReactNode {
  const keys = useKeysOf(props.command);
  return (
    <Button
      size="compact-xs"
      variant={props.pressed ? 'light' : (props.variant ?? 'default')}
      {...(props.color !== undefined && { color: props.color })}
      className={classes.keyButton}
      leftSection={props.icon}
      rightSection={<Kbd command={props.command} />}
      aria-keyshortcuts={keys.map(ariaKey).join(' ') || undefined}
      aria-pressed={props.pressed}
      disabled={props.disabled ?? false}
      title={props.title}
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
  label: string;
  onClick: () => void;
  children: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
}): ReactNode {
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
        disabled={props.disabled ?? false}
        onMouseDown={keepFocus}
        onClick={props.onClick}
      >
        {props.children}
        <span className="visually-hidden">{props.label}</span>
        <Kbd command={props.command} />
      </ActionIcon>
    </Tooltip>
  );
}

/** A line between two panes, moved with the pointer or the arrows. `value` and limits in CSS px. */
export function Splitter(props: {
  label: string;
  direction: 'columns' | 'rows';
  value: number;
  least: number;
  most: number;
  /** The pane that has the size lies after the line. */
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
