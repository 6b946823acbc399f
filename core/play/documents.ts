import type { ALIGNMENTS } from '../../schemas/checks-plain.ts';
import { attribute } from './xml.ts';
import { attributeOf, below, childOf, type XmlNode, xmlTree } from './xml-tree.ts';

/** Presentations and text documents: their paragraphs with the look of each run, notes and pictures. */

export type Align = (typeof ALIGNMENTS)[number];
/** null: nothing says it. `size` in points, `colour` as `#rrggbb`. */
export type RunLook = {
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  font: string | null;
  size: number | null;
  colour: string | null;
};
export type TextRun = { text: string; look: RunLook };
export type Paragraph = { align: Align; runs: TextRun[] };
/** A slide, or the whole of a text document. */
export type DocumentPage = { paragraphs: Paragraph[]; notes: Paragraph[]; pictures: number };
export type OfficeDocument = { isSlides: boolean; pages: DocumentPage[] };

type ReadPart = (name: string) => string | null;

const PLAIN: RunLook = {
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  font: null,
  size: null,
  colour: null,
};

/** Reads a document by its ending; `part` gives the text of a part of its archive. Throws XmlError, and an Error for a part that is missing. */
export function readOfficeParts(ending: string, part: ReadPart): OfficeDocument {
  if (ending === 'pptx') return { isSlides: true, pages: slidesOfPptx(part) };
  if (ending === 'docx') return { isSlides: false, pages: [pageOfDocx(part)] };
  return documentOfOdf(part, ending === 'odp');
}

const MOST_SLIDES = 500;

function tree(part: ReadPart, name: string): XmlNode {
  const text = part(name);
  if (text === null) throw new Error(`its part ${name.slice(0, 80)} is missing`);
  return xmlTree(text);
}

/** [id, target] of a part's relations, by paths in the archive. */
function relationsOf(part: ReadPart, of: string): Map<string, { type: string; target: string }> {
  const [folder, file] = [of.slice(0, of.lastIndexOf('/') + 1), of.slice(of.lastIndexOf('/') + 1)];
  const text = part(`${folder}_rels/${file}.rels`);
  const found = new Map<string, { type: string; target: string }>();
  if (text === null) return found;
  for (const node of below(xmlTree(text), new Set(['Relationship']))) {
    const [id, target] = [attributeOf(node, 'Id'), attributeOf(node, 'Target')];
    if (id !== null && target !== null)
      found.set(id, {
        type: (attributeOf(node, 'Type') ?? '').split('/').at(-1) ?? '',
        target: pathIn(folder, target),
      });
  }
  return found;
}

function pathIn(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const parts = folder.split('/').filter((one) => one !== '');
  for (const step of target.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.') parts.push(step);
  }
  return parts.join('/');
}

function slidesOfPptx(part: ReadPart): DocumentPage[] {
  const show = 'ppt/presentation.xml';
  const relations = relationsOf(part, show);
  const ids = [...below(tree(part, show), new Set(['p:sldId']))].map((node) => attributeOf(node, 'r:id') ?? '');
  if (ids.length > MOST_SLIDES) throw new Error(`it has more than ${MOST_SLIDES} slides`);
  return ids.flatMap((id) => {
    const name = relations.get(id)?.target;
    if (name === undefined) return [];
    const slide = tree(part, name);
    const notes = [...relationsOf(part, name).values()].find(({ type }) => type === 'notesSlide')?.target;
    return [
      {
        paragraphs: paragraphsOfDrawing(slide),
        notes: notes === undefined ? [] : notesOfPptx(tree(part, notes)),
        pictures: [...below(slide, new Set(['p:pic']))].length,
      },
    ];
  });
}

/** The notes themselves, without the number of the slide and its small picture. */
function notesOfPptx(notes: XmlNode): Paragraph[] {
  return [...below(notes, new Set(['p:sp']))].flatMap((shape) => {
    const [holder] = below(shape, new Set(['p:ph']));
    const type = attributeOf(holder ?? null, 'type');
    return holder && (type === null || type === 'body') ? paragraphsOfDrawing(shape) : [];
  });
}

const DRAWN_ALIGN: Readonly<Record<string, Align>> = { l: 'left', ctr: 'center', r: 'right', just: 'justify' };

function paragraphsOfDrawing(root: XmlNode): Paragraph[] {
  return [...below(root, new Set(['a:p']))].map((node) => ({
    align: DRAWN_ALIGN[attributeOf(childOf(node, 'a:pPr'), 'algn') ?? 'l'] ?? 'left',
    runs: node.children.flatMap((child): TextRun[] => {
      if (child.name === 'a:br') return [{ text: '\n', look: PLAIN }];
      if (child.name !== 'a:r' && child.name !== 'a:fld') return [];
      return [{ text: textIn(childOf(child, 'a:t')), look: lookOfDrawing(childOf(child, 'a:rPr')) }];
    }),
  }));
}

function lookOfDrawing(own: XmlNode | null): RunLook {
  const is = (name: string): boolean => ['1', 'true'].includes(attributeOf(own, name) ?? '');
  const size = Number(attributeOf(own, 'sz') ?? Number.NaN);
  return {
    bold: is('b'),
    italic: is('i'),
    underline: !['none', null].includes(attributeOf(own, 'u')),
    strike: !['noStrike', null].includes(attributeOf(own, 'strike')),
    font: attributeOf(childOf(own, 'a:latin'), 'typeface'),
    size: Number.isFinite(size) ? size / 100 : null,
    colour: hex(attributeOf(childOf(childOf(own, 'a:solidFill'), 'a:srgbClr'), 'val')),
  };
}

const hex = (value: string | null): string | null =>
  value !== null && /^#?[0-9a-f]{6}$/i.test(value) ? `#${value.replace('#', '').toLowerCase()}` : null;

const textIn = (node: XmlNode | null): string => (node === null ? '' : node.children.map(({ text }) => text).join(''));

/** What a style or a run says; what it does not say is absent. */
type Said = Partial<RunLook> & { align?: Align };
const WORD_ALIGN: Readonly<Record<string, Align>> = {
  left: 'left',
  start: 'left',
  center: 'center',
  right: 'right',
  end: 'right',
  both: 'justify',
};

function pageOfDocx(part: ReadPart): DocumentPage {
  const body = tree(part, 'word/document.xml');
  const text = part('word/styles.xml');
  const styles = text === null ? new Map<string, Style>() : stylesOfWord(xmlTree(text));
  const paragraphs = [...below(body, new Set(['w:p']))].map((node): Paragraph => {
    const own = childOf(node, 'w:pPr');
    const style = saidBy(styles, attributeOf(childOf(own, 'w:pStyle'), 'w:val') ?? '');
    const align = WORD_ALIGN[attributeOf(childOf(own, 'w:jc'), 'w:val') ?? ''] ?? style.align ?? 'left';
    const runs = [...below(node, new Set(['w:r']))].map((run): TextRun => {
      const said = childOf(run, 'w:rPr');
      const named = saidBy(styles, attributeOf(childOf(said, 'w:rStyle'), 'w:val') ?? '');
      return { text: textOfWordRun(run), look: lookFrom(style, named, saidInWord(said)) };
    });
    return { align, runs };
  });
  return {
    paragraphs,
    notes: [],
    pictures: [...below(body, new Set(['w:drawing', 'w:pict']))].filter(isPicture).length,
  };
}

const isPicture = (node: XmlNode): boolean => !below(node, new Set(['a:blip', 'v:imagedata'])).next().done;

function textOfWordRun(run: XmlNode): string {
  return run.children
    .map((child) => {
      if (child.name === 'w:t') return textIn(child);
      if (child.name === 'w:tab') return '\t';
      return child.name === 'w:br' || child.name === 'w:cr' ? '\n' : '';
    })
    .join('');
}

function saidInWord(own: XmlNode | null): Said {
  const said: Said = {};
  const flag = (name: string): boolean | null => {
    const node = childOf(own, name);
    return node && !['0', 'false', 'off'].includes(attributeOf(node, 'w:val') ?? '1');
  };
  const [bold, italic, strike] = [flag('w:b'), flag('w:i'), flag('w:strike')];
  if (bold !== null) said.bold = bold;
  if (italic !== null) said.italic = italic;
  if (strike !== null) said.strike = strike;
  const line = attributeOf(childOf(own, 'w:u'), 'w:val');
  if (line !== null) said.underline = line !== 'none';
  const size = Number(attributeOf(childOf(own, 'w:sz'), 'w:val') ?? Number.NaN);
  if (Number.isFinite(size)) said.size = size / 2;
  const colour = hex(attributeOf(childOf(own, 'w:color'), 'w:val'));
  if (colour !== null) said.colour = colour;
  const font = attributeOf(childOf(own, 'w:rFonts'), 'w:ascii');
  if (font !== null) said.font = font;
  return said;
}

type Style = { parent: string | null; said: Said };

function stylesOfWord(root: XmlNode): Map<string, Style> {
  const styles = new Map<string, Style>();
  const [defaults] = below(root, new Set(['w:rPrDefault']));
  styles.set('', { parent: null, said: saidInWord(childOf(defaults ?? null, 'w:rPr')) });
  for (const node of below(root, new Set(['w:style']))) {
    const said = saidInWord(childOf(node, 'w:rPr'));
    const align = WORD_ALIGN[attributeOf(childOf(childOf(node, 'w:pPr'), 'w:jc'), 'w:val') ?? ''];
    if (align) said.align = align;
    // A character style has no more than it says: what is below it is the paragraph's.
    const root = attributeOf(node, 'w:type') === 'character' ? null : '';
    const id = attributeOf(node, 'w:styleId');
    if (id !== null && id !== '')
      styles.set(id, { parent: attributeOf(childOf(node, 'w:basedOn'), 'w:val') ?? root, said });
  }
  return styles;
}

/** More styles than these do not rest on each other. */
const MOST_STYLES = 30;

/** A style with all that it rests on, the nearest first. */
function saidBy(styles: ReadonlyMap<string, Style>, name: string): Said {
  let said: Said = {};
  let at: string | null = name;
  for (let n = 0; at !== null && n < MOST_STYLES; n++) {
    const style: Style | undefined = styles.get(at);
    if (!style) break;
    said = { ...style.said, ...said };
    at = style.parent;
  }
  return said;
}

function lookFrom(...all: readonly Said[]): RunLook {
  const { align: _align, ...look } = Object.assign({ ...PLAIN }, ...all) as RunLook & Said;
  return look;
}

function documentOfOdf(part: ReadPart, isSlides: boolean): OfficeDocument {
  const content = tree(part, 'content.xml');
  const styles = new Map<string, Style>();
  const shared = part('styles.xml');
  for (const root of shared === null ? [content] : [xmlTree(shared), content])
    for (const node of below(root, new Set(['style:style', 'style:default-style']))) addOdfStyle(styles, node);
  const pages = isSlides ? [...below(content, new Set(['draw:page']))] : [...below(content, new Set(['office:text']))];
  if (pages.length > MOST_SLIDES) throw new Error(`it has more than ${MOST_SLIDES} slides`);
  return {
    isSlides,
    pages: pages.map((page) => {
      const [notes] = below(page, new Set(['presentation:notes']));
      const own = { ...page, children: page.children.filter((child) => child !== notes) };
      return {
        paragraphs: paragraphsOfOdf(own, styles),
        notes: notes ? paragraphsOfOdf(notes, styles) : [],
        pictures: [...below(own, new Set(['draw:image']))].length,
      };
    }),
  };
}

const ODF_ALIGN: Readonly<Record<string, Align>> = { ...WORD_ALIGN, justify: 'justify' };

function addOdfStyle(styles: Map<string, Style>, node: XmlNode): void {
  const family = attributeOf(node, 'style:family') ?? '';
  const name = attributeOf(node, 'style:name');
  const text = childOf(node, 'style:text-properties');
  const said: Said = {};
  const weight = attributeOf(text, 'fo:font-weight');
  if (weight !== null) said.bold = weight === 'bold' || Number(weight) >= 600;
  const slant = attributeOf(text, 'fo:font-style');
  if (slant !== null) said.italic = slant === 'italic' || slant === 'oblique';
  const line = attributeOf(text, 'style:text-underline-style');
  if (line !== null) said.underline = line !== 'none';
  const through = attributeOf(text, 'style:text-line-through-style');
  if (through !== null) said.strike = through !== 'none';
  const font = attributeOf(text, 'fo:font-family')?.replaceAll("'", '') ?? attributeOf(text, 'style:font-name');
  if (font !== null) said.font = font;
  const size = attributeOf(text, 'fo:font-size');
  if (size !== null && /^\d{1,5}(?:\.\d{1,5})?pt$/.test(size)) said.size = Number(size.slice(0, -2));
  const colour = hex(attributeOf(text, 'fo:color'));
  if (colour !== null) said.colour = colour;
  const align = ODF_ALIGN[attributeOf(childOf(node, 'style:paragraph-properties'), 'fo:text-align') ?? ''];
  if (align) said.align = align;
  const key = name === null ? `${family}:` : `${family}:${name}`;
  const parent = attributeOf(node, 'style:parent-style-name');
  styles.set(key, { parent: name === null ? null : `${family}:${parent ?? ''}`, said });
}

const ODF_LINES = new Set(['text:p', 'text:h']);

function paragraphsOfOdf(root: XmlNode, styles: ReadonlyMap<string, Style>): Paragraph[] {
  return [...below(root, ODF_LINES)].map((node) => {
    const style = saidBy(styles, `paragraph:${attributeOf(node, 'text:style-name') ?? ''}`);
    const runs: TextRun[] = [];
    const walk = (inside: XmlNode, said: readonly Said[]): void => {
      for (const child of inside.children) {
        const text = odfText(child);
        if (text !== null) runs.push({ text, look: lookFrom(...said) });
        else if (child.name === 'office:annotation' || child.name === 'draw:frame') continue;
        else if (child.name === 'text:span')
          walk(child, [...said, saidBy(styles, `text:${attributeOf(child, 'text:style-name') ?? ''}`)]);
        else walk(child, said);
      }
    };
    walk(node, [style]);
    return { align: style.align ?? 'left', runs };
  });
}

function odfText(node: XmlNode): string | null {
  if (node.name === '#text') return node.text;
  if (node.name === 'text:line-break') return '\n';
  if (node.name === 'text:tab') return '\t';
  if (node.name !== 'text:s') return null;
  return ' '.repeat(Math.min(100, Math.max(1, Number(attribute(node.attributes, 'text:c') ?? 1) || 1)));
}
