import { type BookPart, deep, find, namedBelow, relationsOf, valOf } from './sheet-xml.ts';
import { attributeOf, type XmlNode, xmlTree } from './xml-tree.ts';

/** The pivot tables on a sheet of Excel, in words: the same words are the same table, wherever it lies and whatever it is called. */

export type SheetPivot = { words: string };

const MOST_PIVOTS = 200;

/** `relations`: those of the sheet. Throws XmlError. */
export function* pivotsIn(relations: ReturnType<typeof relationsOf>, part: BookPart): Generator<SheetPivot> {
  for (const { path } of relations.filter(({ kind }) => kind === 'pivotTable').slice(0, MOST_PIVOTS)) {
    const text = part(path);
    const cache = relationsOf(path, part).find(({ kind }) => kind === 'pivotCacheDefinition');
    const root = text === null ? null : deep(xmlTree(text), 'pivotTableDefinition');
    if (root) yield { words: wordsOf(root, deep(xmlTree((cache && part(cache.path)) ?? ''), 'pivotCacheDefinition')) };
  }
}

function wordsOf(pivot: XmlNode, cache: XmlNode | null): string {
  const fields = (find(cache, 'cacheFields')?.children ?? []).filter(({ name }) => name.endsWith('cacheField'));
  const nameOf = (index: string | null): string => {
    if (index === '-2') return 'the values';
    const field = fields[Number(index ?? Number.NaN)];
    return field ? `“${attributeOf(field, 'name') ?? ''}”` : `field ${index ?? '?'}`;
  };
  const listOf = (list: string, entry: string, attribute: string): string[] =>
    [...namedBelow(find(pivot, list) ?? NONE, entry)].map((one) => nameOf(attributeOf(one, attribute)));
  const data = [...namedBelow(find(pivot, 'dataFields') ?? NONE, 'dataField')].map((one) => {
    const shown = attributeOf(one, 'showDataAs') ?? 'normal';
    const how = attributeOf(one, 'subtotal') ?? 'sum';
    return `${how} of ${nameOf(attributeOf(one, 'fld'))}${shown === 'normal' ? '' : ` as ${shown}`}`;
  });
  const source = deep(cache, 'worksheetSource');
  // Empty columns beside the table count for some programs.
  const rows = attributeOf(source, 'ref')?.replaceAll(/[A-Z$]/g, '') ?? '';
  return [
    `of ${attributeOf(source, 'sheet') ?? attributeOf(source, 'name') ?? 'elsewhere'} rows ${rows}`,
    `rows ${listOf('rowFields', 'field', 'x').join(', ') || 'none'}`,
    `columns ${listOf('colFields', 'field', 'x').join(', ') || 'none'}`,
    `filters ${listOf('pageFields', 'pageField', 'fld').join(', ') || 'none'}`,
    `values ${data.join(', ') || 'none'}`,
    ...hiddenIn(pivot, fields, nameOf),
  ].join(', ');
}

const NONE: XmlNode = { name: '', attributes: '', children: [], text: '' };

/** Values that are filtered away, by their fields. */
function hiddenIn(pivot: XmlNode, fields: readonly XmlNode[], nameOf: (index: string) => string): string[] {
  return [...namedBelow(find(pivot, 'pivotFields') ?? NONE, 'pivotField')].flatMap((field, n) => {
    const shared = find(fields[n] ?? null, 'sharedItems')?.children.filter(({ name }) => name !== '#text') ?? [];
    const hidden = [...namedBelow(field, 'item')]
      .filter((item) => ['1', 'true'].includes(attributeOf(item, 'h') ?? ''))
      .map((item) => valOf(shared[Number(attributeOf(item, 'x') ?? Number.NaN)] ?? null) ?? '?');
    return hidden.length === 0 ? [] : [`without ${hidden.sort().slice(0, 50).join(', ')} of ${nameOf(String(n))}`];
  });
}
