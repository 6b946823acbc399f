import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepToken, readToken, tokenFile } from './token.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'token-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a token is kept for this person alone, and forgotten again', () => {
  const file = tokenFile({ XDG_CONFIG_HOME: home });
  expect(readToken(file)).toBeNull();
  keepToken(file, 'abc');
  expect(readToken(file)).toBe('abc');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file))).toEqual(['screen-cast.json']);
  keepToken(file, null);
  expect(readToken(file)).toBeNull();
});

test('what is no token is none, and a place that cannot be written is no error', () => {
  const file = join(home, 'screen-cast.json');
  for (const text of ['', '{', '[]', '{"token":1}', `{"token":"${'x'.repeat(5000)}"}`]) {
    writeFileSync(file, text);
    expect(readToken(file)).toBeNull();
  }
  writeFileSync(join(home, 'file'), '');
  keepToken(join(home, 'file', 'screen-cast.json'), 'abc');
  chmodSync(home, 0o700);
});

test('with TRAJECTORY_STUDIO_HOME it lies there', () => {
  expect(tokenFile({ TRAJECTORY_STUDIO_HOME: home })).toBe(join(home, 'screen-cast.json'));
});
