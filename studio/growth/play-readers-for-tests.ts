import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainCommands } from '../../core/osworld/shell.ts';
import { pagesOfSession } from '../../core/play/browser-session.ts';
import { valueInConfig } from '../../core/play/config-file.ts';
import { readOfficeParts } from '../../core/play/documents.ts';
import { textOfOffice } from '../../core/play/office-text.ts';
import { chartsIn } from '../../core/play/sheet-charts.ts';
import { pivotsIn } from '../../core/play/sheet-pivots.ts';
import { cellOfCsv, cellOfOds, cellOfXlsx, partOfSheet, sharedText } from '../../core/play/sheets.ts';
import { tagsOfMetadata } from '../../core/play/sound.ts';
import { compareTables, rowsOfXlsx, sharedTexts, tableOfCsv, tableOfOds } from '../../core/play/tables.ts';
import { textLikeness } from '../../core/play/text-likeness.ts';
import { readWordFile } from '../../core/play/word-file.ts';
import { xmlPieces } from '../../core/play/xml.ts';
import { xmlTree } from '../../core/play/xml-tree.ts';
import { checkSchema } from '../../schemas/checks.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { readBounded } from '../files/bounded.ts';
import { readPacked } from '../files/packed.ts';
import { readZip } from '../files/zip.ts';
import { readChecks } from '../play/checks/checks-file.ts';
import { readOfficeText, readSheetCell } from '../play/checks/office.ts';
import { readPdf } from '../play/checks/pdf.ts';
import { findFor, findValue } from '../play/checks/read.ts';
import { readText } from '../play/checks/text.ts';
import { zipOf } from '../play/checks/zip-for-tests.ts';
import { readScript } from '../play/script-file.ts';
import { readTaskFile } from '../store/json-file.ts';

/** A program's results on a stage, as checks read them, and the files of checks themselves. */

/** Another kind of file is thrown with the reason, which the check reports. */
const read =
  <T>(work: (input: T) => unknown) =>
  async (input: T): Promise<void> => {
    try {
      await work(input);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error;
    }
  };
const words = (what: string, make: (n: number) => string, work: (text: string) => unknown): HostileReader =>
  hostile(what, make, read(work), { upTo: 400_000 });
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const place = { row: 1e6, column: 1e6 };
const pieces = (text: string): void => {
  for (const _ of xmlPieces(text));
};
const DRAWN = '<Relationships><Relationship Type="x/chart" Target="c.xml"/></Relationships>';
const chartedBy =
  (chart: string) =>
  (path: string): string =>
    path.endsWith('.rels') ? DRAWN : chart;
const checks = (list: string): string => `{"schema":"trajectory-studio/checks","version":1,"checks":[${list}]}`;
const file = (what: string, make: (n: number) => string, work: (path: string) => unknown): HostileReader =>
  hostile(
    what,
    (n, folder) => {
      const path = join(folder, 'given.json');
      writeFileSync(path, make(n));
      return path;
    },
    work,
    { upTo: 400_000 },
  );

export const playReaders: HostileReader[] = [
  words('XML: tags that begin', (n) => '<a '.repeat(n / 3), pieces),
  words('XML: quotes that begin', (n) => `<a b="${"'".repeat(n)}`, pieces),
  words('XML: comments that begin', (n) => '<!--'.repeat(n / 4), pieces),
  words('XML: entities', (n) => '&a;&#65;&'.repeat(n / 9), pieces),
  words('XML: a name without an end', (n) => `<${'a'.repeat(n)}>`, pieces),
  words(
    'a document: paragraphs in paragraphs',
    (n) => '<w:p><w:t>a'.repeat(n / 11),
    (text) => textOfOffice(text, true),
  ),
  words(
    'a document as it is written: paragraphs in paragraphs',
    (n) => `<w:document xmlns:w="${WORD}"><w:body>${'<w:p><w:r>'.repeat(n / 10)}`,
    (text) => readWordFile(() => text),
  ),
  words(
    'a document as it is written: a table of wide cells',
    (n) =>
      `<w:document xmlns:w="${WORD}"><w:body><w:tbl>${'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="99"/></w:tcPr></w:tc></w:tr>'.repeat(n / 70)}</w:tbl></w:body></w:document>`,
    (text) => readWordFile(() => text),
  ),
  words(
    'a document: many blanks',
    (n) => `<text:p>${'<text:s text:c="99"/>'.repeat(n / 20)}`,
    (text) => textOfOffice(text, false),
  ),
  words(
    'a sheet of Excel: cells',
    (n) => '<row><c t="s"><v>1</v></c>'.repeat(n / 26),
    (text) => cellOfXlsx(text, place, () => null),
  ),
  words(
    'a sheet of Excel: series of a chart in each other',
    (n) => '<c:ser><c:val><c:f>A1'.repeat(n / 21),
    (text) => [...chartsIn([{ kind: 'drawing', path: 'xl/drawings/d.xml' }], chartedBy(text))],
  ),
  words(
    'a sheet of Excel: fields of a pivot table',
    (n) => `<pivotTableDefinition><dataFields>${'<dataField fld="1"/>'.repeat(n / 20)}`,
    (text) => [...pivotsIn([{ kind: 'pivotTable', path: 'p.xml' }], () => text)],
  ),
  words(
    'OSWorld: a command of many words',
    (n) => "a '".repeat(n / 3),
    (text) => plainCommands(text),
  ),
  words(
    'a sheet of Excel: an attribute without an end',
    (n) => `<row ${'a'.repeat(n)}>`,
    (text) => cellOfXlsx(text, place, () => null),
  ),
  words(
    'a sheet of Excel: attributes',
    (n) => `<row ${'a="b" '.repeat(n / 6)}>`,
    (text) => cellOfXlsx(text, place, () => null),
  ),
  words(
    'a sheet of Excel: shared texts',
    (n) => '<si><t>a'.repeat(n / 8),
    (text) => sharedText(text, 1e9),
  ),
  words(
    'a workbook: sheets',
    (n) => '<sheet name="a" r:id="b"/>'.repeat(n / 26),
    (text) => partOfSheet(text, text, 'x'),
  ),
  words(
    'an open sheet: rows',
    (n) => `<table:table>${'<table:table-row><table:table-cell/>'.repeat(n / 36)}`,
    (text) => cellOfOds(text, undefined, place),
  ),
  words(
    'a whole sheet of Excel: cells',
    (n) => '<row><c t="s"><v>1</v></c></row>'.repeat(n / 32),
    (text) => rowsOfXlsx(text, ['a']),
  ),
  words(
    'a whole open sheet: rows that are repeated',
    (n) =>
      `<table:table>${'<table:table-row table:number-rows-repeated="9"><table:table-cell office:value-type="float" office:value="1"/></table:table-row>'.repeat(n / 120)}</table:table>`,
    (text) => tableOfOds(text),
  ),
  words(
    'whole tables: rows in any order',
    (n) => 'a,1\n'.repeat(n / 40),
    (text) =>
      compareTables(tableOfCsv(text, ','), tableOfCsv(`b,2\n${text}`, ','), {
        formulas: false,
        anyOrder: true,
        ignoreCase: false,
        tolerance: 0,
      }),
  ),
  words('shared texts of a workbook', (n) => '<si><t>a</t></si>'.repeat(n / 17), sharedTexts),
  words('a tree of XML: elements in elements', (n) => '<a>'.repeat(n / 3), xmlTree),
  words('a tree of XML: elements', (n) => `<a>${'<b c="d">e</b>'.repeat(n / 15)}</a>`, xmlTree),
  words(
    'a presentation: paragraphs',
    (n) => `<a>${'<a:p><a:r><a:t>b</a:t></a:r></a:p>'.repeat(n / 36)}</a>`,
    (text) => readOfficeParts('docx', (name) => (name.endsWith('document.xml') ? text : null)),
  ),
  words(
    'texts beside each other: other words',
    (n) => 'a b '.repeat(n / 800),
    (text) => textLikeness(text, text.replaceAll('a', 'c')),
  ),
  words('tags of a sound', (n) => 'a=b\\\n'.repeat(n / 5), tagsOfMetadata),
  hostile(
    'a session of a browser',
    (n) => Buffer.concat([Buffer.from('SNSS\x01\0\0\0'), Buffer.alloc(n, 1)]),
    read(pagesOfSession),
    {
      upTo: 400_000,
    },
  ),
  hostile('an archive: bytes', (n) => Buffer.alloc(n, '\x1f\x8b'), read(readPacked), { upTo: 400_000 }),
  hostile('a PDF: objects', (n) => Buffer.from(`%PDF-1.7\n${'1 0 obj <<>> endobj\n'.repeat(n / 20)}`), read(readPdf), {
    upTo: 100_000,
  }),
  words(
    'a sheet of text: quotes',
    (n) => '"'.repeat(n),
    (text) => cellOfCsv(text, ',', place),
  ),
  words(
    'a sheet of text: lines',
    (n) => 'a,b\n'.repeat(n / 4),
    (text) => cellOfCsv(text, ',', place),
  ),
  words(
    'JSON: deep values',
    (n) => `${'['.repeat(n)}${']'.repeat(n)}`,
    (text) => findValue(text, '/0/0'),
  ),
  words(
    'JSON: a pointer',
    (n) => `{"a":"${'a'.repeat(n)}"}`,
    (text) => findValue(text, '/a'.repeat(300)),
  ),
  words(
    'a file of settings: headings and keys',
    (n) => '[a]\n[=\n'.repeat(n / 8),
    (text) => valueInConfig(text, 'a', '['),
  ),
  hostile('a text of an outcome: bytes', (n) => Buffer.alloc(n, 0xff), read(readText), { upTo: 400_000 }),
  hostile('a ZIP: no list of files', (n) => Buffer.alloc(n, 'PK'), read(readZip), { upTo: 400_000 }),
  hostile(
    'a ZIP: files without end',
    (n) => zipOf(Object.fromEntries(Array.from({ length: n }, (_, i) => [`${i}`, '']))),
    read(async (bytes: Buffer) => (await readZip(bytes)).read('1')),
    { upTo: 10_000 },
  ),
  hostile(
    'a document: a bomb',
    (n) => zipOf({ 'content.xml': Buffer.alloc(n * 100, ' ') }),
    read((bytes: Buffer) => readOfficeText(bytes, 'odt')),
    { upTo: 1_000_000 },
  ),
  hostile(
    'a spreadsheet: a bomb',
    (n) => zipOf({ 'content.xml': Buffer.from('<a/>'.repeat(n)) }),
    read((bytes: Buffer) => readSheetCell(bytes, 'ods', undefined, 'A1')),
    { upTo: 200_000 },
  ),
  hostile(
    'an outcome: a file of text',
    (n, folder) => {
      mkdirSync(join(folder, 'home'));
      writeFileSync(join(folder, 'home', 'a.txt'), 'a'.repeat(n));
      return join(folder, 'home');
    },
    (home) =>
      findFor(
        checkSchema.parse({ id: 'a', kind: 'text', path: 'a.txt', contains: ['b'] }),
        { home, still: null, titles: null, files: {}, answer: null },
        async () => null,
      ),
    { upTo: 2_000_000 },
  ),
  file('checks: without end', (n) => checks(`${'{"id":"a"},'.repeat(n / 11)}{}`), readChecks),
  file('checks: deep values', (n) => checks('['.repeat(n)), readChecks),
  file(
    'a file of a task: other words',
    (n) => `{${'"a":1,'.repeat(n / 6)}"b":1}`,
    (path) => readTaskFile(path, { schema: checkSchema, version: 1, word: 'checks', again: 'check' }),
  ),
  file(
    'a script: calls',
    (n) => 'pyautogui.click(1, 2)\n'.repeat(n / 22),
    (path) => readScript(path, [100, 100]),
  ),
  file(
    'a script: deep brackets',
    (n) => '('.repeat(n),
    (path) => readScript(path, [100, 100]),
  ),
  hostile(
    'a script: actions',
    (n, folder) => {
      const path = join(folder, 'script.jsonl');
      writeFileSync(path, '{"kind":"wait"}\n'.repeat(n));
      return path;
    },
    (path) => readScript(path, [100, 100]),
    { upTo: 20_000 },
  ),
  file(
    'a file up to a size',
    (n) => 'a'.repeat(n),
    (path) => readBounded(path, 1e9),
  ),
];
