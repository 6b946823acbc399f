import { type BookPart, deep, find, namedBelow, relationsOf, textBelow, valOf } from './sheet-xml.ts';
import { type XmlNode, xmlTree } from './xml-tree.ts';

/** The charts on a sheet of Excel. */

export type SheetChart = {
  /** `bar`, `line`, `pie`, `scatter`, …; several where they lie over each other. */
  type: string;
  /** The cells of its values and of what they stand for, series by series. */
  series: string;
  title: string;
  x: string;
  y: string;
  /** The side of the legend (`r`, `b`, …), or `none`. */
  legend: string;
  direction: string;
};

const MOST_CHARTS = 200;

/** `relations`: those of the sheet. Throws XmlError. */
export function* chartsIn(relations: ReturnType<typeof relationsOf>, part: BookPart): Generator<SheetChart> {
  let count = 0;
  for (const drawing of relations.filter(({ kind }) => kind === 'drawing')) {
    for (const { kind, path } of relationsOf(drawing.path, part)) {
      const text = kind === 'chart' ? part(path) : null;
      if (text === null) continue;
      if (++count > MOST_CHARTS) return;
      const chart = deep(xmlTree(text), 'chart');
      if (chart) yield chartOf(chart);
    }
  }
}

function chartOf(chart: XmlNode): SheetChart {
  const area = find(chart, 'plotArea');
  const plots = (area?.children ?? []).filter(({ name }) => name.endsWith('Chart'));
  const typeOf = ({ name }: XmlNode): string => name.slice(name.indexOf(':') + 1).replace(/Chart$/, '');
  const axes = (area?.children ?? []).filter(({ name }) => name.endsWith('Ax'));
  const isCategory = ({ name }: XmlNode): boolean => /(?:cat|date)Ax$/.test(name);
  const values = axes.filter((one) => !isCategory(one));
  // Where both are of values, the first one lies below.
  const x = axes.find(isCategory) ?? values.shift() ?? null;
  const legend = find(chart, 'legend');
  return {
    type: plots.map(typeOf).join(' and ') || 'empty',
    series: plots.flatMap((plot) => [...namedBelow(plot, 'ser')].map(seriesOf)).join('; '),
    title: titleOf(chart),
    x: titleOf(x),
    y: titleOf(values[0] ?? null),
    legend: legend ? (valOf(find(legend, 'legendPos')) ?? 'r') : 'none',
    direction: plots.map((plot) => valOf(find(plot, 'barDir')) ?? '').join(''),
  };
}

const titleOf = (node: XmlNode | null): string => {
  const title = find(node, 'title');
  return title ? [...namedBelow(title, 't')].map(textBelow).join('').trim() : '';
};

/** `Sheet1!$B$2:$B$9 by Sheet1!$A$2:$A$9`, without the signs that programs write or not. */
function seriesOf(series: XmlNode): string {
  const cellsOf = (...names: string[]): string => {
    const node = names.map((name) => find(series, name)).find((one) => one !== null) ?? null;
    return textBelow(deep(node, 'f')).replaceAll(/[$']/g, '');
  };
  const by = cellsOf('cat', 'xVal');
  return `${cellsOf('val', 'yVal')}${by === '' ? '' : ` by ${by}`}`;
}
