import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesInWords, didYouMean, oneLine, plural } from './words.ts';

test('one is one, everything else is many', () => {
  expect([0, 1, 2, 1204].map((n) => plural(n, 'recording'))).toEqual([
    '0 recordings',
    '1 recording',
    '2 recordings',
    '1,204 recordings',
  ]);
  expect([plural(1, 'box', 'boxes'), plural(2, 'box', 'boxes')]).toEqual(['1 box', '2 boxes']);
});

test('a size has a unit in which it is not nothing', () => {
  expect([0, 1, 1001, 99_999, 2_400_000, 268_435_456, 1_500_000_000].map(bytesInWords)).toEqual([
    ...['0 kB', '1 kB', '2 kB', '100 kB', '2.4 MB', '268 MB', '1.5 GB'],
  ]);
});

test('a text on one line is one to every reader', () => {
  expect(oneLine(' a  b\r\n\n c\u2028d\u2029e\u0085f\vg\fh\u001ci ')).toBe('a  b c d e f g h i');
});

/** A number put straight before a plural noun. */
const COUNTED =
  /\$\{(?!MOST_|most|fps|limits|\w*LIMITS)[^{}]*\} (?:recordings|tasks|subtasks|questions|leaks|cases|plays|actions|frames|events)\b/;

test('no command or message counts without looking at whether it is one', () => {
  const found = globSync('{core,studio}/**/*.ts')
    .filter((file) => !/\.test\.ts$|-for-tests\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => [file, line.trim()] as const),
    )
    .filter(([, line]) => COUNTED.test(line) && !/=== 1 \?/.test(line))
    .map(([file, line]) => `${file}: ${line}`);
  expect(found).toEqual([]);
});

test('a name that is nearly one of those known is answered with it, and nothing far away is', () => {
  const known = ['videogui', 'agentnet', 'coco'];
  expect(didYouMean('videgui', known)).toBe(' Did you mean "videogui"?');
  expect(didYouMean('AgentNet', known)).toBe(' Did you mean "agentnet"?');
  expect(didYouMean('avi', known)).toBe('');
});
