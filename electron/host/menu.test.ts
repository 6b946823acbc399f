import { describe, expect, test } from 'vitest';
import type { MenuCommand } from '../../schemas/desktop.ts';
import type { MenuItem } from './api.ts';
import { type MenuActs, menuAccelerator, menuTemplate } from './menu.ts';

const done: string[] = [];
const note = (what: string) => (id?: string) => void done.push(id === undefined ? what : `${what} ${id}`);
const acts: MenuActs = {
  command: note('command'),
  openFolder: note('folder'),
  importRecording: note('import'),
  openWorkspace: note('workspace'),
  newWindow: note('window'),
  openLogs: note('logs'),
  quit: note('quit'),
};
const command = (id: string, group: string, key: string | null, enabled = true): MenuCommand => ({
  id,
  label: `Do ${id}`,
  group,
  key,
  enabled,
});
const flat = (items: readonly MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...flat(item.submenu ?? [])]);
const byId = (items: readonly MenuItem[], id: string) => flat(items).find((item) => item.id === id);

describe('the native menu', () => {
  const commands = [
    command('app.library', 'Everywhere', 'Alt+1'),
    command('app.settings', 'Everywhere', 'Ctrl+,'),
    command('annotate.undo', 'Annotate', 'Ctrl+Z'),
    command('annotate.done', 'Annotate', 'D', false),
    command('record.start', 'Record', 'Ctrl+Enter'),
  ];
  const menu = menuTemplate({ platform: 'linux', commands, recent: [{ id: 'ab', name: 'R&D' }] }, acts);

  test('has every command once, with its key shown but left to the page', () => {
    const ids = flat(menu).flatMap(({ id }) => (id?.includes('.') ? [id] : []));
    expect(ids.toSorted()).toEqual(commands.map(({ id }) => id).toSorted());
    expect(byId(menu, 'annotate.undo')).toMatchObject({ accelerator: 'Control+Z', registerAccelerator: false });
    expect(byId(menu, 'annotate.done')).toMatchObject({ label: 'Do annotate.done (D)', enabled: false });
    expect(byId(menu, 'annotate.done')?.accelerator).toBeUndefined();
  });

  test('has the same places in every language of the page', () => {
    const german = [
      command('app.library', 'Überall', 'Alt+1'),
      command('app.settings', 'Überall', 'Ctrl+,'),
      command('record.start', 'Aufzeichnen', 'Ctrl+Enter'),
      command('annotate.undo', 'Annotieren', 'Ctrl+Z'),
    ];
    const made = menuTemplate({ platform: 'linux', commands: german, recent: [] }, acts);
    const labels = made.map(({ label }) => label);
    expect(labels).toEqual(['File', 'Edit', 'View', 'Go', 'Annotieren', 'Aufzeichnen', 'Window', 'Help']);
    expect(flat(made).filter(({ id }) => id === 'app.settings')).toHaveLength(1);
    expect(made[3]?.submenu?.map(({ id }) => id)).toEqual(['app.library']);
  });

  test('does what is chosen', () => {
    done.length = 0;
    for (const id of ['annotate.undo', 'open-folder', 'import', 'recent:ab', 'new-window', 'logs', 'quit'])
      byId(menu, id)?.click?.();
    expect(done).toEqual(['command annotate.undo', 'folder', 'import', 'workspace ab', 'window', 'logs', 'quit']);
  });

  test('shows an & in a name as one, and says when there is nothing to open', () => {
    expect(byId(menu, 'recent:ab')?.label).toBe('R&&D');
    const empty = menuTemplate({ platform: 'linux', commands: [], recent: [] }, acts);
    expect(byId(empty, 'open-recent')?.submenu).toEqual([{ label: 'None Yet', enabled: false }]);
  });

  test('folds a page with very many commands, and loses none', () => {
    const many = Array.from({ length: 90 }, (_, i) => command(`annotate.${i}`, 'Annotate', null));
    const folded = menuTemplate({ platform: 'win32', commands: many, recent: [] }, acts);
    expect(flat(folded).filter(({ id }) => id?.startsWith('annotate.'))).toHaveLength(90);
    for (const { submenu } of flat(folded)) expect(submenu?.length ?? 0).toBeLessThanOrEqual(25);
  });

  test('is a Mac’s on a Mac: its own menu first, keys as text', () => {
    const mac = menuTemplate({ platform: 'darwin', commands, recent: [] }, acts);
    expect(mac[0]?.submenu?.map(({ role }) => role)).toEqual(expect.arrayContaining(['about', 'services', 'hide']));
    expect(byId(mac, 'quit')?.accelerator).toBe('Command+Q');
    expect(byId(mac, 'annotate.undo')).toMatchObject({ label: 'Do annotate.undo (Ctrl+Z)' });
  });
});

test.each([
  ['Ctrl+Shift+Z', 'Control+Shift+Z'],
  ['Alt+ArrowUp', 'Alt+Up'],
  ['Ctrl++', 'Control+Plus'],
  ['Meta+K', 'Super+K'],
  ['D', null],
  ['Shift+F', null],
  ['Alt+ä', null],
])('the key %s is shown as %s', (key, accelerator) => expect(menuAccelerator(key, false)).toBe(accelerator));
