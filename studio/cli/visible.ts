import type { Streams } from './context.ts';

/**
 * Signs that a terminal obeys instead of showing: it would change its title, write the clipboard, hide or reorder what stands
 * there. Line ends and tabs stay. Written as `\u001b`, which is the same sign in JSON.
 */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** A text with such signs made visible. */
export const visible = (text: string): string => text.replace(OBEYED, escaped);

/** A text that is to stay in its line: line ends and tabs are made visible, too. */
export const visibleLine = (text: string): string => visible(text).replace(/[\r\n\t]/g, escaped);

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Everything that commands write goes through here: goals, names and messages come from recordings of others. */
export const visibleStreams = ({ out, err }: Streams): Streams => ({
  out: (text) => out(visible(text)),
  err: (text) => err(visible(text)),
});
