import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { electronProgram, wayToStart } from './desktop-start.mjs';

const here = { program: '/electron', platform: 'linux', env: { DISPLAY: ':0' }, root: false };

test('npm start opens the desktop app where it is installed and there is a desktop', () => {
  expect(wayToStart([], here)).toBe('desktop');
  expect(wayToStart(['/data'], here)).toBe('desktop');
  expect(wayToStart([], { ...here, env: {}, platform: 'darwin' })).toBe('desktop');
});

test('else the browser: not installed, no desktop, root, or words for the server', () => {
  expect(wayToStart([], { ...here, program: null })).toBe('browser');
  expect(wayToStart([], { ...here, env: {} })).toBe('browser');
  expect(wayToStart([], { ...here, root: true })).toBe('browser');
  for (const words of [['--browser'], ['--port', '0'], ['--no-open'], ['--workspace', 'x']])
    expect([words, wayToStart(words, here)]).toEqual([words, 'browser']);
});

test('npm run desktop means it', () => {
  expect(wayToStart(['--desktop'], { ...here, program: null })).toBe('desktop');
});

test('Electron is installed when its program is there, not only its package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'electron-'));
  try {
    expect(electronProgram(folder)).toBeNull();
    writeFileSync(join(folder, 'path.txt'), 'electron');
    expect(electronProgram(folder)).toBeNull();
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'electron'), '');
    expect(electronProgram(folder)).toBe(join(folder, 'dist', 'electron'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
