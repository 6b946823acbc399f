import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WORD_ASPECTS, type WordAspect } from '../../schemas/checks-plain.ts';
import { faultOfFont, faultOfItalics, faultOfTrait, wordDifference } from './word-checks.ts';
import { isYellowOdt, readWordFile, type WordFile } from './word-file.ts';

const NAMES =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const documentOf = (body: string): string => `<w:document ${NAMES}><w:body>${body}</w:body></w:document>`;
const fileOf = (body: string, others: Readonly<Record<string, string>> = {}): WordFile =>
  readWordFile((name) => (name === 'word/document.xml' ? documentOf(body) : (others[name] ?? null)));
const run = (text: string, look = ''): string => `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`;
const paragraph = (inside: string, own = ''): string => `<w:p><w:pPr>${own}</w:pPr>${inside}</w:p>`;
const table = (rows: readonly (readonly string[])[], columns = rows[0]?.length ?? 0): string =>
  `<w:tbl><w:tblGrid>${'<w:gridCol/>'.repeat(columns)}</w:tblGrid>${rows
    .map((cells) => `<w:tr>${cells.join('')}</w:tr>`)
    .join('')}</w:tbl>`;
const cell = (text: string, own = ''): string => `<w:tc><w:tcPr>${own}</w:tcPr>${paragraph(run(text))}</w:tc>`;
const picture = '<w:r><w:drawing><a:graphic><a:graphicData/></a:graphic></w:drawing></w:r>';
const subscript = '<w:vertAlign w:val="subscript"/>';

const differ = (aspect: WordAspect, seen: string, wanted: string): string | null =>
  wordDifference(fileOf(seen), fileOf(wanted), aspect);

describe('PL42: tables', () => {
  const wanted = table([
    [cell('a'), cell('b')],
    [cell('c'), cell('d')],
  ]);

  test.each<[string, string, string | null]>([
    [
      'the same, with blanks around',
      table([
        [cell(' a'), cell('b')],
        [cell('c'), cell('d ')],
      ]),
      null,
    ],
    [
      'another cell',
      table([
        [cell('a'), cell('b')],
        [cell('c'), cell('x')],
      ]),
      'has “x” in row 2, column 2, not “d”',
    ],
    ['another size', table([[cell('a'), cell('b')]]), '1 x 2 cells, not 2 x 2'],
    ['none', paragraph(run('a b c d')), 'it has 0 tables, not 1'],
    ['one in a text box, which is none of the body', `<w:sdt>${wanted}</w:sdt>`, '0 tables'],
    ['a missing cell', table([[cell('a'), cell('b')], [cell('c')]]), 'has no cell in row 2, column 2'],
    [
      'a text in a link',
      wanted.replace('<w:r><w:rPr></w:rPr><w:t>a', '<w:hyperlink/><w:r><w:rPr></w:rPr><w:t>a'),
      null,
    ],
  ])('%s', (_, seen, why) => {
    const is = differ('tables', seen, wanted);
    if (why === null) expect(is).toBeNull();
    else expect(is).toContain(why);
  });

  test('a wide cell and one that goes on below are in each of their places', () => {
    const wide = table([[cell('a', '<w:gridSpan w:val="2"/>')], [cell('a'), cell('b')]], 2);
    const split = table([
      [cell('a'), cell('a')],
      [cell('', '<w:vMerge/>'), cell('b')],
    ]);
    expect(differ('tables', wide, split)).toBeNull();
  });

  test('a cell of endless width is refused', () => {
    const endless = table([[cell('a', '<w:gridSpan w:val="99999999"/>')]], 1);
    expect(() => fileOf(endless)).toThrow('more than 200000 cells');
  });

  test('a text that only a link has is another for those who leave links out', () => {
    const link = table([[`<w:tc><w:p><w:hyperlink>${run('a')}</w:hyperlink></w:p></w:tc>`]], 1);
    expect(differ('tables', link, table([[cell('a')]]))).toContain('row 1, column 1');
  });
});

describe('PL42: paragraphs beside those of another', () => {
  const double = '<w:spacing w:line="480" w:lineRule="auto"/>';

  test.each<[string, WordAspect, string, string, string | null]>([
    ['the same spacing', 'spacing', paragraph(run('a'), double), paragraph(run('b'), double), null],
    [
      'a multiple without a word for it',
      'spacing',
      paragraph('', '<w:spacing w:line="480"/>'),
      paragraph('', double),
      null,
    ],
    [
      'a height of that number',
      'spacing',
      paragraph('', double.replace('auto', 'exact')),
      paragraph('', double),
      'paragraph 1',
    ],
    [
      'none where one is wanted',
      'spacing',
      paragraph(run('a')),
      paragraph(run('a'), double),
      'line spacing of paragraph 1, “a”',
    ],
    ['more paragraphs', 'spacing', paragraph('') + paragraph(''), paragraph(''), '2 paragraphs, not 1'],
    [
      'lines in another order',
      'lines',
      paragraph(run('a')) + paragraph(run('b ')),
      paragraph(run('b')) + paragraph(run('a')),
      null,
    ],
    ['a line that comes twice', 'lines', paragraph(run('a')).repeat(2), paragraph(run('a')), null],
    [
      'a missing line',
      'lines',
      paragraph(run('a')),
      paragraph(run('a')) + paragraph(run('b')),
      'the line “b” is missing',
    ],
    ['a line too many', 'lines', paragraph(run('a')), '', 'the line “a” should not be there'],
    [
      'a subscript',
      'subscript',
      paragraph(run('H') + run('2', subscript)),
      paragraph(run('H') + run('2', subscript)),
      null,
    ],
    [
      'a subscript elsewhere',
      'subscript',
      paragraph(run('H', subscript) + run('2')),
      paragraph(run('H') + run('2', subscript)),
      'no subscript',
    ],
    ['an equation', 'equations', paragraph('<w:r><w:object/></w:r>'), paragraph('<w:r><w:object/></w:r>'), null],
    ['an equation as text', 'equations', paragraph(run('a')), paragraph('<w:r><w:object/></w:r>'), 'no equation'],
    ['a picture at its place', 'picture-places', paragraph(picture), paragraph(picture), null],
    ['no picture there', 'picture-places', paragraph(run('a')), paragraph(picture), 'paragraph 1 lacks a picture'],
    [
      'a highlighted text',
      'highlight',
      paragraph(run('a', '<w:highlight w:val="yellow"/>')),
      paragraph(run('a', '<w:highlight w:val="green"/>')),
      null,
    ],
    [
      'a highlight of none',
      'highlight',
      paragraph(run('a', '<w:highlight w:val="none"/>')),
      paragraph(run('a', '<w:highlight w:val="yellow"/>')),
      '“a” is missing',
    ],
  ])('%s', (_, aspect, seen, wanted, why) => {
    const is = differ(aspect, seen, wanted);
    if (why === null) expect(is).toBeNull();
    else expect(is).toContain(why);
  });
});

const look = fc.constantFrom('', subscript, '<w:b/>', '<w:i/>', '<w:highlight w:val="yellow"/>', '<w:sz w:val="28"/>');
const letters = fc.stringMatching(/^[a-z ]{0,6}$/);
const anyRun = fc.oneof(
  fc.tuple(letters, look).map(([text, own]) => run(text, own)),
  fc.constantFrom(picture, '<w:r><w:object/></w:r>', `<w:hyperlink>${run('l')}</w:hyperlink>`),
);
const anyParagraph = fc
  .tuple(fc.array(anyRun, { maxLength: 4 }), fc.constantFrom('', '<w:spacing w:line="240"/>', '<w:jc w:val="center"/>'))
  .map(([runs, own]) => paragraph(runs.join(''), own));
const anyTable = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), letters)
  .map(([rows, columns, text]) =>
    table(Array.from({ length: rows }, () => Array.from({ length: columns }, () => cell(text)))),
  );
const anyBody = fc.array(fc.oneof(anyParagraph, anyTable), { maxLength: 6 }).map((parts) => parts.join(''));

test('a document is as itself, but for what must be somewhere in it', () => {
  fc.assert(
    fc.property(anyBody, (body) => {
      const file = fileOf(body);
      for (const aspect of WORD_ASPECTS) {
        const difference = wordDifference(file, file, aspect);
        const mark = aspect === 'subscript' ? 'subscript' : 'w:object';
        if (aspect === 'subscript' || aspect === 'equations')
          expect(difference === null).toBe(file.paragraphs.length > 0 && inParagraphs(body).includes(mark));
        else expect(difference).toBeNull();
      }
    }),
  );
});

test('what is other one way is other the other way', () => {
  fc.assert(
    fc.property(anyBody, anyBody, fc.constantFrom(...WORD_ASPECTS), (one, other, aspect) => {
      expect(differ(aspect, one, other) === null).toBe(differ(aspect, other, one) === null);
    }),
  );
});

/** Without the tables, whose runs are none of the body's. */
const inParagraphs = (body: string): string =>
  body
    .split('<w:tbl>')
    .map((part) => part.split('</w:tbl>').at(-1))
    .join('');

describe('PL42: traits', () => {
  const footer = (line: string): string => `<w:ftr ${NAMES}>${paragraph(run(line))}${paragraph(run('9'))}</w:ftr>`;
  const section = (id: string | null): string =>
    `<w:sectPr>${id === null ? '' : `<w:footerReference w:type="default" r:id="${id}"/>`}</w:sectPr>`;
  const footed = (line: string, sections: string): WordFile =>
    fileOf(sections, {
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="r1" Target="footer1.xml"/><Relationship Id="r2" Target="/word/footer2.xml"/></Relationships>',
      'word/footer1.xml': footer(line),
      'word/footer2.xml': footer('Page'),
    });

  test.each<[string, Parameters<typeof faultOfTrait>[0], WordFile, string | null]>([
    ['a page break', 'page-break', fileOf(paragraph('<w:r><w:br w:type="page"/></w:r>')), null],
    ['a break of a line', 'page-break', fileOf(paragraph('<w:r><w:br/></w:r>')), 'no page break'],
    ['page numbers', 'page-numbers', footed('Page 1', section('r1')), null],
    ['page numbers that a section takes over', 'page-numbers', footed('1', section('r1') + section(null)), null],
    ['a footer without a number in its first line', 'page-numbers', footed('Page', section('r1')), 'section 1'],
    ['one section without', 'page-numbers', footed('1', section('r1') + section('r2')), 'section 2'],
    ['no footer at all', 'page-numbers', footed('1', section(null)), 'section 1'],
    ['no section', 'page-numbers', fileOf(paragraph(run('1'))), 'no section'],
    ['a centred heading', 'first-line-centred', fileOf(paragraph(run('a'), '<w:jc w:val="center"/>')), null],
    ['a heading at the left', 'first-line-centred', fileOf(paragraph(run('a'))), 'not centred'],
    [
      'a struck last paragraph',
      'last-paragraph-struck',
      fileOf(paragraph(run('a')) + paragraph(run('b', '<w:strike/>'))),
      null,
    ],
    [
      'one word that is not',
      'last-paragraph-struck',
      fileOf(paragraph(run('a', '<w:strike/>') + run('b', '<w:strike w:val="0"/>'))),
      'not all',
    ],
  ])('%s', (_, trait, file, why) => {
    const is = faultOfTrait(trait, file);
    if (why === null) expect(is).toBeNull();
    else expect(is).toContain(why);
  });

  test('a font that every run names, and one of the style alone', () => {
    const font = '<w:rFonts w:ascii="Times New Roman"/>';
    expect(faultOfFont('Times New Roman', fileOf(paragraph(run('a', font))))).toBeNull();
    expect(faultOfFont('Times New Roman', fileOf(paragraph(run('a', font) + run('b'))))).toContain('of its style');
    expect(faultOfFont('Times New Roman', fileOf(''))).toContain('no text');
  });

  test('italics of a size', () => {
    const italic = (size: string): WordFile => fileOf(paragraph(run('a', `<w:i/>${size}`) + run('b')));
    expect(faultOfItalics(14, italic('<w:sz w:val="28"/>'))).toBeNull();
    expect(faultOfItalics(14, italic('<w:sz w:val="24"/>'))).toContain('size 12, not 14');
    expect(faultOfItalics(14, italic(''))).toContain('of its style');
  });

  test('yellow in .docx and .odt', () => {
    expect(fileOf(paragraph(run('a', '<w:shd w:fill="FFFF00"/>'))).isYellow).toBe(true);
    expect(fileOf(paragraph(run('a', '<w:highlight w:val="none"/>'))).isYellow).toBe(false);
    const odt = (colour: string): string =>
      `<office:document-content><style:style style:name="T1"><style:text-properties fo:background-color="${colour}"/></style:style><text:span text:style-name="T1">a</text:span></office:document-content>`;
    expect(isYellowOdt([odt('#FFFF00'), null])).toBe(true);
    expect(isYellowOdt([odt('transparent')])).toBe(false);
  });
});

test('a document of other names is none, so that nothing passes for want of text', () => {
  expect(() => readWordFile(() => '<x:document><x:body/></x:document>')).toThrow('no document as Word writes it');
  expect(() => readWordFile(() => '<w:document xmlns:w="x"><w:body/></w:document>')).toThrow('no document');
  expect(() => readWordFile(() => null)).toThrow('word/document.xml is missing');
});
