import { useEffect, useRef, useState } from 'react';
import { tr } from '../../language/tr.ts';
import { useActions } from '../context.ts';

export type FieldDraft = {
  text: string;
  /** Why it cannot be stored as it is, in words. */
  problem: string | null;
  /** Whether the person has changed it since the focus came: the field's own undo is about that. */
  typing: boolean;
  change: (text: string) => void;
  /** Stores it now (Enter, leaving the field). */
  finish: () => void;
  /** Back to what is stored. */
  revert: () => void;
};

/** `identity`: what it was typed for. `stored`: another gesture has stored it while the person was still typing. */
export type Typed = { identity: string; text: string; stored: boolean };

/**
 * The text that the field of `identity` shows. A stored text has its outer blanks cut off; while somebody types on, the
 * blank after a word must stay, or two words become one. A text that was stored since in another way (undo, another tab) is
 * shown.
 */
export function shownText(typed: Typed | null, identity: string, value: string): string {
  if (typed?.identity !== identity) return value;
  return typed.stored && words(typed.text) !== words(value) ? value : typed.text;
}

const words = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/**
 * A text that is being typed into the field of `identity` (an action, a subtask). It is stored as one gesture when it is
 * finished, always for what it was typed for; a text that is too long is reported and stays in the field.
 */
export function useFieldDraft(options: {
  identity: string;
  value: string;
  problemOf: (text: string) => string | null;
  store: (identity: string, text: string) => void;
}): FieldDraft {
  const actions = useActions();
  const [typed, setTyped] = useState<Typed | null>(null);
  const latest = useRef({ typed, options });
  latest.current = { typed, options };

  const set = (next: Typed | null): void => {
    latest.current = { ...latest.current, typed: next };
    setTyped(next);
  };
  /** `then`: whether the person has left the field, or types on. */
  const keep = (then: 'left' | 'types on'): void => {
    const { typed: now, options: given } = latest.current;
    if (!now) return;
    if (now.stored) {
      if (then === 'left') set(null);
      return;
    }
    const problem = given.problemOf(now.text);
    if (problem) {
      actions.say(tr('Not stored. {problem}', { problem }));
      return;
    }
    set(then === 'left' ? null : { ...now, stored: true });
    if (now.identity !== given.identity || now.text !== given.value) given.store(now.identity, now.text);
  };
  const keepRef = useRef(keep);
  keepRef.current = keep;
  useEffect(() => {
    const unregister = actions.whenSettling(() => keepRef.current('types on'));
    return () => {
      keepRef.current('left');
      unregister();
    };
  }, [actions]);

  const text = shownText(typed, options.identity, options.value);
  return {
    text,
    problem: options.problemOf(text),
    typing: typed !== null,
    change: (next) => set({ identity: options.identity, text: next, stored: false }),
    finish: () => keep('left'),
    revert: () => set(null),
  };
}
