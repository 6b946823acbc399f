import { describe, expect, test } from 'vitest';
import { textOfOffice } from './office-text.ts';
import { cellOfCsv, cellOfOds, cellOfXlsx, partOfSheet, placeOfCell, sharedText } from './sheets.ts';
import { XmlError, xmlPieces } from './xml.ts';

const at = placeOfCell;

test('cells are named by column and row', () => {
  expect(at('A1')).toEqual({ row: 0, column: 0 });
  expect(at('AB12')).toEqual({ row: 11, column: 27 });
});

test('a cell of text with separators', () => {
  const csv = '\ufeffname,total\r\n"Smith, ""J""\nand co",12\r\nlast,';
  expect(['A1', 'B1', 'A2', 'B2', 'A3', 'B3', 'C1', 'A9'].map((cell) => cellOfCsv(csv, ',', at(cell)))).toEqual([
    ...['name', 'total', 'Smith, "J"\nand co', '12', 'last', null, null, null],
  ]);
  expect(cellOfCsv('a;b', ';', at('B1'))).toBe('b');
  expect(cellOfCsv('"never closed', ',', at('B7'))).toBeNull();
});

describe('a sheet of Excel', () => {
  const sheet = `<?xml version="1.0"?><worksheet><sheetData>
    <row r="1"><c r="A1" t="s"><v>1</v></c><c r="C1"><f>1+1</f><v>2.5</v></c></row>
    <row r="3"><c r="B3" t="inlineStr"><is><r><t>a &amp; </t></r><r><t xml:space="preserve">b</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c><c t="b"><v>1</v></c><c r="D3" s="4"/><c r="E3" t="str"><v>text</v></c></row>
  </sheetData></worksheet>`;
  const strings = '<sst><si><t>zero</t></si><si><r><t>on</t></r><r><t>e</t></r></si><si/></sst>';
  test.each([
    ['A1', 'one'],
    ['B1', null],
    ['C1', 2.5],
    ['A2', null],
    ['B3', 'a & b'],
    ['C3', true],
    ['D3', null],
    ['E3', 'text'],
    ['A9', null],
  ])('%s', (cell, wanted) => {
    expect(cellOfXlsx(sheet, at(cell), (index) => sharedText(strings, index))).toBe(wanted);
  });
  test('is found by its name', () => {
    const book =
      '<x:workbook><x:sheets><x:sheet name="A" r:id="r1"/><x:sheet name="B &gt;" r:id="r2"/></x:sheets></x:workbook>';
    const relations =
      '<Relationships><Relationship Id="r2" Target="/xl/worksheets/b.xml"/><Relationship Id="r1" Target="worksheets/a.xml"/></Relationships>';
    expect(partOfSheet(book, relations, undefined)).toBe('xl/worksheets/a.xml');
    expect(partOfSheet(book, relations, 'B >')).toBe('xl/worksheets/b.xml');
    expect(partOfSheet(book, relations, 'C')).toBeNull();
  });
});

describe('an OpenDocument sheet', () => {
  const content = `<office:document-content><office:spreadsheet>
    <table:table table:name="One"><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="7.5"><text:p>7,50 €</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000000000"/></table:table-row>
    <table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p></office:annotation><text:p>a</text:p><text:p>b</text:p></table:table-cell><table:covered-table-cell/><table:table-cell office:value-type="boolean" office:boolean-value="true"/></table:table-row></table:table>
    <table:table table:name="Two"><table:table-row><table:table-cell office:value-type="date" office:date-value="2026-01-02"><text:p>2 Jan</text:p></table:table-cell></table:table-row></table:table>
  </office:spreadsheet></office:document-content>`;
  test.each([
    ['A1', undefined, 7.5],
    ['A2', 'One', 7.5],
    ['B2', 'One', null],
    ['A3', 'One', 'a\nb'],
    ['C3', 'One', true],
    ['A4', 'One', null],
    ['A1', 'Two', '2026-01-02'],
  ])('%s of %s', (cell, sheet, wanted) => {
    expect(cellOfOds(content, sheet, at(cell))).toBe(wanted);
  });
  test('that is not there is named', () => {
    expect(() => cellOfOds(content, 'Three', at('A1'))).toThrow('no sheet “Three”');
  });
});

test('the text of documents is what a reader sees', () => {
  const word =
    '<w:body><w:p><w:pPr><w:tab/></w:pPr><w:r><w:t>One</w:t><w:tab/><w:t xml:space="preserve"> two</w:t></w:r></w:p><w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>three</w:t></w:r></w:p></w:body>';
  expect(textOfOffice(word, true)).toBe('One\t two\nthree\n');
  const open =
    '<office:body><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h>Title</text:h><text:p>a<text:s text:c="3"/>b<text:span>c</text:span><text:line-break/>d</text:p></office:body>';
  expect(textOfOffice(open, false)).toBe('Title\na   bc\nd\n');
});

test.each([
  ['entities of its own', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', /document type/],
  ['a tag without an end', '<a b="', /in the middle/],
  ['a comment without an end', '<!-- ', /in the middle/],
])('XML with %s is refused', (_name, source, why) => {
  const read = (): unknown => [...xmlPieces(source)];
  expect(read).toThrow(XmlError);
  expect(read).toThrow(why);
});

test('an unknown entity stays as it is written, and known ones are read', () => {
  expect([...xmlPieces('<a>&x;&lt;&#65;&#x42;&#xffffff;<![CDATA[<&lt;]]></a>')]).toMatchObject([
    { is: 'open' },
    { text: '&x;<AB&#xffffff;' },
    { text: '<&lt;' },
    { is: 'close' },
  ]);
});
