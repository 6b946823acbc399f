/** Paths as a page knows them: of the studio's machine, whose system may not be the browser's. */

/** From the root, a drive, a share or the home on. */
const WHOLE = /^(?:~|\/|[a-z]:[/\\]|\\\\)/i;

/** Where looking begins for what a field says: the folder that it names or is to be in; nothing for no whole path. */
export function whereToLook(value: string, writes: boolean): string {
  const path = value.trim();
  if (!WHOLE.test(path)) return '';
  return writes ? aboveOf(path) : `${path}/`;
}

/** The folder above a path, with its separator; the path itself where there is none above it. */
export function aboveOf(path: string): string {
  const end = path.replace(/(?<![/\\])[/\\]+$/, '');
  const at = Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\'));
  return at < 0 ? path : end.slice(0, at + 1);
}

/** The last part of a path: what is written there. */
export const lastNameOf = (path: string): string => {
  const end = path.trim().replace(/(?<![/\\])[/\\]+$/, '');
  return end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1);
};

/** A folder as a field says it, without the separator at its end; a root or a drive (`/`, `C:\`) keeps it. */
export function withoutEnd(dir: string): string {
  const end = dir.replace(/(?<![/\\])[/\\]+$/, '');
  return end === '' || /^[a-z]:$/i.test(end) ? dir : end;
}
