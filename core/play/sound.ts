/** What ffmpeg prints of a sound. */

/** The tags of a file in ffmpeg's form FFMETADATA1, before its first section; a sign behind a backslash is itself. */
export function tagsOfMetadata(printed: string): Record<string, string> {
  const tags = new Map<string, string>();
  for (const line of joined(printed.split('\n'))) {
    if (line.startsWith('[')) break;
    const at = splitAt(line);
    if (line.startsWith(';') || at < 0) continue;
    tags.set(plain(line.slice(0, at)).toLowerCase(), plain(line.slice(at + 1)));
  }
  return Object.fromEntries(tags);
}

/** A line that ends with a backslash goes on in the next. */
function joined(lines: readonly string[]): string[] {
  const all: string[] = [];
  let goesOn = false;
  for (const line of lines) {
    if (goesOn) all.push(`${all.pop() ?? ''}\n${line}`);
    else all.push(line);
    goesOn = /(?:^|[^\\])(?:\\\\){0,500}\\$/.test(line.slice(-1002));
  }
  return all;
}

/** The first = that no backslash stands before. */
function splitAt(line: string): number {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === '=') return at;
  }
  return -1;
}

const plain = (text: string): string => text.replaceAll(/\\([\s\S])/g, '$1');

/** `Duration: 00:01:02.50` of ffmpeg's banner in seconds; null where it does not know. */
export function lengthInBanner(banner: string): number | null {
  const [, hours, minutes, seconds] = /^ {0,8}Duration: (\d{1,6}):(\d\d):(\d\d\.\d{1,6})/m.exec(banner) ?? [];
  if (hours === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
