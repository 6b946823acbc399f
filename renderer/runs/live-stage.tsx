import { Button, Group } from '@mantine/core';
import { type CSSProperties, type ReactNode, type RefObject, useRef, useState } from 'react';
import { tr } from '../language/tr.ts';
import classes from './page.module.css';
import { useHands } from './use-hands.ts';
import { useStageScreen } from './use-screen.ts';

/** Chords that a browser, or the system around it, keeps for itself. */
const KEPT: readonly (readonly string[])[] = [
  ['ctrl', 'w'],
  ['ctrl', 't'],
  ['ctrl', 'n'],
  ['ctrl', 'shift', 't'],
  ['ctrl', 'shift', 'n'],
  ['ctrl', 'Tab'],
  ['ctrl', 'shift', 'Tab'],
  ['alt', 'Tab'],
  ['alt', 'F4'],
  ['alt', ' '],
  ['win'],
  ['PrintScreen'],
  ['F11'],
  ['ctrl', 'alt', 'Enter'],
];
const SHOWN: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  alt: 'Alt',
  shift: 'Shift',
  win: 'Super',
  ' ': 'Space',
};
const shownChord = (keys: readonly string[]): string =>
  keys.map((key) => SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key)).join('+');

/** A property of a style sheet is none that React's types know. */
const placeOf = (width: number, height: number): CSSProperties =>
  ({
    aspectRatio: `${width} / ${height}`,
    '--stage-width': `${width}px`,
    '--stage-ratio': width / height,
  }) as CSSProperties;

/** The screen of the stage, live; with `acts` mouse and keyboard over it act on it. */
export function LiveStageView(props: {
  ws: string;
  run: string;
  field: RefObject<HTMLTextAreaElement | null>;
  acts: boolean;
  /** As `useHands` takes it. */
  sent: RefObject<() => Promise<void>>;
  onError: (error: unknown) => void;
}): ReactNode {
  const { ws, run, field, acts, sent, onError } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const out = useRef<HTMLButtonElement>(null);
  const [focused, setFocused] = useState(false);
  const { size, pointer } = useStageScreen(canvas, { ws, run, on: true });
  const chord = useHands(field, {
    ws,
    run,
    size,
    on: acts,
    onError,
    sent,
    onLeave: () => out.current?.focus(),
  });
  const { width, height } = size ?? { width: 16, height: 10 };
  return (
    <>
      <div className={classes.stageRoom}>
        <div className={classes.stage} data-focused={focused} style={placeOf(width, height)}>
          <canvas
            ref={canvas}
            className={classes.canvas}
            role="img"
            aria-label={tr('The stage of the run, as it looks now')}
          />
          {!acts && pointer && size && (
            <span
              className={classes.pointer}
              aria-hidden
              style={{ left: `${(100 * pointer.x) / width}%`, top: `${(100 * pointer.y) / height}%` }}
            />
          )}
          {acts && (
            <textarea
              ref={field}
              className={classes.hands}
              aria-label={tr('The stage: mouse and keyboard act on it. Ctrl+Alt+Enter leaves it.')}
              autoCapitalize="off"
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              onFocus={() => setFocused(true)}
              onBlur={() => setFocused(false)}
            />
          )}
        </div>
      </div>
      {acts && (
        <Group
          gap={6}
          className={classes.chords}
          role="group"
          aria-label={tr('Keys that the browser keeps for itself')}
        >
          <span className={classes.fine}>
            {focused
              ? tr('The keyboard is on the stage; Ctrl+Alt+Enter leaves it.')
              : tr('Click the stage, or press Enter, to use it.')}
          </span>
          {KEPT.map((keys, n) => (
            <Button
              key={shownChord(keys)}
              ref={n === 0 ? out : undefined}
              variant="default"
              size="compact-xs"
              // The stage keeps the keyboard: without it the words before the buttons are others, and they move from under the pointer.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                chord(keys);
                field.current?.focus({ preventScroll: true });
              }}
            >
              {shownChord(keys)}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}
