import type { FocusLook } from './key-judge.ts';
import type { HiddenPictures } from './screen-keyboards.ts';
import type { ShownChange } from './shown-follow.ts';

/**
 * What a recording says of secrets that it may hold all the same: fields that nobody told of, and times in which letters of a
 * password could be read on the screen. Each is a notice, and so a warning of the recording.
 */
export type SaySecrets = {
  /** There is no accessibility bus, for this reason. */
  missing(why: string, code: 'passwords-not-told' | 'elements-lost'): void;
  /** A program got keys and does not tell of its fields. */
  silent(look: Pick<FocusLook, 'silent'>): void;
  shown(change: ShownChange): void;
  /** No picture was kept meanwhile: an on-screen keyboard was seen while a secret was asked for, or may have been. µs. */
  hidden(cut: HiddenPictures): void;
  /** The recording ends at this time, µs. */
  over(t: number): void;
};

/** Programs that are named; more would hide what else is to be said. */
const MOST_NAMED = 12;

export function saySecrets(notice: (code: string, message: string) => void): SaySecrets {
  const named = new Set<string>();
  let shownFrom: number | null = null;

  function end(t: number): void {
    if (shownFrom === null) return;
    const [from, to] = [shownFrom, t].map(seconds);
    shownFrom = null;
    notice(
      'password-shown',
      `From ${from} s to ${to} s the letters of a field for passwords could be read on the screen: the pictures of that time show them. Look at them, and remove the recording where that must not be.`,
    );
  }
  return {
    missing(why, code) {
      notice(
        code,
        `No program can tell of its fields by now (${why.replace(/\.$/, '')}): fields for passwords are known in terminals and by the names of programs that ask for them; what is typed into others is recorded.`,
      );
    },
    silent({ silent }) {
      if (!silent || named.has(silent) || named.size >= MOST_NAMED) return;
      named.add(silent);
      notice(
        'passwords-not-told',
        `${silent} does not tell which of its fields are for passwords: what was typed into it is recorded, a password too.`,
      );
    },
    shown({ shown, from, t }) {
      if (shown) shownFrom ??= from;
      else end(t);
    },
    hidden({ from, to, isKnown }) {
      const why = isKnown ? 'a secret was asked for' : 'it was not known what had the keyboard';
      notice(
        'keyboard-hidden',
        `From ${seconds(from)} s to ${seconds(to)} s an on-screen keyboard was seen while ${why}: there are no pictures of that time, and what was pressed on it is withheld.`,
      );
    },
    over: end,
  };
}

const seconds = (us: number): string => (Math.max(0, us) / 1e6).toFixed(1);
