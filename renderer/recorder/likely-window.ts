import type { Preflight, SoftwareInfo } from '../../schemas/api/models.ts';

type Program = Pick<SoftwareInfo, 'name' | 'aliases' | 'executables'>;

/**
 * The window that is meant where nobody has chosen yet, by its title: the one of the task's software, else the only one
 * there is. Null where it could be another, or where two have the same title.
 */
export function likelyWindow(windows: Preflight['windows'], software: Program | undefined): string | null {
  const words = software
    ? [software.name, ...software.aliases, ...software.executables].map((word) => word.toLowerCase())
    : [];
  const own = windows.filter(({ app }) => words.includes(app.toLowerCase()));
  const found = own.length > 0 ? own : windows;
  const [only] = found;
  if (!only || found.length > 1) return null;
  return windows.filter(({ title }) => title === only.title).length === 1 ? only.title : null;
}
