/** The plain part of shell commands: words, quotes, `~` and `$HOME`, one command after another. Nothing here runs anything. */

/**
 * A text for a shell as its commands, each a list of words; null where only a shell could tell what they are (pipes, variables,
 * patterns of file names, redirections).
 */
export function plainCommands(text: string): string[][] | null {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "'" || sign === '"') {
      const end = text.indexOf(sign, at + 1);
      const inside = text.slice(at + 1, end);
      if (end < 0 || (sign === '"' && /[$`\\]/.test(inside))) return null;
      word = (word ?? '') + inside;
      at = end;
    } else if (sign === ';' || sign === '\n') endCommand();
    else if (sign === '&' && text[at + 1] === '&') {
      endCommand();
      at++;
    } else if (/\s/.test(sign)) endWord();
    else if (sign === '\\' && at + 1 < text.length) word = (word ?? '') + text[++at]!;
    else if (/[$`&|<>(){}*?[\]!#\\]/.test(sign)) return null;
    else word = (word ?? '') + sign;
  }
  endCommand();
  return commands;
}

/** The commands of a step: a list of words is one, or a text for a shell behind `bash -c`. */
export function commandsOf(command: unknown): string[][] | null {
  if (typeof command === 'string') return plainCommands(command.replaceAll('$HOME/', '~/'));
  if (!Array.isArray(command) || !command.every((one) => typeof one === 'string')) return null;
  const [shell, option, text, ...more] = command;
  if (/^(?:\/bin\/)?(?:ba)?sh$/.test(shell ?? '') && option === '-c' && text !== undefined && more.length === 0)
    return plainCommands(text.replaceAll('$HOME/', '~/'));
  return command.length === 0 ? null : [[...command]];
}
