import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { errorBody, isPassing, StudioError } from '../../schemas/errors.ts';
import { isDatabaseBusy, lockedError, storeError } from './errors.ts';

const FILE = '/somewhere/studio.sqlite';
const codeFor = (code: string): string => {
  const error = storeError(new Sqlite.SqliteError('what SQLite says', code), FILE);
  if (!(error instanceof StudioError)) throw error;
  expect(error.message).toContain(FILE);
  return error.code;
};

describe('what SQLite reports', () => {
  test.each([
    ['SQLITE_FULL', 'DISK_FULL'],
    ['SQLITE_IOERR', 'DISK_FAILED'],
    ['SQLITE_IOERR_WRITE', 'DISK_FAILED'],
    ['SQLITE_IOERR_SHMSIZE', 'DISK_FAILED'],
    ['SQLITE_IOERR_NOMEM', 'OUT_OF_MEMORY'],
    ['SQLITE_NOMEM', 'OUT_OF_MEMORY'],
    ['SQLITE_BUSY', 'WORKSPACE_BUSY'],
    ['SQLITE_BUSY_SNAPSHOT', 'WORKSPACE_BUSY'],
    ['SQLITE_BUSY_RECOVERY', 'WORKSPACE_BUSY'],
    ['SQLITE_PROTOCOL', 'WORKSPACE_BUSY'],
    ['SQLITE_READONLY', 'WORKSPACE_UNWRITABLE'],
    ['SQLITE_READONLY_DBMOVED', 'WORKSPACE_UNWRITABLE'],
    ['SQLITE_CANTOPEN', 'WORKSPACE_UNWRITABLE'],
    ['SQLITE_CORRUPT', 'WORKSPACE_DAMAGED'],
    ['SQLITE_NOTADB', 'WORKSPACE_DAMAGED'],
  ])('%s is %s, and work is kept for it', (code, expected) => {
    expect(codeFor(code)).toBe(expected);
    expect(isPassing(expected)).toBe(true);
  });

  test('a defect of our own SQL stays what it is', () => {
    const error = new Sqlite.SqliteError('UNIQUE constraint failed', 'SQLITE_CONSTRAINT_UNIQUE');
    expect(storeError(error, FILE)).toBe(error);
  });

  test('a lock of SQLite is waited for, that of a recorder is not', () => {
    expect(isDatabaseBusy(lockedError(FILE))).toBe(true);
    expect(isDatabaseBusy(new StudioError('WORKSPACE_BUSY', 'Process 1 records', { file: FILE, pid: 1 }))).toBe(false);
  });
});

describe('what the system reports, at every boundary', () => {
  test.each([
    ['ENOSPC', 'DISK_FULL'],
    ['EDQUOT', 'DISK_FULL'],
    ['EIO', 'DISK_FAILED'],
    ['EROFS', 'WORKSPACE_UNWRITABLE'],
    ['EACCES', 'NO_PERMISSION'],
  ])('%s is %s and names the file', (code, expected) => {
    const error = Object.assign(new Error(`${code}: something`), { code, path: '/a/file' });
    expect(errorBody(error)).toMatchObject({ code: expected, message: expect.stringContaining('/a/file') });
  });

  test('a library that keeps the words alone, and everything else', () => {
    expect(errorBody(new Error('vips: unable to write: No space left on device')).code).toBe('DISK_FULL');
    expect(errorBody(new Error('undefined is not a function')).code).toBe('INTERNAL');
    expect(errorBody(Object.assign(new Error('ENOMEM'), { code: 'ENOMEM' })).code).toBe('OUT_OF_MEMORY');
    expect(errorBody('text').code).toBe('INTERNAL');
  });
});
