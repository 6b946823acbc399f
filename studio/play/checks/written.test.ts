import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homeFiles, writtenSince } from './written.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'written-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('what was made and what was changed is told, nothing else', () => {
  mkdirSync(join(home, 'notes'));
  writeFileSync(join(home, 'notes', 'old.txt'), 'old');
  writeFileSync(join(home, 'notes', 'note.txt'), 'before');
  const before = homeFiles(home);
  writeFileSync(join(home, 'notes', 'note.txt'), 'after it was saved');
  writeFileSync(join(home, 'sums.csv'), 'a,b');
  expect(writtenSince(before, homeFiles(home))).toEqual(['notes/note.txt', 'sums.csv']);
});

test('settings of programs, links and what lies behind them are left alone', () => {
  const before = homeFiles(home);
  mkdirSync(join(home, '.config'));
  writeFileSync(join(home, '.config', 'program.ini'), 'x');
  writeFileSync(join(home, '.lock'), 'x');
  symlinkSync('/etc', join(home, 'link'));
  symlinkSync('/etc/passwd', join(home, 'passwords'));
  expect(writtenSince(before, homeFiles(home))).toEqual([]);
});

test('a home that nobody looks through was not written to', () => {
  expect(writtenSince(null, homeFiles(home))).toEqual([]);
  expect(homeFiles(join(home, 'gone'))).toEqual(new Map());
});
