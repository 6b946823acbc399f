import { Modal, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { FocusAtOnce } from '../ui/dialog.tsx';
import { findCommands, scopeName } from './commands.ts';
import { Kbd } from './kbd.tsx';
import classes from './palette.module.css';
import { type ActiveCommand, activeCommands, useKeys } from './store.ts';

/** Every command that can be done now, found by its words and done with Enter. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }): ReactNode {
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
      <Modal.Content aria-label="Command palette">
        <Modal.Body p={0}>
          <FocusAtOnce />
          <Found onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Found({ onClose }: { onClose: () => void }): ReactNode {
  const active = useKeys((state) => state.active);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const offered = findCommands(
    activeCommands({ active }).filter((command) => !command.notInPalette),
    text,
  );
  const chosen = Math.min(at, offered.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${chosen}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const run = (command: ActiveCommand | undefined): void => {
    if (!command) return;
    onClose();
    // After the dialog has given the focus back, so that what runs may take it.
    setTimeout(() => command.run(null), 0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(offered.length - 1, chosen + step)));
    else if (event.key === 'Enter') run(offered[chosen]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <TextInput
        aria-label="Search commands"
        placeholder="What do you want to do?"
        leftSection={<IconSearch size={16} aria-hidden />}
        variant="unstyled"
        size="md"
        className={classes.search}
        value={text}
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
      <div className={classes.list} ref={list} id={id} role="listbox" aria-label="Commands">
        {offered.map((command, i) => (
          <UnstyledButton
            key={command.id}
            id={`${id}-${i}`}
            data-at={i}
            role="option"
            aria-selected={i === chosen}
            tabIndex={-1}
            className={classes.command}
            onMouseMove={() => setAt(i)}
            onClick={() => run(command)}
          >
            <span className={classes.label}>{command.label}</span>
            <span className={classes.scope}>{command.scope === 'global' ? '' : scopeName(command.scope)}</span>
            <Kbd command={command.id} />
          </UnstyledButton>
        ))}
      </div>
      {offered.length === 0 && <p className={classes.nothing}>No command has these words.</p>}
    </>
  );
}
