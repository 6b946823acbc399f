import { readFileSync, writeFileSync } from 'node:fs';
import { runCli } from '../../studio/cli/program.ts';

/**
 * Runs commands of the studio one after another, in one process: under Wine a start takes seconds. Its argument names a file
 * with the commands' words; what each said is written beside it.
 */

const [file = ''] = process.argv.slice(2);
// Written by the test that starts this.
const commands = JSON.parse(readFileSync(file, 'utf8')) as string[][];
const said: { status: number; stdout: string; stderr: string }[] = [];
for (const words of commands) {
  const one = { status: 0, stdout: '', stderr: '' };
  one.status = await runCli(words, '0.0.0', {
    out: (text) => {
      one.stdout += text;
    },
    err: (text) => {
      one.stderr += text;
    },
  });
  said.push(one);
}
writeFileSync(`${file}.said`, JSON.stringify(said));
