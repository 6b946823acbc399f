import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge } from '../../../core/play/checks.ts';
import { checkSchema } from '../../../schemas/checks.ts';
import { TABLE_PARTS } from '../../../schemas/checks-plain.ts';
import { findWhole, type NamedBytes } from './whole.ts';
import { zipOf } from './zip-for-tests.ts';

/**
 * Charts, pivot tables and looks of tables. The samples were written by LibreOffice Calc 7.4: `base` has a bar chart, a pivot table
 * and cells with looks; `line` has a line chart instead; in `range` the chart lacks a row; `other` has other words, colours, sides
 * and a hidden row.
 */

const sample = (name: string): NamedBytes => ({
  bytes: readFileSync(join(import.meta.dirname, 'samples', `${name}.xlsx`)),
  ending: 'xlsx',
});

async function compared(seen: NamedBytes, wanted: NamedBytes, fields: object) {
  const check = checkSchema.parse({ id: 'a', kind: 'table', path: 'a.xlsx', like: 'b.xlsx', ...fields });
  if (check.kind !== 'table') throw new Error('a table');
  return judge(check, await findWhole(check, seen, wanted));
}

test('a table that a program wrote is as itself in every part', async () => {
  const { score, why } = await compared(sample('base'), sample('base'), { compare: [...TABLE_PARTS] });
  expect(score, why).toBe(1);
});

test.each<[string, string, string]>([
  ['charts', 'line', 'the charts are a line chart of May!B2:B4 by May!A2:A4, not a bar chart'],
  ['charts', 'range', 'a bar chart of May!B2:B3 by May!A2:A3, not a bar chart of May!B2:B4'],
  ['chart-titles', 'other', '“Costs” of May!B2:B4 by May!A2:A4, not “Sales”'],
  ['chart-legends', 'other', 'a legend at none'],
  ['chart-directions', 'other', 'bars bar of May!B2:B4 by May!A2:A4, not bars col'],
  ['pivots', 'other', 'values count of “Sum”, not of May'],
  ['colour', 'other', 'colour of B2 is #ff0000, not #0000ff'],
  ['hidden', 'other', 'row 3 is hidden, not nothing'],
])('another one differs in its %s (%s), and says how', async (part, name, why) => {
  const found = await compared(sample(name), sample('base'), { compare: [part] });
  expect(found).toMatchObject({ score: 0, able: true, why: expect.stringContaining(why) });
});

test.each(['cells', 'names', 'chart-axes', 'bold', 'fill', 'frozen'])(
  'what is the same in both stays the same: %s',
  async (part) => {
    expect((await compared(sample('other'), sample('base'), { compare: [part], area: 'A1:C4' })).score).toBe(1);
  },
);

/** A workbook of one sheet, as other programs write it: without prefixes, with names of their own. */
const book = (sheet: string, parts: Record<string, string> = {}, name = 'May'): NamedBytes => ({
  ending: 'xlsx',
  bytes: zipOf({
    'xl/workbook.xml': `<workbook><sheets><sheet name="${name}" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
    'xl/worksheets/s.xml': `<worksheet>${sheet}</worksheet>`,
    ...parts,
  }),
});
const frozen = (rows: number): string =>
  `<sheetViews><sheetView><pane ySplit="${rows}" state="frozen"/></sheetView></sheetViews>`;
const related = (from: string, kind: string, target: string): Record<string, string> => ({
  [from]: `<Relationships><Relationship Id="r" Type="http://x/${kind}" Target="${target}"/></Relationships>`,
});
const charted = (chart: string, target = '../charts/c.xml'): NamedBytes =>
  book('', {
    ...related('xl/worksheets/_rels/s.xml.rels', 'drawing', '../drawings/d.xml'),
    ...related('xl/drawings/_rels/d.xml.rels', 'chart', target),
    'xl/charts/c.xml': chart,
  });
const line = (cells: string): string =>
  `<chartSpace><chart><plotArea><lineChart><ser><val><numRef><f>${cells}</f></numRef></val></ser></lineChart></plotArea></chart></chartSpace>`;

test('rows that stay, names of sheets, and signs that do not count', async () => {
  const found = await compared(book(frozen(1)), book(frozen(2)), { compare: ['frozen'] });
  expect(found.why).toContain('0 columns and 1 rows stays when it is scrolled, not 0 columns and 2 rows');
  const named = await compared(book('', {}, 'June'), book(''), { compare: ['names'] });
  expect(named).toMatchObject({ score: 0, why: expect.stringContaining('its sheets are “June”, not “May”') });
  const same = await compared(charted(line("'May'!$A$1:$A$9")), charted(line('May!A1:A9')), { compare: ['charts'] });
  expect(same.score).toBe(1);
});

test.each<[string, NamedBytes, string]>([
  ['a table of another form', { bytes: Buffer.from('a,b'), ending: 'csv' }, 'compared of .xlsx alone'],
  ['a torn file', { ...sample('base'), bytes: sample('base').bytes.subarray(0, 5000) }, 'ZIP'],
  ['a chart with a document type', charted('<!DOCTYPE a [<!ENTITY b "c">]><chart/>'), 'it declares a document type'],
  ['a chart that ends in the middle', charted('<chart><plotArea>'), 'it ends in the middle'],
])('%s is told, and nothing passes', async (_name, seen, why) => {
  await expect(compared(seen, sample('base'), { compare: ['charts'], sheet: '#1' })).rejects.toThrow(why);
});

test('a relation that leads out of the file leads nowhere', async () => {
  const found = await compared(charted(line('A1'), '../../../../../etc/passwd'), sample('base'), {
    compare: ['charts'],
    sheet: '#1',
  });
  expect(found.why).toContain('the charts are none, not');
});

test('what is compared needs something to be compared with', () => {
  const parsed = checkSchema.safeParse({ id: 'a', kind: 'table', path: 'a.xlsx', names: ['A'], compare: ['charts'] });
  expect(parsed.error?.issues[0]?.message).toContain('names compare without like');
});
