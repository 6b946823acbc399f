import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TABLE_SEPARATORS } from '../../../schemas/api/task-table.ts';
import { guessColumns } from './guess-columns.ts';
import { readTable } from './read-table.ts';

const cellsOf = (bytes: Uint8Array) => readTable(bytes).lines.map(({ cells }) => cells);
const utf16 = (text: string, big = false): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};

describe('a table', () => {
  test('that a spreadsheet wrote is read back, whatever its separator and encoding', () => {
    const cell = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .filter((text) => !/[\0\uFEFF]/.test(text) && text.isWellFormed());
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 });
    const written = fc.constantFrom('utf-8', 'utf-8 with BOM', 'utf-16le', 'utf-16be');
    fc.assert(
      fc.property(rows, fc.constantFrom(...TABLE_SEPARATORS), written, (some, separator, encoding) => {
        const all = [['Goal', 'Software', 'Notes'], ...some];
        const sign = separator === 'tab' ? '\t' : separator;
        const text = all.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(sign)).join('\r\n');
        const bytes = encoding.startsWith('utf-8')
          ? Buffer.from(encoding === 'utf-8' ? text : `\uFEFF${text}`)
          : utf16(text, encoding === 'utf-16be');
        const table = readTable(bytes);
        expect(table.separator).toBe(separator);
        const filled = all.filter((row) => row.some((one) => one.trim() !== ''));
        const ends = (one: string): string => one.replace(/\r\n?/g, '\n');
        expect(table.lines.map(({ cells }) => cells)).toEqual(filled.map((row) => row.map(ends)));
      }),
      { numRuns: 150 },
    );
  });

  test('of a German Excel has semicolons and Windows-1252; commas inside of texts part nothing', () => {
    const bytes = Buffer.from('Ziel;Programm\nBild einfügen, dann größer;GIMP\nText, fett;GIMP\n', 'latin1');
    expect(readTable(bytes)).toMatchObject({ encoding: 'windows-1252', separator: ';' });
    expect(cellsOf(bytes)[1]).toEqual(['Bild einfügen, dann größer', 'GIMP']);
  });

  test('names the line where each row begins, over texts of several lines', () => {
    const text = 'sep=;\nGoal;Notes\n"Crop\nit";a\n\nAlign;"b\r\nc"\nTrim;d\n';
    expect(readTable(Buffer.from(text)).lines.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [2, 'Goal'],
      [3, 'Crop\nit'],
      [6, 'Align'],
      [8, 'Trim'],
    ]);
  });

  test('without a mark of its encoding is UTF-16 where every second byte is zero', () => {
    expect(readTable(Buffer.from('Goal\tApp\nCrop\tGIMP\n', 'utf16le'))).toMatchObject({
      encoding: 'utf-16le',
      separator: 'tab',
    });
  });

  test('that is none is refused in words, with the line where it breaks', () => {
    const refused = (bytes: Buffer, given = {}) => {
      try {
        readTable(bytes, given);
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
      return 'read';
    };
    expect(refused(Buffer.from(''))).toContain('empty');
    expect(refused(Buffer.from('\n \n'))).toContain('empty');
    expect(refused(Buffer.from('PK\u0003\u0004'))).toContain('Save its sheet as CSV');
    expect(refused(Buffer.from('Goal,App\nCrop,"GIMP\nAlign,GIMP\n'))).toMatch(/^Line \d+ of the table cannot be read/);
    expect(refused(Buffer.from('Größe', 'latin1'), { encoding: 'utf-8' })).toContain('not in utf-8');
    expect(refused(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0]))).toContain('zero bytes');
  });
});

test('columns are guessed by their headers; what says more of a task goes to its notes', () => {
  expect(guessColumns(['Task ID', 'App', 'Full task', 'Low-level instruction', 'Tags', 'Video URL', 'Owner'])).toEqual([
    'id',
    'software',
    'goal',
    'notes',
    'notes',
    'sourceUrl',
    null,
  ]);
  expect(guessColumns(['Aufgabe', 'Programm', 'Beschreibung'])).toEqual(['goal', 'software', null]);
  expect(guessColumns(['软件', '目标'])).toEqual(['software', 'goal']);
  expect(guessColumns(['Goal', 'Title'])).toEqual(['goal', null]);
});
