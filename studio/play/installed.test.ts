import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../test/support/any-text.ts';
import { installedPrograms, programOf } from './installed.ts';

const entry = (lines: object): string =>
  [
    '[Desktop Entry]',
    ...Object.entries({ Type: 'Application', ...lines }).map(([key, value]) => `${key}=${value}`),
  ].join('\n');

test('an entry of the menu names its program as PATH does', () => {
  expect(programOf(entry({ Name: 'GIMP', Exec: 'gimp-2.10 %U' }))).toEqual({ command: 'gimp-2.10', name: 'GIMP' });
  expect(programOf(entry({ Name: 'A', Exec: '"/usr/bin/a b" --c' }))?.command).toBe('a b');
  expect(programOf(entry({ Name: 'A', Exec: '"/usr/bin/a"' }))?.command).toBe('a');
  expect(programOf(entry({ Name: 'Office', Exec: '/usr/bin/env LANG=C soffice --calc %U' }))?.command).toBe('soffice');
  // The actions of an entry are others.
  const actions = `${entry({ Exec: 'files' })}\n[Desktop Action new]\nName=New window\nExec=files --new`;
  expect(programOf(actions)).toBeNull();
  expect(programOf(`${entry({ Name: 'Files', Exec: 'files' })}\n[Desktop Action new]\nName=New\nExec=x`)?.name).toBe(
    'Files',
  );
});

test('what no person opens from a menu is left out', () => {
  const shown = { Name: 'A', Exec: 'a' };
  for (const more of [
    { NoDisplay: true },
    { Hidden: true },
    { Terminal: true },
    { Type: 'Link' },
    { Exec: '%f' },
    { Exec: '' },
    { Name: '' },
  ])
    expect(programOf(entry({ ...shown, ...more }))).toBeNull();
});

test('the folders are read in their order, and only what is installed is offered', () => {
  const root = mkdtempSync(join(tmpdir(), 'installed-'));
  const put = (folder: string, name: string, text: string): void => {
    mkdirSync(join(root, folder, 'applications'), { recursive: true });
    writeFileSync(join(root, folder, 'applications', name), text);
  };
  put('own', 'shell.desktop', entry({ Name: 'My shell', Exec: 'sh' }));
  put('all', 'shell.desktop', entry({ Name: 'Shell', Exec: 'sh' }));
  put('all', 'b.desktop', entry({ Name: 'Cat', Exec: 'cat' }));
  put('all', 'c.desktop', entry({ Name: 'No such', Exec: 'no-such-program-anywhere' }));
  put('all', 'd.txt', entry({ Name: 'No entry', Exec: 'ls' }));
  mkdirSync(join(root, 'all', 'applications', 'folder.desktop'));
  expect(installedPrograms(['own', 'all', 'none'].map((name) => join(root, name)).join(delimiter))).toEqual([
    { command: 'cat', name: 'Cat' },
    { command: 'sh', name: 'My shell' },
  ]);
});

test('no text is too odd an entry', () => {
  fc.assert(
    fc.property(fc.string(), anyText(), (a, b) => {
      const program = programOf(`[Desktop Entry]\nType=Application\nName=${a}\nExec=${b}`);
      expect(program === null || (program.command !== '' && !program.command.includes('/'))).toBe(true);
    }),
  );
});
