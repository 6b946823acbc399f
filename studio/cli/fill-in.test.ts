import { expect, test } from 'vitest';
import { fillInWorkspace } from './fill-in.ts';

const MESSAGE = 'Add one with `software add "x" --workspace …`.';
const filled = (...args: string[]): string => fillInWorkspace(MESSAGE, args, false);

test('a proposed command has the workspace that the command line named, however it was written', () => {
  const wanted = 'Add one with `software add "x" --workspace /data/my-work`.';
  for (const words of [['-w', '/data/my-work'], ['--workspace', '/data/my-work'], ['--workspace=/data/my-work']])
    expect(filled('record', ...words, '--app', 'x')).toBe(wanted);
});

test.runIf(process.platform !== 'win32')('a folder that a shell would change is quoted', () => {
  expect(filled('-w', 'my work')).toContain('--workspace "my work"`');
  expect(filled('-w', 'a$&"b')).toContain('--workspace "a\\$&\\"b"`');
});

test('without a workspace, and behind --, the message stays', () => {
  for (const words of [[], ['-w'], ['--', '-w', 'other']]) expect(filled('record', ...words)).toBe(MESSAGE);
});

test('where a workspace is the default, the proposed command needs none', () => {
  expect(fillInWorkspace(MESSAGE, ['record'], true)).toBe('Add one with `software add "x"`.');
  expect(fillInWorkspace(MESSAGE, ['record', '-w', 'other'], true)).toContain('--workspace other`');
});
