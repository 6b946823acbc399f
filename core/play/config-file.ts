/** The section of a heading's line, null of any other line. What stands behind the bracket is a remark, as VLC writes it. */
function headingOf(line: string): string | null {
  const end = line.startsWith('[') ? line.indexOf(']') : -1;
  return end < 0 ? null : line.slice(1, end).trim();
}

/**
 * The value of a key in a file of settings, as it is written there but for blanks at its ends; undefined where it is not set.
 * `section`: under that heading, '' before the first one; undefined: under any. Of several the last counts (PL43).
 */
export function valueInConfig(text: string, section: string | undefined, key: string): string | undefined {
  let here = '';
  let value: string | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const heading = headingOf(line);
    if (heading !== null) here = heading;
    else if (section === undefined || here === section.trim()) {
      const equals = line.indexOf('=');
      const at = equals < 0 ? line.indexOf(':') : equals;
      if (at >= 0 && line.slice(0, at).trim() === key.trim()) value = line.slice(at + 1).trim();
    }
  }
  return value;
}
