import type { MenuCommand } from '../../schemas/desktop.ts';
import type { MenuItem } from './api.ts';

/** The acts of the host's own menu entries. */
export type MenuActs = {
  command(id: string): void;
  openFolder(): void;
  importRecording(): void;
  openWorkspace(id: string): void;
  newWindow(): void;
  openLogs(): void;
  quit(): void;
};
type RecentWorkspace = { id: string; name: string };

type MenuState = {
  platform: string;
  commands: readonly MenuCommand[];
  recent: readonly RecentWorkspace[];
};

const SEPARATOR: MenuItem = { type: 'separator' };
/**
 * Commands of every page; those of the page at hand stand in menus of their own. They are told by their ids: headings are in
 * the page's language.
 */
const isEverywhere = ({ id }: MenuCommand): boolean => id.startsWith('app.');
const isRecorder = ({ id }: MenuCommand): boolean => id.startsWith('record.');
/** More of one group would not fit on a small screen: the rest goes into a submenu of its own. */
const MOST = 24;
const KEPT_BY_MENU = new Set(['app.settings', 'app.keys']);

/**
 * The whole native menu: what a desktop program has, and every command of the page at hand with its key. The page hears its
 * keys itself, so the menu only shows them (`registerAccelerator: false`); macOS, which knows no such thing, and keys
 * without a modifier get the key as text.
 */
export function menuTemplate(state: MenuState, acts: MenuActs): MenuItem[] {
  const { commands, platform } = state;
  const mac = platform === 'darwin';
  const item = (command: MenuCommand): MenuItem => commandItem(command, mac, acts);
  const global = commands.filter((one) => isEverywhere(one) && !KEPT_BY_MENU.has(one.id)).map(item);
  const own = (id: string): MenuItem[] => commands.filter((one) => one.id === id).map(item);
  const local = commands.filter((one) => !isEverywhere(one));
  const inOrder = [...local.filter((one) => !isRecorder(one)), ...local.filter(isRecorder)];
  const groups = [...new Set(inOrder.map(({ group }) => group))];
  const pages = groups.map((group) => ({
    label: group,
    submenu: folded(local.filter((one) => one.group === group).map(item)),
  }));
  const quit: MenuItem = {
    id: 'quit',
    label: mac ? 'Quit Trajectory Studio' : 'Quit',
    accelerator: mac ? 'Command+Q' : 'Control+Q',
    click: acts.quit,
  };
  const settings = own('app.settings');
  const appMenu: MenuItem = {
    label: 'Trajectory Studio',
    submenu: [
      { role: 'about' },
      SEPARATOR,
      ...settings,
      SEPARATOR,
      { role: 'services' },
      SEPARATOR,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      SEPARATOR,
      quit,
    ],
  };
  const file: MenuItem = {
    label: 'File',
    submenu: [
      { id: 'new-window', label: 'New Window', click: acts.newWindow },
      { id: 'open-folder', label: 'Open Workspace…', click: acts.openFolder },
      { id: 'open-recent', label: 'Open Recent', submenu: recentItems(state.recent, acts) },
      SEPARATOR,
      { id: 'import', label: 'Import Recording…', click: acts.importRecording },
      SEPARATOR,
      { role: 'close' },
      ...(mac ? [] : [SEPARATOR, ...settings, SEPARATOR, quit]),
    ],
  };
  const edit: MenuItem = {
    label: 'Edit',
    // Undo and redo are the page's own (its document has no other history), and stand with its commands.
    submenu: [{ role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }],
  };
  const view: MenuItem = {
    label: 'View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      SEPARATOR,
      { role: 'togglefullscreen' },
      { role: 'reload' },
    ],
  };
  const windows: MenuItem = {
    label: 'Window',
    submenu: mac ? [{ role: 'minimize' }, { role: 'zoom' }, SEPARATOR, { role: 'front' }] : [{ role: 'minimize' }],
  };
  const help: MenuItem = {
    label: 'Help',
    submenu: [
      ...own('app.keys'),
      { id: 'logs', label: 'Open the Folder of Logs', click: acts.openLogs },
      ...(mac ? [] : [SEPARATOR, { role: 'about' } as const]),
    ],
  };
  const go: MenuItem = { label: 'Go', submenu: global };
  return [...(mac ? [appMenu] : []), file, edit, view, ...(global.length > 0 ? [go] : []), ...pages, windows, help];
}

function recentItems(recent: readonly RecentWorkspace[], acts: MenuActs): MenuItem[] {
  if (recent.length === 0) return [{ label: 'None Yet', enabled: false }];
  return recent.slice(0, 12).map(({ id, name }) => ({
    id: `recent:${id}`,
    label: escapeLabel(name),
    click: () => acts.openWorkspace(id),
  }));
}

function folded(items: MenuItem[]): MenuItem[] {
  if (items.length <= MOST) return items;
  return [...items.slice(0, MOST), { label: 'More', submenu: folded(items.slice(MOST)) }];
}

/** `&` marks the letter to press on Windows and Linux. */
const escapeLabel = (text: string): string => text.replaceAll('&', '&&');

function commandItem(command: MenuCommand, mac: boolean, acts: MenuActs): MenuItem {
  const { id, label, key, enabled } = command;
  const accelerator = key === null ? null : menuAccelerator(key, mac);
  const shown = key !== null && accelerator === null ? `${label} (${key})` : label;
  return {
    id,
    label: escapeLabel(shown),
    enabled,
    ...(accelerator !== null && { accelerator, registerAccelerator: false }),
    click: () => acts.command(id),
  };
}

const ELECTRON_KEYS: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  '+': 'Plus',
};
const ELECTRON_MODIFIERS: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  Alt: 'Alt',
  Shift: 'Shift',
  Meta: 'Super',
};

/** A page's key as Electron shows it beside a command; null when it is shown as text. */
export function menuAccelerator(key: string, mac: boolean): string | null {
  // Only a key with Ctrl, Alt or Meta: others would look as if they worked while one types.
  if (mac || !/^(?:Ctrl|Alt|Meta)\+/.test(key)) return null;
  const plus = key.endsWith('++');
  const parts = (plus ? key.slice(0, -2) : key).split('+');
  const last = plus ? '+' : (parts.pop() ?? '');
  const modifiers = parts.map((part) => ELECTRON_MODIFIERS[part]);
  if (modifiers.some((one) => one === undefined) || /[^ -~]/.test(last)) return null;
  return [...modifiers, ELECTRON_KEYS[last] ?? last].join('+');
}
