/**
 * Ten conditions out of public bug reports, made anew: what is right, and what this program makes of them.
 *
 *     node test/cases.ts [05 08 …]
 *
 * Prints a table, and ends with 1 when one is not right. test/e2e/cases.e2e.ts holds the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORTS } from './cases/imports.ts';
import { KEYS } from './cases/keys.ts';

const wanted = process.argv.slice(2);
let wrong = 0;
console.log('| condition | right | came |\n| --- | --- | --- |');
for (const { name, right, run } of [...KEYS, ...IMPORTS]) {
  if (wanted.length > 0 && !wanted.some((number) => name.startsWith(number))) continue;
  const folder = mkdtempSync(join(tmpdir(), 'studio-case-'));
  try {
    const came = await run(folder);
    const isRight = JSON.stringify(came) === JSON.stringify(right);
    if (!isRight) wrong++;
    const said = (lines: readonly string[]): string => lines.map((line) => short(line)).join(' / ');
    console.log(`| ${name} | ${said(right)} | ${isRight ? 'right' : `WRONG: ${said(came)}`} |`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = wrong > 0 ? 1 : 0;

function short(line: string): string {
  const plain = line.replaceAll('|', '\\|');
  return plain.length <= 60 ? plain : `${plain.slice(0, 57)}…`;
}
