import { Popover, Textarea, type TextareaProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Person } from '../../schemas/api/models.ts';
import { queries } from '../client/queries.ts';
import { tr } from '../language/tr.ts';
import { useWork } from '../workbench/store.ts';
import classes from './comments.module.css';
import { completeName, nameBegun, namesFor } from './naming.ts';

type Props = Omit<TextareaProps, 'value' | 'onChange' | 'onKeyDown'> & {
  value: string;
  onChange: (text: string) => void;
  /** Keys that the list of names leaves alone. */
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  field?: RefObject<HTMLTextAreaElement | null>;
};

/** A comment that is being written: after `@` the workspace's people are offered, for the arrows and Enter or a click. */
export function MentionField({ value, onChange, onKeyDown, field, ...rest }: Props): ReactNode {
  const ws = useWork((state) => state.ws);
  const own = useRef<HTMLTextAreaElement>(null);
  const element = field ?? own;
  const [caret, setCaret] = useState<number | null>(null);
  const [at, setAt] = useState(0);
  const [placed, setPlaced] = useState<number | null>(null);
  const id = useId();
  const begun = caret === null ? null : nameBegun(value, caret);
  const people = useQuery({ ...queries.people(ws), enabled: begun !== null }).data ?? NOBODY;
  const offered = begun === null ? [] : namesFor(begun.text, people);
  const marked = Math.min(at, offered.length - 1);
  const isOpen = offered.length > 0;

  const write = (text: string, to: number): void => {
    onChange(text);
    setCaret(to);
    setAt(0);
  };
  const take = (person: Person): void => {
    if (begun === null || caret === null) return;
    const { text, end } = completeName(value, begun.from, caret, person.name);
    write(text, end);
    setCaret(null);
    setPlaced(end);
  };
  // The browser puts the caret to the end of a text that was written for it.
  useLayoutEffect(() => {
    if (placed === null) return;
    element.current?.setSelectionRange(placed, placed);
    setPlaced(null);
  }, [placed, element]);

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const person = offered[marked];
    if (!isOpen || person === undefined || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) {
      onKeyDown?.(event);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((marked + step + offered.length) % offered.length);
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) take(person);
    else if (event.key === 'Escape') setCaret(null);
    else return;
    event.preventDefault();
    // The page hears keys on the document, and must not take this one for its own.
    event.stopPropagation();
  };

  return (
    <Popover
      opened={isOpen}
      position="bottom-start"
      offset={2}
      shadow="md"
      width={260}
      withRoles={false}
      trapFocus={false}
    >
      <Popover.Target>
        <Textarea
          {...rest}
          ref={element}
          value={value}
          onChange={({ currentTarget }) => write(currentTarget.value, currentTarget.selectionStart)}
          onKeyDown={onKey}
          onBlur={() => setCaret(null)}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={isOpen ? `${id}-${marked}` : undefined}
          // Escape then closes the list of names and not the dialog around.
          data-mantine-stop-propagation={isOpen || undefined}
        />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <div id={id} role="listbox" aria-label={tr('People to mention')}>
          {offered.map((person, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and hears the keys
            <div
              key={person.id}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === marked}
              tabIndex={-1}
              className={classes.offered}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(person)}
            >
              {person.name}
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const NOBODY: readonly Person[] = [];
