import type { TablePart } from '../../schemas/checks-plain.ts';
import { chartsIn, type SheetChart } from './sheet-charts.ts';
import { pivotsIn, type SheetPivot } from './sheet-pivots.ts';
import { type BookPart, deep, find, namedBelow, relationsOf, valOf } from './sheet-xml.ts';
import type { TableDifference } from './tables.ts';
import { XmlError } from './xml.ts';
import { attributeOf, type XmlNode, xmlTree } from './xml-tree.ts';

/** What else than its cells a sheet of Excel has, and how two of them differ in it. */

const LOOKS = ['bold', 'italic', 'underline', 'font', 'colour', 'fill'] as const;
type Look = Record<(typeof LOOKS)[number], string>;

export type SheetParts = {
  name: string;
  charts: SheetChart[];
  pivots: SheetPivot[];
  /** Columns and rows that stay when the rest is scrolled. */
  frozen: string;
  hidden: string;
  /** By the cell's name. */
  looks: Map<string, Look>;
};

/** Cells whose look is kept. */
const MOST_LOOKS = 300_000;

/** Reads what `wants` asks of each sheet. `part`: a file of the workbook by its path; null where there is none. Throws XmlError. */
export function partsOfXlsx(
  sheets: readonly { name: string; part: string }[],
  wants: ReadonlySet<TablePart>,
  part: BookPart,
): SheetParts[] {
  const styles = LOOKS.some((one) => wants.has(one)) ? looksOf(part('xl/styles.xml')) : [];
  const left = { looks: MOST_LOOKS };
  return sheets.map(({ name, part: path }) => {
    const relations = relationsOf(path, part);
    const root = xmlTree(part(path) ?? '');
    const pane = deep(root, 'pane');
    const isFrozen = attributeOf(pane, 'state')?.startsWith('frozen') ?? false;
    return {
      name,
      charts: [...chartsIn(relations, part)],
      pivots: wants.has('pivots') ? [...pivotsIn(relations, part)] : [],
      frozen: isFrozen
        ? `${Number(attributeOf(pane, 'xSplit') ?? 0)} columns and ${Number(attributeOf(pane, 'ySplit') ?? 0)} rows`
        : 'nothing',
      hidden: hiddenIn(root),
      looks: styles.length > 0 ? looksIn(root, styles, left) : new Map(),
    };
  });
}

const isOn = (value: string | null): boolean => value === '1' || value === 'true';

function hiddenIn(root: XmlNode): string {
  const rows = [...namedBelow(root, 'row')].filter((row) => isOn(attributeOf(row, 'hidden')));
  const columns = [...namedBelow(root, 'col')].filter((column) => isOn(attributeOf(column, 'hidden')));
  const all = [
    ...rows.map((row) => `row ${attributeOf(row, 'r') ?? '?'}`),
    ...columns.map((column) => `columns ${attributeOf(column, 'min') ?? '?'} to ${attributeOf(column, 'max') ?? '?'}`),
  ];
  return all.length === 0 ? 'nothing' : all.join(', ');
}

/** The looks by the number that a cell gives (`s`). */
function looksOf(styles: string | null): Look[] {
  const root = xmlTree(styles ?? '');
  const [fonts, fills] = ['fonts', 'fills'].map((name) => deep(root, name)?.children ?? []);
  const isSet = (font: XmlNode | undefined, name: string): string => {
    const found = font ? find(font, name) : null;
    return String(found !== null && !['0', 'false', 'none'].includes(valOf(found) ?? ''));
  };
  return (deep(root, 'cellXfs')?.children ?? []).map((format) => {
    const font = fonts?.[Number(attributeOf(format, 'fontId') ?? 0)];
    const fill = fills?.[Number(attributeOf(format, 'fillId') ?? 0)];
    const pattern = fill ? find(fill, 'patternFill') : null;
    const isSolid = attributeOf(pattern, 'patternType') === 'solid';
    return {
      bold: isSet(font, 'b'),
      italic: isSet(font, 'i'),
      underline: isSet(font, 'u'),
      font: (font && valOf(find(font, 'name'))) ?? '',
      colour: colourOf(font ? find(font, 'color') : null),
      fill: isSolid && pattern ? colourOf(find(pattern, 'fgColor')) : 'none',
    };
  });
}

function colourOf(node: XmlNode | null): string {
  const rgb = attributeOf(node, 'rgb');
  if (rgb !== null) return `#${rgb.slice(-6).toLowerCase()}`;
  const [theme, tint, indexed] = ['theme', 'tint', 'indexed'].map((name) => attributeOf(node, name));
  // The text's own colour, however it is written.
  if (theme === '1' || indexed === '8' || node === null) return '#000000';
  return theme !== null ? `theme ${theme} ${tint ?? ''}`.trim() : indexed !== null ? `colour ${indexed}` : '#000000';
}

function looksIn(root: XmlNode, styles: readonly Look[], left: { looks: number }): SheetParts['looks'] {
  const looks: SheetParts['looks'] = new Map();
  for (const cell of namedBelow(root, 'c')) {
    const [name, look] = [attributeOf(cell, 'r'), styles[Number(attributeOf(cell, 's') ?? 0)]];
    if (name === null || !look) continue;
    if (left.looks-- <= 0) throw new XmlError(`it has more than ${MOST_LOOKS.toLocaleString('en')} cells`);
    looks.set(name, look);
  }
  return looks;
}

/** How `seen` differs from `wanted` in these parts; `sheets`: the pairs that are compared. */
export function compareParts(
  pairs: readonly (readonly [SheetParts, SheetParts])[],
  parts: ReadonlySet<TablePart>,
): TableDifference {
  const all: TableDifference = { compared: 0, other: 0, why: null };
  for (const [seen, wanted] of pairs) {
    const say = (same: boolean, why: () => string): void => {
      all.compared++;
      if (same) return;
      all.other++;
      all.why ??= `on the sheet “${seen.name.slice(0, 60)}” ${why()}`;
    };
    if (parts.has('frozen'))
      say(seen.frozen === wanted.frozen, () => `${seen.frozen} stays when it is scrolled, not ${wanted.frozen}`);
    if (parts.has('hidden'))
      say(seen.hidden === wanted.hidden, () => `${short(seen.hidden)} is hidden, not ${short(wanted.hidden)}`);
    for (const [part, what] of CHARTS)
      if (parts.has(part)) {
        const [own, other] = [seen, wanted].map(({ charts }) => charts.map(what).sort());
        say(own!.join('\n') === other!.join('\n'), () => `the charts are ${listed(own!)}, not ${listed(other!)}`);
      }
    if (parts.has('pivots')) {
      const [own, other] = [seen, wanted].map(({ pivots }) => pivots.map((one) => one.words).sort());
      say(own!.join('\n') === other!.join('\n'), () => `the pivot tables are ${listed(own!)}, not ${listed(other!)}`);
    }
    for (const look of LOOKS) if (parts.has(look)) compareLooks(seen, wanted, look, say);
  }
  return all;
}

const CHARTS: readonly (readonly [TablePart, (chart: SheetChart) => string])[] = [
  ['charts', ({ type, series }) => `a ${type} chart of ${series}`],
  ['chart-titles', ({ title, series }) => `“${title}” of ${series}`],
  ['chart-axes', ({ x, y, series }) => `axes “${x}” and “${y}” of ${series}`],
  ['chart-legends', ({ legend, series }) => `a legend at ${legend} of ${series}`],
  ['chart-directions', ({ direction, series }) => `bars ${direction} of ${series}`],
];

const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
const listed = (words: readonly string[]): string => (words.length === 0 ? 'none' : short(words.join('; ')));

const PLAIN: Look = { bold: 'false', italic: 'false', underline: 'false', font: '', colour: '#000000', fill: 'none' };

function compareLooks(
  seen: SheetParts,
  wanted: SheetParts,
  look: keyof Look,
  say: (same: boolean, why: () => string) => void,
): void {
  for (const name of new Set([...wanted.looks.keys(), ...seen.looks.keys()])) {
    const [own, other] = [seen.looks.get(name)?.[look], wanted.looks.get(name)?.[look]];
    // A cell that one of them does not write has the look of an empty one.
    const plain = look === 'font' ? (own ?? other ?? '') : PLAIN[look];
    say((own ?? plain) === (other ?? plain), () => `${look} of ${name} is ${own ?? plain}, not ${other ?? plain}`);
  }
}
