/** A part of a text of the studio: words, or a command line, which stands between backticks there. */
type CommandWords = { text: string; isCommand: boolean };

/** A backtick without its pair is a letter like any other: a file may have one in its name. */
export function commandWords(text: string): CommandWords[] {
  const parts = text.split('`');
  const unpaired = parts.length % 2 === 0 ? `\`${parts.pop()}` : '';
  const last = parts.pop();
  return [...parts, `${last}${unpaired}`]
    .map((part, at) => ({ text: part, isCommand: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}
