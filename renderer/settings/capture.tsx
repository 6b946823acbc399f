import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { tr } from '../language/tr.ts';
import { chordOf } from '../ui/keys/chord.ts';
import { ChordKeys } from '../ui/keys/kbd.tsx';
import { useKeys } from '../ui/keys/store.ts';
import classes from './page.module.css';

/**
 * Changes a key by pressing the new one. `take` says why it refuses a key, in words, or null when it has taken it. Tab
 * leaves as always, Escape puts back.
 */
export function KeyCapture(props: {
  label: string;
  chords: readonly string[];
  take: (chord: string) => string | null;
  button?: Ref<HTMLButtonElement> | undefined;
}): ReactNode {
  const mac = useKeys((state) => state.mac);
  const [waiting, setWaiting] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!waiting || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    // React hears at the root; the page's own listener is on the document above it.
    event.nativeEvent.stopImmediatePropagation();
    if (event.key === 'Escape') {
      setWaiting(false);
      setRefused(null);
      return;
    }
    const chord = chordOf(event.nativeEvent, mac);
    if (chord === null) return;
    const why = props.take(chord);
    setRefused(why);
    if (why === null) setWaiting(false);
  };
  return (
    <div className={classes.capture}>
      <Button
        {...(props.button !== undefined && { ref: props.button })}
        variant={waiting ? 'filled' : 'default'}
        size="compact-sm"
        className={classes.captureButton}
        onClick={() => {
          setWaiting(true);
          setRefused(null);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setWaiting(false)}
      >
        <span className="visually-hidden">
          {waiting
            ? tr('Press the new key for {label}', { label: props.label })
            : tr('Change the key of {label}: {chords}', { label: props.label, chords: props.chords.join(', ') })}{' '}
        </span>
        {waiting ? (
          <span aria-hidden>{tr('Press a key …')}</span>
        ) : props.chords.length > 0 ? (
          <Chords chords={props.chords} />
        ) : (
          tr('no key')
        )}
      </Button>
      {refused !== null && (
        <span className={classes.refused} role="alert">
          {refused}
        </span>
      )}
    </div>
  );
}

function Chords({ chords }: { chords: readonly string[] }): ReactNode {
  return (
    <span className={classes.chords}>
      {chords.map((chord) => (
        <ChordKeys key={chord} chord={chord} />
      ))}
    </span>
  );
}
