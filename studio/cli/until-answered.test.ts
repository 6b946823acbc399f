import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ERROR_EXIT } from '../../schemas/errors.ts';

/** A process of its own: it is about how one ends. */
function ended(work: string): { status: number | null; stderr: string; stdout: string } {
  const code = `
    const { untilAnswered } = await import(${JSON.stringify(new URL('./until-answered.ts', import.meta.url).href)});
    process.exitCode = await untilAnswered((async () => { ${work} })());
    console.log('done');`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
}

test('what waits for something that was lost says so, and is no server out of reach', () => {
  const { status, stderr, stdout } = ended('await new Promise(() => undefined);');
  expect(status).toBe(ERROR_EXIT.INTERNAL);
  expect(stderr).toContain('error INTERNAL: The program ended while it still waited');
  expect(stdout).toBe('');
});

test('what ends, however it does, is left as it is', () => {
  expect(ended('return 4;')).toMatchObject({ status: 4, stderr: '', stdout: 'done\n' });
  expect(ended("throw new Error('broke');")).toMatchObject({ status: 1, stderr: expect.stringContaining('broke') });
});

test('a process that is ended on purpose says nothing of it', () => {
  expect(ended('await null; process.exit(7);')).toMatchObject({ status: 7, stderr: '' });
});
