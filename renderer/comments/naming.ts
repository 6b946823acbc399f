/** Writing the name of a person into a comment: `@` and the beginning of a name, which is completed. */

/** Names that are offered at once. */
const MOST = 8;
/** Letters of a name that are looked back over. */
const MOST_LETTERS = 60;

/** What was typed of a name before the caret: its letters, and where the @ stands. Null where no name is being typed. */
export function nameBegun(text: string, caret: number): { text: string; from: number } | null {
  const before = text.slice(Math.max(0, caret - MOST_LETTERS), caret);
  const found = /(?:^|[^\p{L}\p{N}_])@([^@\n]*)$/u.exec(before);
  if (!found) return null;
  const typed = found[1] ?? '';
  return { text: typed, from: caret - typed.length - 1 };
}

/** People one of whose names begins so, in the order of the list. A name that was written out is offered no more. */
export function namesFor<T extends { name: string }>(typed: string, people: readonly T[]): T[] {
  const wanted = typed.toLowerCase();
  return people
    .filter(({ name }) => {
      const known = name.toLowerCase();
      return known !== wanted && (known.startsWith(wanted) || known.includes(` ${wanted}`));
    })
    .slice(0, MOST);
}

/** The text with the whole name in place of what stands from the @ to the caret, and the place after it and a space. */
export function completeName(text: string, from: number, caret: number, name: string): { text: string; end: number } {
  const rest = text.slice(caret);
  const written = `@${name}${/^\s/.test(rest) ? '' : ' '}`;
  return { text: `${text.slice(0, from)}${written}${rest}`, end: from + name.length + 2 };
}
