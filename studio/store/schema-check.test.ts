import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { MIGRATIONS } from './migrations/index.ts';
import { temporaryFolders } from './recording-for-tests.ts';
import { openWorkspace } from './workspace.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

/** A new workspace whose database somebody changed by hand. */
function changedBy(sql: string): string {
  const dir = join(folders.make(), 'studio');
  openWorkspace(dir, { create: true }).close();
  const sqlite = new Sqlite(join(dir, 'studio.sqlite'));
  sqlite.unsafeMode(true);
  sqlite.exec(sql);
  sqlite.close();
  return dir;
}

const ENDLESS = 'with recursive n (i) as (select 1 union all select i + 1 from n)';
const SOFTWARE = `drop table software; create view software as ${ENDLESS}
  select i as id, 'x' as name, 'X' as prefix, '' as platforms, '' as aliases, '' as executables, '' as created_at from n`;
const MADE = {
  trigger: ['create trigger t after insert on people begin delete from software; end', 'people'],
  view: ['create view t as select 1', 'sqlite_t'],
  index: ['create index t on people (hex(name))', 'people'],
} as const;
/** Written into the schema by hand, where SQLite looks at no name and takes a type in capitals. */
function disguised(what: keyof typeof MADE, type: string): string {
  const [sql, table] = MADE[what];
  return `${sql}; pragma writable_schema = on; update sqlite_schema set type = '${type}', name = 'sqlite_t',
    tbl_name = '${table}', sql = replace(sql, ' t ', ' sqlite_t ') where name = 't'`;
}
const NEWEST = MIGRATIONS.at(-1)!.version;

describe('a database that somebody else made', () => {
  test.each([
    ['an endless view in place of a table', SOFTWARE, 'the view "software"'],
    [
      'an endless view in place of the table that holds the version',
      `drop table meta; create view meta as ${ENDLESS} select 'version' as key, i as value from n`,
      'the view "meta"',
    ],
    ['a trigger', 'create trigger t after update on meta begin delete from people; end', 'the trigger "t"'],
    ['a trigger under a name of SQLite’s own', disguised('trigger', 'TRIGGER'), 'the trigger "sqlite_t"'],
    ['a view under such a name', disguised('view', 'VIEW'), 'the view "sqlite_t"'],
    ['an index under such a name', disguised('index', 'index'), 'the index "sqlite_t"'],
    ['a virtual table', 'create virtual table v using fts5(x)', 'the virtual table "v"'],
    ['a table that no version makes', 'create table secrets (x)', 'the table "secrets"'],
    ['an index over an expression', 'create index i on meta (hex(value))', 'the index "i"'],
    [
      'a table with another check',
      'drop table meta; create table meta (key text primary key, value text not null check (length(zeroblob(value)) > 0)); ' +
        `insert into meta values ('version', '${NEWEST}')`,
      'the table "meta"',
    ],
    ['a missing table', 'drop table attachments', 'it has no table attachments'],
  ])('%s is refused before anything is read from it', (_what, sql, message) => {
    const dir = changedBy(sql);
    expect(() => openWorkspace(dir, { create: false })).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_DAMAGED', message: expect.stringContaining(message) }),
    );
    expect(existsSync(join(dir, 'studio.sqlite'))).toBe(true);
  });

  test('statistics that SQLite keeps itself are no strangers', () => {
    const dir = changedBy('analyze');
    openWorkspace(dir, { create: false }).close();
  });

  test('a newer version says that it is newer, whatever tables it has', () => {
    const dir = changedBy("create table of_tomorrow (x); update meta set value = '999' where key = 'version'");
    expect(() => openWorkspace(dir, { create: false })).toThrow(expect.objectContaining({ code: 'FUTURE_VERSION' }));
  });
});
