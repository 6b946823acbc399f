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

const ASSIGNED = /^([A-Za-z_]\w{0,60})="([^"$`\\\n]{0,300})"$/;

/** Without variables that the first lines give a plain value, where each is used in quotes of its own: `"$name"`. */
function withoutVariables(text: string): string {
  // In single quotes a variable is none.
  if (text.includes("'")) return text;
  const lines = text.split('\n');
  const values: [use: string, value: string][] = [];
  for (const line of lines) {
    const [, name, value] = ASSIGNED.exec(line) ?? [];
    if (name === undefined || values.length === 20) break;
    values.push([`"$${name}"`, `"${value}"`]);
  }
  return values.reduce((rest, [use, value]) => rest.replaceAll(use, value), lines.slice(values.length).join('\n'));
}

/** Words that a test of a file, or of a folder (`-d`), prints: `[ -f FILE ] && echo A || echo B`, or the same by `if`. */
export type FileTest = { path: string; folder: boolean; found: string; missing: string };

const WORDS = /^'([^'\n]{1,100})'$|^"([^"$`\\!\n]{1,100})"$/;
const TESTS = [
  /^\[ -([fd]) ([\w./~-]{1,300}) \] && echo ('[^']{1,100}'|"[^"]{1,100}") \|\| echo ('[^']{1,100}'|"[^"]{1,100}")$/,
  /^if \[ -([fd]) ([\w./~-]{1,300}) \]; then echo ('[^']{1,100}'|"[^"]{1,100}"); else echo ('[^']{1,100}'|"[^"]{1,100}"); fi$/,
];

/** Reads such a test; null for any other command. Options of echo are none of its words. */
export function fileTest(command: string): FileTest | null {
  for (const form of TESTS) {
    const [, kind, path, yes, no] = form.exec(command.trim()) ?? [];
    const [found, missing] = [yes, no].map((word) => {
      const [, single, double] = WORDS.exec(word ?? '') ?? [];
      return single ?? double ?? '';
    });
    const isPlain = (word: string | undefined): word is string => word !== undefined && /^[^-\\]/.test(word);
    if (path !== undefined && isPlain(found) && isPlain(missing) && found !== missing)
      return { path, folder: kind === 'd', found, missing };
  }
  return null;
}

/** The commands of a step: a list of words is one, or a text for a shell behind `bash -c`. */
export function commandsOf(command: unknown): string[][] | null {
  if (typeof command === 'string') return plainCommands(withoutVariables(command).replaceAll('$HOME/', '~/'));
  if (!Array.isArray(command) || !command.every((one) => typeof one === 'string')) return null;
  const [shell, option, text, ...more] = command;
  if (/^(?:\/bin\/)?(?:ba)?sh$/.test(shell ?? '') && option === '-c' && text !== undefined && more.length === 0)
    return plainCommands(withoutVariables(text).replaceAll('$HOME/', '~/'));
  return command.length === 0 ? null : [[...command]];
}
