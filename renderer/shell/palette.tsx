import { Modal, TextInput, UnstyledButton } from '@mantine/core';
import { IconKeyboard, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useChangeSettings } from '../client/settings.ts';
import { tr, trParts } from '../language/tr.ts';
import { useKeyGiving } from '../settings/give-key.ts';
import { toError } from '../ui/errors.ts';
import { FocusAtOnce } from '../ui/focus-at-once.tsx';
import { chordOf } from '../ui/keys/chord.ts';
import { findCommands, scopeName } from '../ui/keys/commands.ts';
import { ChordKeys, Kbd } from '../ui/keys/kbd.tsx';
import { type ActiveCommand, activeCommands, useKeys } from '../ui/keys/store.ts';
import { useFinds } from './finds.ts';
import classes from './palette.module.css';

/** Every command that can be done now, and the workspace's things: found by words, done or opened with Enter. */
export function Palette(props: { ws: string | null; opened: boolean; onClose: () => void }): ReactNode {
  const { ws, opened, onClose } = props;
  if (!opened) return null;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      size={560}
      yOffset="12vh"
      centered={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={tr('Command palette')}>
        <Modal.Body p={0}>
          <FocusAtOnce />
          <Found ws={ws} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A command to do, or something to open. */
type Offer = { id: string; label: string; note: string; command: ActiveCommand | null; run: () => void };
/** The command that is given another key by the next one that is pressed, and why the last one was refused. */
type Giving = { command: ActiveCommand; refused: string | null };

function Found({ ws, onClose }: { ws: string | null; onClose: () => void }): ReactNode {
  const [, go] = useLocation();
  const active = useKeys((state) => state.active);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [giving, setGiving] = useState<Giving | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const change = useChangeSettings();
  const { take, mac } = useKeyGiving((values) => {
    change(values).catch((error: unknown) => setFailed(toError(error).message));
  });
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const commands = findCommands(
    activeCommands({ active, whyNot: useKeys.getState().whyNot })
      .filter((command) => !command.notInPalette)
      .toSorted((a, b) => usefulness(a) - usefulness(b)),
    text,
  );
  const offered: Offer[] = [
    ...commands.map((command) => ({
      id: command.id,
      label: command.label,
      note: command.scope === 'global' ? '' : scopeName(command.scope),
      command,
      run: () => command.run(null),
    })),
    ...useFinds(ws, text).map(({ id, kind, label, href }) => ({
      id,
      label,
      note: tr(kind),
      command: null,
      run: () => go(href),
    })),
  ];
  const chosen = Math.min(at, offered.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const run = (offer: Offer | undefined): void => {
    if (!offer) return;
    onClose();
    // After the dialog has given the focus back, so that what runs may take it.
    setTimeout(offer.run, 0);
  };
  const giveKey = (offer: Offer | undefined): void => {
    setFailed(null);
    if (offer?.command) setGiving({ command: offer.command, refused: null });
  };
  const onGivenKey = (event: KeyboardEvent, { command }: Giving): void => {
    event.preventDefault();
    event.stopPropagation();
    // React hears at the root; the page's own listener is on the document above it.
    event.nativeEvent.stopImmediatePropagation();
    const chord = chordOf(event.nativeEvent, mac);
    if (chord === null) return;
    const refused = chord === 'Escape' ? null : take(command, chord);
    setGiving(refused === null ? null : { command, refused });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (giving) {
      onGivenKey(event, giving);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(offered.length - 1, chosen + step)));
    else if (event.key === 'Enter') run(offered[chosen]);
    else if (event.key === 'F2') giveKey(offered[chosen]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <TextInput
        aria-label={tr('Search commands')}
        placeholder={
          ws === null ? tr('What do you want to do?') : tr('Search commands, tasks, recordings, people, versions')
        }
        leftSection={<IconSearch size={16} aria-hidden />}
        variant="unstyled"
        size="md"
        className={classes.search}
        value={text}
        readOnly={giving !== null}
        // Escape then leaves the key alone and not the palette.
        data-mantine-stop-propagation={giving !== null || undefined}
        onBlur={() => setGiving(null)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={offered.length > 0 ? `${id}-${chosen}` : undefined}
      />
      <div className={classes.list} ref={list} id={id} role="listbox" aria-label={tr('Commands')}>
        {offered.map((offer, i) => (
          <div key={offer.id} role="none" className={classes.row} onMouseMove={() => (giving ? null : setAt(i))}>
            <UnstyledButton
              id={`${id}-${i}`}
              data-at={i}
              role="option"
              aria-selected={i === chosen}
              tabIndex={-1}
              className={classes.command}
              onClick={() => run(offer)}
            >
              <span className={classes.label}>{offer.label}</span>
              <span className={classes.scope}>{offer.note}</span>
              {offer.command !== null && <Kbd command={offer.command.id} />}
            </UnstyledButton>
            {offer.command !== null && (
              <UnstyledButton
                aria-hidden
                tabIndex={-1}
                className={classes.giveKey}
                title={tr('Change the key of “{label}” (F2)', { label: offer.label })}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => giveKey(offer)}
              >
                <IconKeyboard size={15} aria-hidden />
              </UnstyledButton>
            )}
          </div>
        ))}
      </div>
      {offered.length === 0 && <p className={classes.nothing}>{tr('Nothing matches these words.')}</p>}
      <p className={classes.foot} role="status" data-giving={giving !== null}>
        {giving !== null
          ? `${giving.refused ?? ''} ${tr('Press the new key of “{label}”; Escape leaves it as it is.', { label: giving.command.label })}`.trim()
          : failed !== null
            ? tr('The key was not stored. {message}', { message: failed })
            : offered[chosen]?.command && trParts('{key} changes its key', { key: <ChordKeys chord="F2" /> })}
      </p>
    </>
  );
}

/** What the page is for comes first, then its comments and numbered choices, then what can be done everywhere. */
function usefulness({ id, scope }: ActiveCommand): number {
  if (scope === 'global') return 2;
  return LESS_USEFUL.test(id) ? 1 : 0;
}
const LESS_USEFUL = /^comment\.|\d$/;
