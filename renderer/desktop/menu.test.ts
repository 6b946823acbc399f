import { expect, test } from 'vitest';
import type { ActiveCommand } from '../ui/keys/store.ts';
import { menuCommands } from './menu.ts';

const command = (id: string, scope: string, keys: string[], enabled = true): ActiveCommand => ({
  id,
  scope,
  keys,
  enabled,
  label: id,
  run: () => undefined,
});

test('the menu has the page’s commands before everybody’s, each once, with the key that it has now', () => {
  const active = [
    [command('app.palette', 'global', ['Mod+K']), command('app.keys', 'global', ['?'])],
    [command('annotate.next', 'annotate.steps', ['ArrowDown']), command('annotate.undo', 'annotate', ['Mod+Z'], false)],
    [command('annotate.undo', 'annotate', ['Mod+Z'])],
  ];
  expect(menuCommands(active, { 'app.keys': ['F1'] }, false)).toEqual([
    { id: 'annotate.undo', label: 'annotate.undo', group: 'Annotate', key: 'Ctrl+Z', enabled: true },
    { id: 'annotate.next', label: 'annotate.next', group: 'Annotate: steps', key: '↓', enabled: true },
    { id: 'app.palette', label: 'app.palette', group: 'Everywhere', key: 'Ctrl+K', enabled: true },
    { id: 'app.keys', label: 'app.keys', group: 'Everywhere', key: 'F1', enabled: true },
  ]);
  expect(menuCommands(active, {}, true).find(({ id }) => id === 'app.palette')?.key).toBe('⌘K');
  expect(menuCommands(active, { 'annotate.next': [] }, false).find(({ id }) => id === 'annotate.next')?.key).toBeNull();
});
