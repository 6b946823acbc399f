import type { MenuCommand } from '../../schemas/desktop.ts';

/** The calls that a page may make through the preload script: these and no others. */
export const CALLS = {
  menu: 'desktop:menu',
  pick: 'desktop:pick',
  dropped: 'desktop:dropped',
  sources: 'desktop:sources',
  openFolder: 'desktop:open-folder',
  allow: 'desktop:allow',
} as const;

/** Messages from the host to a page. */
export const TELLS = { command: 'desktop:command', open: 'desktop:open' } as const;

const MOST_COMMANDS = 1000;
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;

/** Commands for the menu as a page sent them; null when they are not of the shape. */
export function readCommands(value: unknown): MenuCommand[] | null {
  if (!Array.isArray(value) || value.length > MOST_COMMANDS) return null;
  const commands: MenuCommand[] = [];
  for (const one of value as unknown[]) {
    if (typeof one !== 'object' || one === null) return null;
    const [id, label, group, key, enabled] = ['id', 'label', 'group', 'key', 'enabled'].map((name): unknown =>
      Reflect.get(one, name),
    );
    if (!isText(id, 100) || !isText(label, 200) || !isText(group, 100) || typeof enabled !== 'boolean') return null;
    if (key !== null && !isText(key, 50)) return null;
    commands.push({ id, label, group, key, enabled });
  }
  return commands;
}

/** A path as a page sent it. */
export const readPath = (value: unknown): string | null => (isText(value, 4096) && value !== '' ? value : null);
