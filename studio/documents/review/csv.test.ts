import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvText } from '../../../core/csv.ts';

/** RFC 4180, read by the letter. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[at++];
      else quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\r' && text[at + 1] === '\n') {
      at++;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else cell += char;
  }
  return rows;
}

test('what is written is read back, whatever the texts', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', 'ü') });
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const unescaped = parse(csvText(rows)).map((row) => row.map((cell) => cell.replace(/^'(?=[\t\r\n])/, '')));
      expect(unescaped).toEqual(rows);
    }),
  );
});

test('numbers are written as they are, nothing as nothing, and a name that would be a formula is none', () => {
  expect(csvText([['=1+1', -0.5, null, '@a', '-b', 'c']])).toBe("'=1+1,-0.5,,'@a,'-b,c\r\n");
  expect(csvText([['＝1+1', 'a;=1+1', 'a\t=1']])).toBe('\'＝1+1,"a;=1+1","a\t=1"\r\n');
});
