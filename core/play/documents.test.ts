import { describe, expect, test } from 'vitest';
import type { DocumentPart } from '../../schemas/checks-of-files.ts';
import { documentDifference, faultOfPart } from './document-checks.ts';
import { type OfficeDocument, readOfficeParts } from './documents.ts';

const docx = (body: string, styles?: string): OfficeDocument =>
  readOfficeParts('docx', (name) => {
    if (name === 'word/styles.xml') return styles ?? null;
    return name === 'word/document.xml' ? `<w:document><w:body>${body}</w:body></w:document>` : null;
  });
const part = (fields: Partial<DocumentPart> & { text: string }): DocumentPart => ({ notes: false, ...fields });

const STYLES =
  '<w:styles><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:styleId="Head"><w:pPr><w:jc w:val="center"/></w:pPr><w:rPr><w:b/></w:rPr></w:style></w:styles>';
const LETTER =
  '<w:p><w:pPr><w:pStyle w:val="Head"/></w:pPr><w:r><w:t>Dear </w:t></w:r><w:r><w:rPr><w:b w:val="0"/><w:color w:val="FF0000"/></w:rPr><w:t>all</w:t></w:r></w:p><w:p/>';

describe('a text document', () => {
  test('has the look of its runs, then of their styles', () => {
    const [page] = docx(LETTER, STYLES).pages;
    const [first] = page!.paragraphs;
    expect(first?.align).toBe('center');
    expect(first?.runs.map(({ text, look }) => [text, look.bold, look.size, look.colour])).toEqual([
      ['Dear ', true, 12, null],
      ['all', false, 12, '#ff0000'],
    ]);
  });

  test('a part of it must look so wherever its text stands', () => {
    const letter = docx(LETTER, STYLES);
    expect(faultOfPart(letter, part({ text: 'Dear', bold: true, align: 'center' }))).toBeNull();
    expect(faultOfPart(letter, part({ text: 'Dear all', bold: true }))).toBe('“Dear all” is not bold');
    expect(faultOfPart(letter, part({ text: 'all', colour: '#FF0000' }))).toBeNull();
    expect(faultOfPart(letter, part({ text: 'Dear', colour: '#00ff00' }))).toBe(
      '“Dear” has the colour of its style, not #00ff00',
    );
    expect(faultOfPart(letter, part({ text: 'nobody' }))).toBe('lacks “nobody”');
  });

  test('beside another: its texts, and only the looks that are asked for', () => {
    const plain = docx('<w:p><w:r><w:t>Dear all</w:t></w:r></w:p>');
    expect(documentDifference(docx(LETTER, STYLES), plain, ['text'])).toBeNull();
    expect(documentDifference(docx(LETTER, STYLES), plain, ['text', 'bold'])).toBe('the bold of “Dear all” is another');
    expect(documentDifference(docx('<w:p><w:r><w:t>Hi</w:t></w:r></w:p>'), plain, ['text'])).toBe(
      '“Hi” stands where “Dear all” should',
    );
  });
});

describe('a presentation', () => {
  const rels = (list: string) => `<Relationships>${list}</Relationships>`;
  const rel = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`;
  const parts: Record<string, string> = {
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId r:id="r2"/><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': rels(
      rel('r1', 'slide', 'slides/slide1.xml') + rel('r2', 'slide', 'slides/slide2.xml'),
    ),
    'ppt/slides/slide1.xml':
      '<p:sld><p:pic/><a:p><a:pPr algn="r"/><a:r><a:rPr b="1" sz="2000"><a:solidFill><a:srgbClr val="00FF00"/></a:solidFill><a:latin typeface="Arial"/></a:rPr><a:t>one</a:t></a:r></a:p></p:sld>',
    'ppt/slides/slide2.xml': '<p:sld><a:p><a:r><a:t>two</a:t></a:r></a:p></p:sld>',
    'ppt/slides/_rels/slide1.xml.rels': rels(rel('r1', 'notesSlide', '../notesSlides/n.xml')),
    'ppt/notesSlides/n.xml':
      '<p:notes><p:sp><p:ph type="body"/><a:p><a:r><a:t>say it</a:t></a:r></a:p></p:sp><p:sp><p:ph type="sldNum"/><a:p><a:r><a:t>1</a:t></a:r></a:p></p:sp></p:notes>',
  };
  const show = readOfficeParts('pptx', (name) => parts[name] ?? null);

  test('has its slides in the order of the show, with notes and pictures', () => {
    expect(show.pages.map(({ paragraphs }) => paragraphs[0]?.runs[0]?.text)).toEqual(['two', 'one']);
    expect(show.pages.map(({ pictures, notes }) => [pictures, notes.length])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test('is asked for a text on a slide and in its notes', () => {
    const look = { bold: true, size: 20, font: 'arial', colour: '#00ff00', align: 'right' as const };
    expect(faultOfPart(show, part({ text: 'one', slide: 2, ...look }))).toBeNull();
    expect(faultOfPart(show, part({ text: 'one', slide: 1 }))).toBe('slide 1 lacks “one”');
    expect(faultOfPart(show, part({ text: 'say it', notes: true }))).toBeNull();
    expect(faultOfPart(show, part({ text: 'x', slide: 7 }))).toBe('it has no slide 7');
  });
});

test('an open document has the look of its styles', () => {
  const content =
    '<office:document-content><office:automatic-styles><style:style style:name="P1" style:family="paragraph"><style:paragraph-properties fo:text-align="end"/></style:style><style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold" fo:color="#ff0000" fo:font-size="14pt"/></style:style></office:automatic-styles><office:body><office:text><text:p text:style-name="P1">Dear <text:span text:style-name="T1">all</text:span></text:p><draw:image/></office:text></office:body></office:document-content>';
  const letter = readOfficeParts('odt', (name) => (name === 'content.xml' ? content : null));
  expect(letter.pages[0]?.pictures).toBe(1);
  expect(
    faultOfPart(letter, part({ text: 'all', bold: true, size: 14, colour: '#ff0000', align: 'right' })),
  ).toBeNull();
  expect(faultOfPart(letter, part({ text: 'Dear', bold: true }))).toBe('“Dear” is not bold');
});

test('elements that are closed wrongly, not closed, or lie too deep are refused', () => {
  expect(() => docx('<w:p></w:q>')).toThrow('closes w:q wrongly');
  expect(() => docx('<w:p>')).toThrow(/closes|middle/);
  expect(() => docx('<w:p>'.repeat(500))).toThrow('too deep');
});
