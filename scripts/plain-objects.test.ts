import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** What the linter says of a source text, with the project's rules. */
function lint(source: string): { status: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'plain-objects-'));
  try {
    writeFileSync(join(folder, 'example.ts'), source);
    const words = [BIOME, 'lint', `--config-path=${ROOT}`, '--vcs-enabled=false', folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an object that is spread where it is written is a fault', () => {
  const { status, said } = lint('export const pair = { a: 1, ...{ b: 2, c: 3 } };\n');
  expect(said).toContain('merges nothing: write its properties');
  expect(status).toBe(1);
});

test('a spread of something else is none', () => {
  const source = 'const b = { b: 2 };\nexport const pair = (c: boolean) => ({ a: 1, ...b, ...(c ? { c } : {}) });\n';
  expect(lint(source).said).not.toContain('merges nothing');
  expect(lint(source).status).toBe(0);
});
