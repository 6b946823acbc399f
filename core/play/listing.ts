/**
 * The names that a text of `ls -R` lists, below the folder that it begins with, with their folders; null for another text. What
 * is listed as a folder of its own has no / at its end.
 */
export function namesInListing(text: string): string[] | null {
  const sections = text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .map((section) => section.split('\n').filter((line) => line !== ''))
    .filter((lines) => lines.length > 0);
  const folderOf = (line: string | undefined): string | null =>
    line?.endsWith(':') ? line.slice(0, -1).replace(/\/$/, '') : null;
  const root = folderOf(sections[0]?.[0]);
  if (root === null) return null;
  const names: string[] = [];
  for (const [head, ...lines] of sections) {
    const folder = folderOf(head);
    if (folder === null || (folder !== root && !folder.startsWith(`${root}/`))) return null;
    const below = folder.slice(root.length + 1);
    for (const line of lines) names.push(below === '' ? line : `${below}/${line}`);
  }
  return names;
}
