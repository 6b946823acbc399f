import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { beginLines } from './log.ts';

const folders = temporaryFolders();

test('each line is whole in the file when it is told of, and others are served while it comes there', async () => {
  const path = join(folders.make(), 'lines.jsonl');
  const inFile = (): unknown[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const told: unknown[] = [];
  const log = await beginLines<{ n: number; text: string }>(path, () => told.push(inFile()));
  const lines = [1, 2, 3].map((n) => ({ n, text: 'ü\n'.repeat(n * 40_000) }));
  let served = 0;
  for (const [at, line] of lines.entries()) {
    const written = log.write(line);
    setImmediate(() => served++);
    await written;
    expect(served).toBe(at + 1);
    expect(told.at(-1)).toEqual(lines.slice(0, at + 1));
  }
  await log.close();
  await expect(beginLines(path)).rejects.toThrow('EEXIST');
  expect(inFile()).toEqual(lines);
});
