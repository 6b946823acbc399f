import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CheckReport } from '../../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../../schemas/checks-plain.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { readChecks } from './checks-file.ts';
import { evaluateChecks } from './evaluate.ts';
import { keepOutcome } from './outcome.ts';
import type { CheckPlace } from './read.ts';
import { zipOf } from './zip-for-tests.ts';

/** Each kind of check with good, bad, missing and hostile outcomes, through the process that looks at them. */

const folders = temporaryFolders();
afterAll(folders.clean);
let home = '';
let given = '';

/** Slides without end, all of them the bytes of the first. */
function sharedSlides(count: number, zip: Buffer): Buffer {
  const list = zip.indexOf(Buffer.from('504b0102', 'hex'));
  const entries = Array.from({ length: count }, (_, n) => {
    const name = `ppt/slides/slide${n + 1}.xml`;
    const head = Buffer.from(zip.subarray(list, list + 46));
    head.writeUInt16LE(name.length, 28);
    return Buffer.concat([head, Buffer.from(name)]);
  });
  const index = Buffer.concat(entries);
  const end = Buffer.from(zip.subarray(-22));
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(index.length, 12);
  return Buffer.concat([zip.subarray(0, list), index, end]);
}

const picture = (colour: string, width = 20): Promise<Buffer> =>
  sharp({ create: { width, height: 10, channels: 3, background: colour } })
    .png()
    .toBuffer();

beforeAll(async () => {
  home = folders.make();
  given = folders.make();
  const put = (name: string, content: string | Buffer): void => writeFileSync(join(home, name), content);
  mkdirSync(join(home, 'notes'));
  put('notes/note.txt', 'milk, 2 eggs\n');
  put('data.json', '{"items": [{"name": "a/b", "n": 3}]}');
  put('deep.json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  put('sums.csv', 'name,total\nmilk,12\n');
  put(
    'letter.docx',
    zipOf({ 'word/document.xml': '<w:document><w:p><w:r><w:t>Dear all</w:t></w:r></w:p></w:document>' }),
  );
  put('letter.odt', zipOf({ 'content.xml': '<office:text><text:p>Dear all</text:p></office:text>' }));
  put(
    'slides.pptx',
    zipOf({
      'ppt/slides/slide2.xml': '<a:p><a:t>two</a:t></a:p>',
      'ppt/slides/slide1.xml': '<a:p><a:t>one</a:t></a:p>',
    }),
  );
  const book = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
    'xl/worksheets/s.xml': '<worksheet><row r="3"><c r="B3"><v>12</v></c></row></worksheet>',
  };
  put('sums.xlsx', zipOf(book));
  put(
    'sums.ods',
    zipOf({
      'content.xml':
        '<table:table table:name="S"><table:table-row><table:table-cell office:value-type="float" office:value="12"/></table:table-row></table:table>',
    }),
  );
  put('bomb.docx', zipOf({ 'word/document.xml': Buffer.alloc(300_000_000, ' ') }));
  put('bomb.pptx', sharedSlides(300, zipOf({ 'ppt/slides/slide1.xml': `<a:t>${' '.repeat(30_000_000)}</a:t>` })));
  put(
    'entities.odt',
    zipOf({ 'content.xml': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><text:p>&x;</text:p>' }),
  );
  put('torn.xlsx', zipOf(book).subarray(0, 200));
  put('torn.docx', 'no document');
  put('shot.png', await picture('#102030'));
  put('bomb.png', Buffer.concat([await picture('#102030'), Buffer.alloc(10)]).subarray(0, 60));
  put('vlcrc', '[qt] # Qt interface\n#volume=256\nview=1\n[main]\nview=0\n');
  put('large.txt', '');
  truncateSync(join(home, 'large.txt'), 1e9);
  writeFileSync(join(given, 'wanted.png'), await picture('#102031'));
  writeFileSync(join(given, 'other.png'), await picture('#ff2031'));
  writeFileSync(join(given, 'note.txt'), 'milk, 2 eggs\n');
  symlinkSync('/etc/passwd', join(home, 'link.txt'));
  symlinkSync('/etc', join(home, 'folder'));
  const database = new Sqlite(join(home, 'app.sqlite'));
  database.exec(`CREATE TABLE events (name TEXT, n INT); INSERT INTO events VALUES ('lunch', 2);
    CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM events; END;
    CREATE VIEW endless AS WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a;`);
  database.close();
  const live = new Sqlite(join(home, 'live.sqlite'));
  live.pragma('journal_mode = WAL');
  live.exec("CREATE TABLE t (a); INSERT INTO t VALUES ('in the log')");
  open.push(() => live.close());
});
const open: (() => void)[] = [];
afterAll(() => {
  for (const close of open) close();
});

async function evaluate(
  checks: readonly object[],
  more: Partial<CheckPlace> = {},
  checkMs?: number,
): Promise<CheckReport> {
  const file = join(given, `${Math.random()}.json`);
  const named = checks.map((one, n) => ({ id: `c${n}`, ...one }));
  writeFileSync(file, JSON.stringify({ schema: 'trajectory-studio/checks', version: 4, checks: named }));
  const files = Object.fromEntries(['wanted.png', 'other.png', 'note.txt'].map((name) => [name, join(given, name)]));
  const place = { home, still: null, titles: null, files, answer: null, ...more };
  return await evaluateChecks(readChecks(file), place, null, checkMs === undefined ? {} : { checkMs });
}

type Case = [name: string, check: object, score: number, why: RegExp];
const note = { kind: 'text', path: 'notes/note.txt' };
const cell = (path: string, more: object = {}): object => ({ kind: 'cell', path, cell: 'B2', equals: 12, ...more });
const json = { kind: 'json', path: 'data.json', at: '/items/0/n', equals: 3 };
const config = { kind: 'config', path: 'vlcrc', section: 'qt', key: 'view', equals: 1 };
const query = (text: string, equals: unknown, path = 'app.sqlite'): object => ({
  kind: 'sqlite',
  path,
  query: text,
  equals,
});
const region = { kind: 'region', x: 5, y: 5, width: 4, height: 4 };

const CASES: Case[] = [
  ['the length of a list, which is no value of its own', { ...json, at: '/items/length', equals: 1 }, 0, /no value at/],
  ['a file', { kind: 'file', path: 'notes/note.txt' }, 1, /is there \(13 bytes\)/],
  ['a file that is absent', { kind: 'file', path: 'notes/other.txt', is: 'absent' }, 1, /is absent/],
  ['a file that is there', { kind: 'file', path: 'notes/note.txt', is: 'absent' }, 0, /should not be/],
  ['a file equal to the task’s', { kind: 'file', path: 'notes/note.txt', equals: 'note.txt' }, 1, /byte for byte/],
  ['another file', { kind: 'file', path: 'notes/note.txt', equals: 'wanted.png' }, 0, /another file/],
  ['a hash', { kind: 'file', path: 'notes/note.txt', sha256: '0'.repeat(64) }, 0, /another file/],
  [
    'a task’s file that is gone',
    { kind: 'file', path: 'notes/note.txt', equals: 'none.txt' },
    0,
    /has no file “none.txt”/,
  ],
  ['a link', { kind: 'file', path: 'link.txt' }, 0, /is a link/],
  ['a way through a link', { kind: 'file', path: 'folder/passwd' }, 0, /is a link/],
  ['a folder', { kind: 'file', path: 'notes' }, 0, /is a folder/],
  ['a large file by its hash', { kind: 'file', path: 'large.txt' }, 1, /1,000,000,000 bytes/],
  ['a text', { ...note, contains: ['eggs'] }, 1, /as wanted/],
  ['another text', { ...note, contains: ['eggs', 'bread'] }, 0.5, /lacks “bread”/],
  ['a text of a missing file', { ...note, path: 'none.txt', lacks: ['x'] }, 0, /none.txt is not there/],
  ['a text of 1 GB', { ...note, path: 'large.txt', contains: ['x'] }, 0, /larger than 32 MB \(1000 MB\)/],
  ['a text through a link', { ...note, path: 'link.txt', contains: ['root'] }, 0, /is a link/],
  ['a document of Word', { ...note, path: 'letter.docx', equals: 'Dear all' }, 1, /as wanted/],
  ['an open document', { ...note, path: 'letter.odt', equals: 'Dear all' }, 1, /as wanted/],
  ['slides in their order', { ...note, path: 'slides.pptx', contains: ['one\n\ntwo'] }, 1, /as wanted/],
  ['a bomb as a document', { ...note, path: 'bomb.docx', contains: ['x'] }, 0, /larger than 32 MB unpacked/],
  ['slides that share their bytes', { ...note, path: 'bomb.pptx', contains: ['x'] }, 0, /all its parts than 96 MB/],
  ['entities of XML', { ...note, path: 'entities.odt', contains: ['root'] }, 0, /document type/],
  ['a document that is none', { ...note, path: 'torn.docx', contains: ['x'] }, 0, /no ZIP archive/],
  ['a spreadsheet as a text', { ...note, path: 'sums.xlsx', contains: ['x'] }, 0, /check a cell/],
  ['a value of JSON', json, 1, /is 3/],
  ['another value', { ...json, equals: 4 }, 0, /is 3, not 4/],
  ['a value that is not there', { ...json, at: '/items/7' }, 0, /no value at/],
  ['a value of every object', { ...json, at: '/constructor/name' }, 0, /no value at/],
  ['JSON without a floor', { ...json, path: 'deep.json' }, 0, /too deep/],
  ['a text as JSON', { ...json, path: 'notes/note.txt' }, 0, /no JSON/],
  ['a value of settings', config, 1, /key “view” of \[qt\] is “1”/],
  ['another value of settings', { ...config, equals: 2 }, 0, /is “1”, not 2/],
  ['a key that is not set', { ...config, key: 'volume', equals: 256 }, 0, /is empty, not 256/],
  ['a key that should not be set', { ...config, key: 'volume', equals: null }, 1, /is empty/],
  ['settings through a link', { ...config, path: 'link.txt', equals: null }, 0, /is a link/],
  ['settings that are not there', { ...config, path: 'none.ini', equals: null }, 0, /none.ini is not there/],
  ['a cell of text', cell('sums.csv'), 1, /is “12”/],
  ['a cell of Excel', cell('sums.xlsx', { cell: 'B3' }), 1, /B3 is 12/],
  ['a cell of an open sheet', cell('sums.ods', { cell: 'A1' }), 1, /A1 is 12/],
  ['another cell', cell('sums.xlsx'), 0, /empty, not 12/],
  ['a sheet that is not there', cell('sums.xlsx', { sheet: 'T' }), 0, /no sheet “T”/],
  ['a torn workbook', cell('torn.xlsx'), 0, /no ZIP archive/],
  ['a cell of a text', cell('notes/note.txt'), 0, /cells are read of/],
  ['a picture', { kind: 'picture', path: 'shot.png', width: 20, like: 'wanted.png' }, 1, /as wanted/],
  ['another picture', { kind: 'picture', path: 'shot.png', like: 'other.png' }, 0, /100.00 % of its pixels/],
  ['a torn picture', { kind: 'picture', path: 'bomb.png', width: 20, like: 'wanted.png' }, 0, /cannot be read/],
  ['a text as a picture', { kind: 'picture', path: 'notes/note.txt', width: 1 }, 0, /no PNG/],
  ['a row', query("SELECT n FROM events WHERE name = 'lunch'", 2), 1, /is 2/],
  ['no row', query('SELECT n FROM events WHERE 0', 2), 0, /empty, not 2/],
  ['what a running program wrote', query('SELECT a FROM t', 'in the log', 'live.sqlite'), 1, /in the log/],
  [
    'a query that writes',
    query('WITH a AS (SELECT 1) INSERT INTO events SELECT 1, 1', 1),
    0,
    /more than read|readonly/,
  ],
  ['two queries', query('SELECT 1; DROP TABLE events', 1), 0, /more than one statement/],
  ['a text as a database', query('SELECT 1', 1, 'notes/note.txt'), 0, /not a database/],
  ['a table that is not there', query('SELECT n FROM absent', 1), 0, /no such table/],
  ['a region', { ...region, colour: '#102030' }, 1, /as wanted/],
  ['a region of another colour', { ...region, colour: '#ffffff' }, 0, /100.00 %/],
  ['a region beside the screen', { ...region, x: 19, colour: '#102030' }, 0, /not all on the screen/],
  ['a window', { kind: 'window', title: 'note' }, 1, /note.txt/],
  ['an answer', { kind: 'answer', equals: 42, tolerance: 1 }, 1, /“42.5”/],
];

describe('an outcome', () => {
  let report: CheckReport;
  beforeAll(async () => {
    const still = { file: join(home, 'shot.png'), x: 0, y: 0 };
    report = await evaluate(
      CASES.map(([, check]) => check),
      { still, titles: ['note.txt - Editor'], answer: '42.5' },
    );
  });
  test.each(CASES.map(([name, , score, why], n) => ({ name, score, why, n })))('$name', ({ score, why, n }) => {
    expect(report.checks[n]).toMatchObject({ score, why: expect.stringMatching(why) });
  });
});

test('nothing to look at is said, and never passes', async () => {
  const { checks, passed } = await evaluate(
    [
      { kind: 'file', path: 'a', is: 'absent' },
      { kind: 'window', title: 'a', is: 'absent' },
      { ...region, colour: '#000000' },
      { kind: 'answer', equals: 'a' },
    ],
    { home: null },
  );
  expect(checks.map(({ score, able }) => ({ score, able }))).toEqual(
    Array.from({ length: 4 }, () => ({ score: 0, able: false })),
  );
  expect(passed).toBe(false);
});

describe('a text on the screen', () => {
  const words = async (): Promise<Buffer> => {
    const texts = ['Saved to notes.txt', 'Total 12.50 EUR'];
    const lines = texts.map((text, n) => `<text x="20" y="${40 + 60 * n}">${text}</text>`).join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="500" height="220"><rect width="500" height="140" fill="#fff"/><g font-family="DejaVu Sans" font-size="18">${lines}<text x="20" y="180" fill="#eee">Light on dark</text></g></svg>`;
    return sharp(Buffer.from(svg)).png().toBuffer();
  };
  const shown = (more: object): object => ({ kind: 'shown', ...more });

  test('is read of its picture, in an area too, and what is not there fails with what was read', async () => {
    const file = join(given, 'screen.png');
    writeFileSync(file, await words());
    const still = { file, x: 0, y: 0 };
    const first = { x: 0, y: 0, width: 500, height: 70 };
    const { checks, weak } = await evaluate(
      [
        shown({ contains: ['saved to NOTES.txt', 'Total 12.50', 'light on dark'], lacks: ['Error'] }),
        shown({ contains: ['Saved to'], area: first }),
        shown({ lacks: ['Total'], area: first }),
        shown({ contains: ['Total', 'Error'] }),
        shown({ contains: ['saved to'], ignoreCase: false }),
        shown({ contains: ['a'], area: { ...first, width: 600 } }),
        shown({ contains: ['a'], languages: 'xyz' }),
      ],
      { still },
    );
    expect(checks.map(({ score }) => score)).toEqual([1, 1, 1, 0.5, 0, 0, 0]);
    expect(checks.map(({ why }) => why)).toEqual([
      expect.stringContaining('as wanted'),
      expect.stringContaining('as wanted'),
      expect.stringContaining('as wanted'),
      expect.stringContaining('lacks “Error”'),
      expect.stringContaining('lacks “saved to”'),
      expect.stringContaining('not all on the screen'),
      expect.stringContaining('npm install @tesseract.js-data/xyz'),
    ]);
    expect(checks.map(({ able }) => able)).toEqual([true, true, true, true, true, false, false]);
    expect(weak).toMatch(/screen alone/);
  }, 120_000);

  test('without a screen, or of a picture that is none, is not there, and says why', async () => {
    const none = await evaluate([shown({ lacks: ['x'] })]);
    expect(none.checks[0]).toMatchObject({ score: 0, able: false, why: 'there is no picture of the screen' });
    const torn = await evaluate([shown({ lacks: ['x'] })], { still: { file: join(home, 'bomb.png'), x: 0, y: 0 } });
    expect(torn.checks[0]).toMatchObject({ score: 0, able: false, why: expect.stringContaining('cannot be read') });
  });
});

test('a query without an end is ended without a trace, and the next check is looked at', async () => {
  const before = process.env.TMPDIR;
  const own = mkdtempSync(join(tmpdir(), 'checks-'));
  process.env.TMPDIR = own;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(own, { recursive: true });
  });
  const { checks } = await evaluate([query('SELECT * FROM endless', 1), { kind: 'file', path: 'data.json' }], {}, 1000);
  expect(checks[0]).toMatchObject({ score: 0, able: false, why: expect.stringContaining('took longer than 1 s') });
  expect(checks[1]).toMatchObject({ score: 1 });
  expect(readdirSync(own)).toEqual([]);
});

test('looking at a database runs no trigger and leaves it as it was', async () => {
  const count = (): unknown => {
    const database = new Sqlite(join(home, 'app.sqlite'), { readonly: true });
    const rows = database.prepare('SELECT count(*) AS n FROM events').get();
    database.close();
    return rows;
  };
  const before = count();
  await evaluate([query("WITH a AS (SELECT 1) INSERT INTO events VALUES ('x', 1) RETURNING n", 1)]);
  expect(count()).toEqual(before);
});

test('the files that checks name are kept with a play, links are not', async () => {
  const folder = folders.make();
  const file = join(given, 'kept.json');
  const checks = ['notes/note.txt', 'link.txt', 'large.txt', 'none.txt'].map((path, n) => ({
    id: `k${n}`,
    kind: 'file',
    path,
  }));
  writeFileSync(file, JSON.stringify({ schema: 'trajectory-studio/checks', version: 1, checks }));
  keepOutcome(folder, home, readChecks(file).checks, []);
  const { checks: results } = await evaluateChecks(
    readChecks(file),
    { home: join(folder, 'outcome'), still: null, titles: null, files: {}, answer: null },
    null,
  );
  expect(results.map(({ score }) => score)).toEqual([1, 0, 0, 0]);
});

test('a file that a program turns into a pipe and back while it is kept hangs nothing and fails nothing', async () => {
  const [folder, place] = [folders.make(), folders.make()];
  const swapped = join(place, 'swapped.txt');
  writeFileSync(join(place, 'plain'), 'kept');
  copyFileSync(join(place, 'plain'), swapped);
  spawnSync('mkfifo', [join(place, 'pipe')]);
  const swapper = spawn(
    process.execPath,
    [
      '-e',
      "const { linkSync, renameSync, rmSync } = require('fs'); for (let n = 0; ; n++) { rmSync('next', { force: true }); linkSync(n % 2 ? 'plain' : 'pipe', 'next'); renameSync('next', 'swapped.txt'); }",
    ],
    { cwd: place, stdio: 'ignore' },
  );
  onTestFinished(() => void swapper.kill('SIGKILL'));
  const outcomes = new Set<string>();
  const until = performance.now() + 20_000;
  while (outcomes.size < 2 && performance.now() < until) {
    for (let n = 0; n < 200; n++) {
      keepOutcome(folder, place, [], ['swapped.txt', 'plain']);
      expect(readFileSync(join(folder, 'outcome', 'plain'), 'utf8')).toBe('kept');
      outcomes.add(existsSync(join(folder, 'outcome', 'swapped.txt')) ? 'kept' : 'left out');
    }
  }
  expect([...outcomes].sort()).toEqual(['kept', 'left out']);
});

test('a torn file of checks, a newer one and a deep one are refused by name', () => {
  const refused = (text: string): unknown => {
    const file = join(given, 'checks.json');
    writeFileSync(file, text);
    try {
      readChecks(file);
    } catch (error) {
      return error;
    }
    return null;
  };
  expect(refused('{"schema"')).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('checks.json') });
  expect(refused(`{"schema":"trajectory-studio/checks","version":${CHECKS_VERSION + 1}}`)).toMatchObject({
    code: 'FUTURE_VERSION',
  });
  expect(refused('['.repeat(10_000))).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('deep') });
  const two = { id: 'a', kind: 'file', path: 'a' };
  expect(refused(JSON.stringify({ schema: 'trajectory-studio/checks', version: 1, checks: [two, two] }))).toMatchObject(
    {
      message: expect.stringContaining('same id'),
    },
  );
});
