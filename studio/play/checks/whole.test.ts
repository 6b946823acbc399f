import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionOf } from '../../../core/play/session-for-tests.ts';
import { findFfmpeg } from '../../../native/ffmpeg/find.ts';
import { type CheckReport, checksSchema } from '../../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../../schemas/checks-plain.ts';
import { padding, tarHeader } from '../../files/tar.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { evaluateChecks } from './evaluate.ts';
import { keepOutcome } from './outcome.ts';
import { zipOf } from './zip-for-tests.ts';

/** Checks of whole files with good, bad and hostile outcomes, through the process that looks at them (PL40). */

const folders = temporaryFolders();
afterAll(folders.clean);
let home = '';
const given: Record<string, string> = {};

/** A PDF of one line a page. */
function pdfOf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, n) => {
      const stream = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + 2 * n} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  return Buffer.from(
    `%PDF-1.7\n${objects.map((one, n) => `${n + 1} 0 obj\n${one}\nendobj\n`).join('')}trailer << /Root 1 0 R /Size ${objects.length + 1} >>\n`,
  );
}

const bookOf = (cell: string): Buffer =>
  zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="May" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
    'xl/worksheets/s.xml': `<worksheet><row r="3"><c r="B3"><v>${cell}</v></c></row></worksheet>`,
  });
const letterOf = (look: string): Buffer =>
  zipOf({
    'word/document.xml': `<w:document><w:p><w:r><w:rPr>${look}</w:rPr><w:t>Dear all</w:t></w:r></w:p></w:document>`,
  });
/** A .docx whose runs name their own look, beside one table. */
const writtenOf = (look: string, cell: string, own = ''): Buffer =>
  zipOf({
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr>${own}</w:pPr><w:r><w:rPr>${look}</w:rPr><w:t>Dear all</w:t></w:r></w:p><w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc><w:p><w:r><w:rPr>${look}</w:rPr><w:t>${cell}</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>`,
  });
const spokenOf = (colour: string): Buffer =>
  zipOf({
    'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="T1"><style:text-properties fo:background-color="${colour}"/></style:style></office:automatic-styles><office:text><text:p><text:span text:style-name="T1">Dear all</text:span></text:p></office:text></office:document-content>`,
  });
const tarOf = (name: string, text: string): Buffer =>
  Buffer.concat([
    tarHeader({ path: name, size: text.length, kind: 'file' }),
    Buffer.from(text),
    Buffer.alloc(padding(text.length) + 1024),
  ]);

beforeAll(async () => {
  home = folders.make();
  const task = folders.make();
  const put = (name: string, content: string | Buffer): void => writeFileSync(join(home, name), content);
  const give = (name: string, content: string | Buffer): void => {
    given[name] = join(task, name);
    writeFileSync(given[name], content);
  };
  put('sums.xlsx', bookOf('12'));
  give('gold.xlsx', bookOf('12.004'));
  put('sums.csv', 'a,1\n');
  give('gold.csv', 'a,2\n');
  put('letter.docx', letterOf('<w:b/>'));
  give('gold.docx', letterOf(''));
  put('written.docx', writtenOf('<w:i/><w:sz w:val="28"/>', 'one', '<w:spacing w:line="480"/>'));
  give('single.docx', writtenOf('', 'two'));
  give('double.docx', writtenOf('', 'one', '<w:spacing w:line="480"/>'));
  put(
    'endless.docx',
    writtenOf('', '</w:t></w:r></w:p><w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr><w:p><w:r><w:t>'),
  );
  put('bomb.docx', zipOf({ 'word/document.xml': Buffer.alloc(300_000_000, ' ') }));
  put('yellow.odt', spokenOf('#ffff00'));
  put('plain.odt', spokenOf('transparent'));
  put('note.txt', 'milk\nand 2 eggs\n');
  give('gold.txt', 'milk and  2 eggs');
  put('paper.pdf', pdfOf(['Hello world', 'second page']));
  give('gold.pdf', pdfOf(['Hello there world', 'second page']));
  put('files.zip', zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' }));
  give('gold.zip', zipOf({ 'a.txt': 'one', 'b/c.txt': 'three' }));
  mkdirSync(join(home, 'tree/b'), { recursive: true });
  mkdirSync(join(home, 'tree/.git'));
  put('tree/a.txt', 'one');
  put('tree/b/c.txt', 'two');
  put('tree/.git/config', '[core]');
  give('list.txt', 'repo/:\na.txt\nb\n\nrepo/b:\nc.txt\n');
  give('other.txt', 'repo:\na.txt\nb\nd.txt\n\nrepo/b:\nc.txt\n');
  put('files.tgz', gzipSync(tarOf('a.txt', 'one')));
  put('bomb.tgz', gzipSync(Buffer.alloc(300_000_000)));
  put('bomb.zip', zipOf({ 'a.txt': Buffer.alloc(300_000_000, 'a') }));
  give('bomb.zip', zipOf({ 'a.txt': 'a' }));
  put('climbs.zip', zipOf({ '../a.txt': 'one' }));
  put('torn.zip', readFileSync(join(home, 'files.zip')).subarray(30));
  put(
    'entities.docx',
    zipOf({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:p>&x;</w:p>' }),
  );
  put('bomb.xlsx', zipOf({ 'xl/workbook.xml': Buffer.alloc(300_000_000, ' ') }));
  put(
    'huge.ods',
    zipOf({
      'content.xml':
        '<table:table><table:table-row table:number-rows-repeated="9999999"><table:table-cell office:value-type="float" office:value="1"/></table:table-row></table:table>',
    }),
  );
  put(
    'loop.pdf',
    '%PDF-1.7\n1 0 obj << /Type /Pages /Kids [1 0 R] /Count 1 >> endobj\n2 0 obj << /Type /Catalog /Pages 1 0 R >> endobj\ntrailer << /Root 2 0 R >>',
  );
  const noise = await sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  put('shot.png', noise);
  give('soft.jpg', await sharp(noise).jpeg({ quality: 90 }).toBuffer());
  give('other.png', await sharp(noise).negate().png().toBuffer());
  const { path } = await findFfmpeg();
  const tags = ['-metadata', 'title=Tea = time', '-metadata', 'artist=Ann'];
  execFileSync(path, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=d=2', ...tags, join(home, 'tea.flac')]);
  put('list.flac', 'ffconcat version 1.0\nfile tea.flac\n');
  mkdirSync(join(home, '.config/chromium/Default/Sessions'), { recursive: true });
  put(
    '.config/chromium/Default/Sessions/Session_13370000000000001',
    sessionOf([{ window: 1, tab: 1, place: 0, urls: ['https://old.org/'] }]),
  );
  put(
    '.config/chromium/Default/Sessions/Session_13370000000000002',
    sessionOf([{ window: 1, tab: 1, place: 0, urls: ['https://www.example.org/a?x=431'] }]),
  );
  mkdirSync(join(home, '.config/dated/Sessions'), { recursive: true });
  const year = new Date().getFullYear();
  put(
    '.config/dated/Sessions/Session_1',
    sessionOf([{ window: 1, tab: 1, place: 0, urls: [`https://example.org/${year}`] }]),
  );
});

async function evaluate(checks: readonly object[], where = home, answer: string | null = null): Promise<CheckReport> {
  const all = checks.map((one, n) => ({ id: `c${n}`, ...one }));
  const file = checksSchema.parse({ schema: 'trajectory-studio/checks', version: CHECKS_VERSION, checks: all });
  return await evaluateChecks(file, { home: where, still: null, titles: null, files: given, answer }, null);
}

const table = { kind: 'table', path: 'sums.xlsx' };
const letter = { kind: 'document', path: 'letter.docx' };
const written = { kind: 'document', path: 'written.docx' };
const pdf = { kind: 'pdf', path: 'paper.pdf' };
const zip = { kind: 'archive', path: 'files.zip' };
const tree = { kind: 'archive', path: 'tree' };
const note = { kind: 'text', path: 'note.txt' };
const shot = { kind: 'picture', path: 'shot.png' };
const CASES: [name: string, check: object, score: number, why: RegExp][] = [
  ['a table within a tolerance', { ...table, like: 'gold.xlsx', tolerance: 0.01 }, 1, /as “gold.xlsx” in 1 cell/],
  ['a table that differs', { ...table, like: 'gold.xlsx' }, 0, /on the sheet “May” B3 is 12, not 12.004/],
  ['names of sheets', { ...table, names: ['May'] }, 1, /called as wanted/],
  ['other names of sheets', { ...table, names: ['June'] }, 0, /“May”, not “June”/],
  ['a table of text', { kind: 'table', path: 'sums.csv', like: 'gold.csv' }, 0, /B1 is “1”, not “2”/],
  ['a table of a document', { ...written, like: 'double.docx', compare: ['tables', 'spacing'] }, 1, /in 1 of 1 part/],
  [
    'another table',
    { ...written, like: 'single.docx', compare: ['tables'] },
    0,
    /table 1 has “one” in row 1, column 1/,
  ],
  ['another spacing', { ...written, like: 'single.docx', compare: ['spacing'] }, 0, /line spacing of paragraph 1/],
  ['italics of a size', { ...written, italicSize: 14 }, 1, /as wanted/],
  ['italics of another size', { ...written, italicSize: 12 }, 0, /the size 14, not 12/],
  ['a font', { ...written, font: 'Arial' }, 0, /has the font of its style, not Arial/],
  ['a trait', { ...written, has: ['first-line-centred', 'no-yellow'] }, 0.5, /not centred/],
  ['an .odt without yellow', { ...written, path: 'plain.odt', has: ['no-yellow'] }, 1, /as wanted/],
  ['an .odt with yellow', { ...written, path: 'yellow.odt', has: ['no-yellow'] }, 0, /highlighted in yellow/],
  ['an .odt by its tables', { ...written, path: 'plain.odt', has: ['page-break'] }, 0, /read of .docx alone/],
  ['a table of endless width', { ...written, path: 'endless.docx', has: ['page-break'] }, 0, /more than 200000 cells/],
  ['a bomb as a document', { ...written, path: 'bomb.docx', has: ['page-break'] }, 0, /larger than 32 MB unpacked/],
  ['a text as a table', { kind: 'table', path: 'note.txt', like: 'gold.csv' }, 0, /tables are read of/],
  ['a bomb as a table', { ...table, path: 'bomb.xlsx', names: ['May'] }, 0, /larger than 32 MB unpacked/],
  ['a table of ten million cells', { kind: 'table', path: 'huge.ods', names: ['May'] }, 0, /more than 1,000,000 cells/],
  ['a part of a document', { ...letter, parts: [{ text: 'Dear', bold: true }] }, 1, /1 of 1 part/],
  ['half of what is wanted', { ...letter, parts: [{ text: 'Dear', bold: true }, { text: 'Ann' }] }, 0.5, /lacks “Ann”/],
  ['a document beside another', { ...letter, like: 'gold.docx' }, 1, /as wanted/],
  ['a document beside another, bold', { ...letter, like: 'gold.docx', compare: ['bold'] }, 0, /the bold of “Dear all”/],
  ['slides of a letter', { ...letter, slides: 1 }, 0, /no slides/],
  ['entities of XML', { ...letter, path: 'entities.docx', parts: [{ text: 'root' }] }, 0, /document type/],
  ['pages of a PDF', { ...pdf, pages: 2, contains: ['Hello  world'], lacks: ['third'] }, 1, /3 of 3/],
  ['one page of a PDF', { ...pdf, page: 2, contains: ['Hello'] }, 0, /lacks “Hello”/],
  ['a PDF beside another', { ...pdf, like: 'gold.pdf', alike: 0.8 }, 1, /as wanted/],
  ['a PDF beside another, whole', { ...pdf, like: 'gold.pdf' }, 0, /alike to “gold.pdf” in 0.889/],
  ['a PDF whose pages hold themselves', { ...pdf, path: 'loop.pdf', contains: ['a'] }, 0, /./],
  ['a text as a PDF', { ...pdf, path: 'note.txt', pages: 1 }, 0, /no PDF/],
  [
    'a sound',
    { kind: 'sound', path: 'tea.flac', seconds: 2, tags: { Title: 'Tea = time', artist: 'Ann' } },
    1,
    /3 of 3/,
  ],
  ['tags that differ', { kind: 'sound', path: 'tea.flac', tags: { title: 'Tea', album: 'A' } }, 0, /album is empty/],
  ['a list that calls itself a sound', { kind: 'sound', path: 'list.flac', seconds: 2 }, 0, /no sound that is read/],
  ['an open page', { kind: 'pages', open: ['example.org/a?x=431'], closed: ['https://old.org'] }, 1, /2 of 2/],
  ['the page in front', { kind: 'pages', by: 'pattern', active: String.raw`\?x=\d+$` }, 1, /as wanted/],
  ['another page in front', { kind: 'pages', active: 'https://old.org' }, 0, /is “https:\/\/www.example/],
  [
    'a page of the day',
    { kind: 'pages', profile: '.config/dated', active: 'example.org/{YYYY}', day: 'today' },
    1,
    /as wanted/,
  ],
  ['a browser without a session', { kind: 'pages', profile: 'none', open: ['a'] }, 0, /no session in none/],
  ['files of an archive', { ...zip, holds: ['a.txt', 'b/c.txt'], lacks: ['d'] }, 1, /3 of 3/],
  ['an archive beside another', { ...zip, like: 'gold.zip' }, 0, /its “b\/c.txt” is another/],
  ['an archive beside another, names', { ...zip, like: 'gold.zip', compare: 'names' }, 1, /as wanted/],
  ['a .tar.gz', { ...zip, path: 'files.tgz', holds: ['a.txt'] }, 1, /as wanted/],
  ['files of a folder', { ...tree, holds: ['a.txt', 'b', 'b/c.txt'], lacks: ['.git', 'd'] }, 1, /5 of 5/],
  ['a folder that must be a file', { ...tree, lacks: ['b/'] }, 0, /holds “b\/”/],
  ['a folder by patterns', { ...tree, matches: ['^c\\.t', '^x'] }, 0.5, /nothing like “\^x”/],
  ['nothing else in a folder', { ...tree, holds: ['a.txt', 'b'], top: true, only: true }, 1, /3 of 3/],
  ['something else in a folder', { ...tree, holds: ['a.txt'], only: true }, 0.5, /holds “b\/c.txt”, which should not/],
  ['a folder beside an archive', { ...tree, like: 'gold.zip' }, 0, /its “b\/c.txt” is another/],
  ['a folder beside an archive, names', { ...tree, like: 'gold.zip', compare: 'names' }, 1, /as wanted/],
  ['a folder beside a list', { ...tree, like: 'list.txt', compare: 'names' }, 1, /as wanted/],
  ['a folder beside another list', { ...tree, like: 'other.txt', compare: 'names' }, 0, /lacks “d.txt”/],
  ['a folder beside what is no list', { ...tree, like: 'gold.txt', compare: 'names' }, 0, /no archive that is read/],
  ['a folder that is not there', { ...tree, path: 'none', holds: ['a'] }, 0, /none is not there/],
  ['a bomb as a .tar.gz', { ...zip, path: 'bomb.tgz', holds: ['a'] }, 0, /larger than 200 MB/],
  ['a bomb beside an archive', { ...zip, path: 'bomb.zip', like: 'bomb.zip' }, 0, /larger than 32 MB/],
  [
    'an archive whose names climb',
    { ...zip, path: 'climbs.zip', holds: ['a.txt'] },
    0,
    /damaged \(invalid relative path/,
  ],
  ['a torn archive', { ...zip, path: 'torn.zip', holds: ['a.txt'] }, 0, /no archive that is read/],
  ['a text by patterns', { ...note, matches: ['^and \\d eggs$'] }, 1, /as wanted/],
  ['a text by another pattern', { ...note, matches: ['bread'] }, 0, /nothing like “bread”/],
  ['a text beside a file', { ...note, like: 'gold.txt' }, 0, /other than that of “gold.txt”/],
  ['a text beside a file, blanks apart', { ...note, like: 'gold.txt', ignoreBlanks: true }, 1, /as wanted/],
  ['a pattern that never ends', { ...note, matches: ['(?:[a-z]+[a-z ]+)+X'] }, 0, /./],
  ['a picture that looks alike', { ...shot, like: 'soft.jpg', alike: 0.8 }, 1, /as wanted/],
  [
    'one of other colours, in colour',
    { ...shot, like: 'soft.jpg', alike: 0.8, inColour: true },
    0,
    /\(SSIM\), not 0.8/,
  ],
  ['a picture that does not', { ...shot, like: 'other.png', alike: 0.8 }, 0, /\(SSIM\), not 0.8/],
  ['the colours of a picture', { ...shot, mode: 'colour' }, 1, /as wanted/],
  ['other colours of a picture', { ...shot, mode: 'grey' }, 0, /is colour, not grey/],
];

describe('an outcome by whole files', () => {
  let report: CheckReport;
  beforeAll(async () => {
    report = await evaluate(CASES.map(([, check]) => check));
  });
  test.each(CASES.map(([name, , score, why], n) => ({ name, score, why, n })))('PL40 $name', ({ score, why, n }) => {
    expect(report.checks[n]).toMatchObject({ score, why: expect.stringMatching(why) });
  });
});

test('PL41 a task that cannot be done is right when the answer says so', async () => {
  const scoreOf = async (answer: string | null): Promise<number | undefined> =>
    (await evaluate([{ kind: 'infeasible' }], home, answer)).checks[0]?.score;
  expect(await Promise.all(['FAIL', 'Infeasible: no battery', 'done', 'I did not fail', null].map(scoreOf))).toEqual([
    1, 1, 0, 0, 0,
  ]);
});

test('a folder that a check looks into is kept with a play', async () => {
  const folder = folders.make();
  mkdirSync(join(home, 'tree/empty'));
  const check = { id: 'c0', kind: 'archive', path: 'tree', holds: ['a.txt', 'b/', 'empty/'], only: true, top: true };
  const { checks } = checksSchema.parse({
    schema: 'trajectory-studio/checks',
    version: CHECKS_VERSION,
    checks: [{ ...check, weight: 1 }],
  });
  keepOutcome(folder, home, checks, []);
  expect((await evaluate([check], join(folder, 'outcome'))).passed).toBe(true);
});

test('what a browser had open is kept with a play', async () => {
  const folder = folders.make();
  const check = { id: 'c0', kind: 'pages', open: ['example.org/a?x=431'] };
  keepOutcome(
    folder,
    home,
    checksSchema.parse({ schema: 'trajectory-studio/checks', version: 5, checks: [check] }).checks,
    [],
  );
  expect((await evaluate([check], join(folder, 'outcome'))).passed).toBe(true);
});
