import { expect, test } from 'vitest';
import { valueOfSetting } from './setting.ts';

test.each([
  ["'Cantarell 11'\n", 'Cantarell 11'],
  [`"it's"`, "it's"],
  [String.raw`'a\nb \\ \' \u00e9'`, "a\nb \\ ' é"],
  [String.raw`'\Uffffffff'`, String.raw`\Uffffffff`],
  ["''", ''],
  ["'", "'"],
  ['true\n', true],
  ['uint32 300', 300],
  ['int64 -5', -5],
  ['1.5', 1.5],
  ['byte 0x1f', 31],
  ["['a', 'b']", "['a', 'b']"],
  ['@as []', '@as []'],
  ['', ''],
])('%j is read as %j', (printed, value) => {
  expect(valueOfSetting(printed)).toBe(value);
});
