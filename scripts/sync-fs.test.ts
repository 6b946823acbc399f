import { expect, test } from 'vitest';
import { outsideTheSeam, syncUses, syncUsesIn } from './sync-fs.mjs';

/** Uses in studio outside studio/files, of all rooms together. May only fall: lower it with what you take away. */
const CEILING = 501;
/** So many fewer may there be until the ceiling must follow. */
const SLACK = 12;

test('studio waits for the disk with all its thread no more often than it did', () => {
  const rooms = outsideTheSeam(syncUses());
  expect(rooms.length).toBeGreaterThan(8);
  const sum = rooms.reduce((total, [, count]) => total + count, 0);
  const list = rooms.map(([room, count]) => `${room} ${count}`).join(', ');
  const more = `Use node:fs/promises or studio/files instead of a synchronous function of node:fs (scripts/sync-fs.mjs ROOM lists them): ${list}`;
  expect(sum, more).toBeLessThanOrEqual(CEILING);
  expect(sum, `Lower CEILING in scripts/sync-fs.test.ts to ${sum}.`).toBeGreaterThanOrEqual(CEILING - SLACK);
});

const found = (source: string) => syncUsesIn('a.ts', source).map(({ line, name }) => `${line} ${name}`);

test('calls, what is handed on, other names and the whole module count', () => {
  expect(found("import { existsSync, readFileSync as read } from 'node:fs';\nif (existsSync(a)) read(a);")).toEqual([
    '2 existsSync',
    '2 readFileSync',
  ]);
  expect(
    found("import { existsSync } from 'node:fs';\nnames.some(existsSync);\nexport const isThere = existsSync;"),
  ).toEqual(['2 existsSync', '3 existsSync']);
  expect(found("import { realpathSync } from 'node:fs';\nrealpathSync.native(a);")).toEqual(['2 realpathSync']);
  expect(found("import fs from 'node:fs';\nfs.rmSync(a); fs.createReadStream(a);")).toEqual(['2 rmSync']);
  expect(found("import * as fs from 'node:fs';\nfs.rmSync(a);")).toEqual(['2 rmSync']);
});

test('imports, comments, texts, properties and what does not wait do not', () => {
  expect(found("import { existsSync } from 'node:fs';\n// existsSync(a)\nconst a = 'existsSync(b)';")).toEqual([]);
  expect(found("import { createReadStream } from 'node:fs';\ncreateReadStream(a);")).toEqual([]);
  expect(found("import { existsSync } from 'node:fs';\nother.existsSync(a);")).toEqual([]);
  expect(found("import { rm } from 'node:fs/promises';\nawait rm(a);\nfunction rmSync() {}\nrmSync();")).toEqual([]);
});

test('studio/files is the seam and counts apart', () => {
  expect(outsideTheSeam([{ room: 'files' }, { room: 'api' }, { room: 'store' }, { room: 'store' }])).toEqual([
    ['store', 2],
    ['api', 1],
  ]);
});
