import { TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { tr } from '../language/tr.ts';
import classes from './edit.module.css';

export type Pick = { id: string; name: string; about: string };

/** Entries that are shown at most; typing finds the others. */
const SHOWN = 60;

/**
 * One of many, by typing a part of it: the first that fits is marked at once, arrows mark another, Enter takes it, and the field
 * is ready for the next.
 */
export function Picker(props: {
  label: string;
  picks: readonly Pick[];
  empty: string;
  onPick: (id: string) => void;
}): ReactNode {
  const { label, picks, empty, onPick } = props;
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const list = useId();
  const rows = useRef<HTMLDivElement>(null);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = picks.filter(({ name, about }) => {
    const hay = `${name} ${about}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const shown = found.slice(0, SHOWN);
  const at = Math.max(0, Math.min(marked, shown.length - 1));
  // Nothing is given back: browsers may give a promise, which is no way to end an effect.
  useEffect(() => {
    rows.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const take = (id: string | undefined): void => {
    if (id === undefined) return;
    onPick(id);
    setTyped('');
    setMarked(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (by === undefined) take(shown[at]?.id);
    else setMarked(Math.max(0, Math.min(at + by, shown.length - 1)));
  };
  return (
    <div>
      <TextInput
        label={label}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        data-autofocus
      />
      <div id={list} ref={rows} role="listbox" aria-label={label} className={classes.picks}>
        {shown.map(({ id, name, about }, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its field has the keys
          <div
            key={id}
            id={`${list}-${n}`}
            role="option"
            aria-selected={n === at}
            tabIndex={-1}
            className={classes.pick}
            onClick={() => take(id)}
          >
            <b>{name}</b> <span>{about}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p className={classes.fine}>{picks.length === 0 ? empty : tr('Nothing has these words.')}</p>
      )}
      {found.length > SHOWN && (
        <p className={classes.fine}>
          {tr('{more, number} more: type a part of what you look for.', { more: found.length - SHOWN })}
        </p>
      )}
    </div>
  );
}
