/**
 * Fills the workspace into a command that an error proposes (`--workspace …`), as this command line named it, so that the line
 * can be copied as it is; leaves it out where there is a default. Otherwise the message stays.
 */
export function fillInWorkspace(message: string, args: readonly string[], hasDefault: boolean): string {
  const given = workspaceIn(args);
  // A function: `$&` in a path is no pattern.
  if (given === null) return hasDefault ? message.replaceAll(' --workspace …', '') : message;
  return message.replaceAll('--workspace …', () => `--workspace ${asWord(given)}`);
}

function workspaceIn(args: readonly string[]): string | null {
  for (const [at, word] of args.entries()) {
    if (word === '--') return null;
    if (word === '--workspace' || word === '-w') return args[at + 1] ?? null;
    const [, joined] = /^(?:--workspace=|-w)(.+)$/s.exec(word) ?? [];
    if (joined !== undefined) return joined;
  }
  return null;
}

/** The text as one word of a shell: unchanged where no shell changes it, otherwise in double quotes, which every system has. */
const asWord = (text: string): string =>
  /^[\p{L}\p{N}_./~:\\@%+-]+$/u.test(text) && (process.platform === 'win32' || !text.includes('\\'))
    ? text
    : `"${process.platform === 'win32' ? text : text.replace(/["\\$`]/g, '\\$&')}"`;
