import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLineFile } from './append.ts';
import { cutTornLine } from './torn.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'append-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const read = (name: string) => readFileSync(join(dir, name), 'utf8');

it('numbers lines as they come and writes them at the flush', () => {
  const file = openLineFile(join(dir, 'a'));
  expect([file.add({ a: 1 }), file.add({ a: 2 })]).toEqual([0, 1]);
  expect(read('a')).toBe('');
  file.flush();
  expect(read('a')).toBe('{"a":1}\n{"a":2}\n');
  file.close();
});

it('holds a line, and those after it, until it is complete', async () => {
  const file = openLineFile(join(dir, 'a'));
  const done = Promise.withResolvers<void>();
  const line: { code: string } = { code: 'Unknown' };
  file.add({ first: true });
  file.add(line, done.promise);
  file.add({ last: true });
  file.flush();
  expect(read('a')).toBe('{"first":true}\n');
  line.code = 'IntlBackslash';
  done.resolve();
  await done.promise;
  file.flush();
  expect(read('a')).toBe('{"first":true}\n{"code":"IntlBackslash"}\n{"last":true}\n');
  file.close();
});

it('writes an incomplete line all the same when it is closed', () => {
  const file = openLineFile(join(dir, 'a'));
  file.add({ code: 'Unknown' }, new Promise(() => undefined));
  file.close();
  expect(read('a')).toBe('{"code":"Unknown"}\n');
});

it('never writes over a file that is there', () => {
  writeFileSync(join(dir, 'a'), 'kept');
  expect(() => openLineFile(join(dir, 'a'))).toThrow(/EEXIST/);
  expect(read('a')).toBe('kept');
});

it.each([
  ['{"a":1}\n{"b":', true, '{"a":1}\n'],
  ['{"a":1}\n', false, '{"a":1}\n'],
  ['{"b":', true, ''],
  ['', false, ''],
])('cuts a torn last line: %j', (before, torn, after) => {
  writeFileSync(join(dir, 'a'), before);
  expect(cutTornLine(join(dir, 'a'))).toBe(torn);
  expect(read('a')).toBe(after);
});

it('finds the last line break far before the end of a long torn line', () => {
  writeFileSync(join(dir, 'a'), `{"a":1}\n${'x'.repeat(200_000)}`);
  expect(cutTornLine(join(dir, 'a'))).toBe(true);
  expect(read('a')).toBe('{"a":1}\n');
});

it('lets go of a file that is rewritten, and goes on behind what is in it then', () => {
  const file = openLineFile(join(dir, 'a'));
  file.add({ t: 1 });
  file.flush();
  file.add({ t: 2 });
  file.add({ t: 3 });
  file.letGo((line) => 't' in line && line.t === 2);
  expect(read('a')).toBe('{"t":1}\n{"t":2}\n');
  file.add({ t: 4 });
  file.flush();
  file.sync();
  expect(read('a')).toBe('{"t":1}\n{"t":2}\n');
  rmSync(join(dir, 'a'));
  writeFileSync(join(dir, 'a'), '{"t":2}\n');
  file.goOn(1);
  expect(file.add({ t: 5 })).toBe(2);
  file.flush();
  expect(read('a')).toBe('{"t":2}\n{"t":4}\n{"t":5}\n');
  file.close();
});

it('closed while it is let go of, what waits goes nowhere', () => {
  const file = openLineFile(join(dir, 'a'));
  file.letGo(() => false);
  file.add({ t: 4 });
  file.close();
  file.close();
  expect(read('a')).toBe('');
});
