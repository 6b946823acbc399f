import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { MOST_LINE_VALUES, parseShallow } from '../../core/json-depth.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { type BadLine, readJsonLines } from './lines.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

function read(text: string | Uint8Array, take: (value: unknown) => boolean = () => true) {
  const folder = folders.make();
  writeFileSync(join(folder, 'lines.jsonl'), text);
  const values: [number, unknown][] = [];
  const bad: BadLine[] = [];
  readJsonLines(
    folder,
    'lines.jsonl',
    (value, index) => {
      if (!take(value)) return false;
      values.push([index, value]);
      return true;
    },
    (line) => bad.push(line),
  );
  return { values, bad };
}

describe('readJsonLines', () => {
  test('gives each line with its number from 0', () => {
    expect(read('{"a":1}\n[2]\n"three"\n')).toEqual({
      values: [
        [0, { a: 1 }],
        [1, [2]],
        [2, 'three'],
      ],
      bad: [],
    });
  });

  test('of a file of which only some lines are wanted, those have their numbers, and the others are not parsed', () => {
    const line = fc.oneof(fc.constantFrom('{"a":1}', '{"own":2}', 'no JSON', 'no "own" JSON', ''), fc.json());
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), (lines, ends) => {
        const folder = folders.make();
        writeFileSync(join(folder, 'lines.jsonl'), lines.join('\n') + (ends ? '\n' : ''));
        const all = read(lines.join('\n') + (ends ? '\n' : ''));
        const mayHold = (text: string): boolean => text.includes('"own"');
        const [taken, bad]: [[number, unknown][], BadLine[]] = [[], []];
        const take = (value: unknown, index: number): boolean => taken.push([index, value]) > 0;
        readJsonLines(folder, 'lines.jsonl', take, (one) => bad.push(one), mayHold);
        expect(taken).toEqual(all.values.filter(([index]) => mayHold(lines[index] ?? '')));
        expect(bad).toEqual(all.bad.filter(({ text }) => mayHold(text)));
      }),
    );
  });

  test('a last line without its end that is no JSON is torn', () => {
    expect(read('1\n{"a":').bad).toEqual([{ line: 2, text: '{"a":', torn: true }]);
  });

  test('a last line without its end that is whole is taken', () => {
    expect(read('1\n{"a":2}').values).toEqual([
      [0, 1],
      [1, { a: 2 }],
    ]);
  });

  test('a line of more values than any of ours is passed over, of whatever they are, and those after it are read', () => {
    const many = (one: string): string => `{"x":[${`${one},`.repeat(MOST_LINE_VALUES)}0]}`;
    for (const one of ['[]', '{}', '0', '""', '{"a":0}']) {
      const { values, bad } = read(`1\n${many(one)}\n3\n${many(one)}`);
      expect(values.map(([, value]) => value)).toEqual([1, 3]);
      expect(bad.map(({ line, torn, text }) => [line, torn, text.length])).toEqual([
        [2, false, 200],
        [4, true, 200],
      ]);
    }
    // Commas and brackets in a text are no values.
    const text = ',['.repeat(MOST_LINE_VALUES);
    expect(read(`${JSON.stringify(text)}\n`).values).toEqual([[0, text]]);
    const most = `[${'0,'.repeat(MOST_LINE_VALUES / 2)}0]`;
    expect(read(`${most}\n`).bad).toEqual([]);
  });

  test('a whole file of more values than any of ours is refused before it is read', () => {
    const many = `[${'[],'.repeat(5_000_000)}0]`;
    expect(() => parseShallow(many)).toThrow('it holds more than 5000000 values');
    expect(parseShallow(`[${'0,'.repeat(1_000_000)}0]`)).toHaveLength(1_000_001);
  });

  test('a bad line in the middle costs only itself, and those after it keep their numbers', () => {
    const { values, bad } = read('1\nnonsense\n3\n');
    expect(values).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(bad).toEqual([{ line: 2, text: 'nonsense', torn: false }]);
  });

  test('two halves of a value on two lines are two bad lines, not one value', () => {
    expect(read('{"a":1\n"b":2}\n').bad.map((line) => line.line)).toEqual([1, 2]);
  });

  test('an empty line is bad, an empty file has no lines', () => {
    expect(read('1\n\n2\n').bad).toEqual([{ line: 2, text: '', torn: false }]);
    expect(read('')).toEqual({ values: [], bad: [] });
  });

  test('zero bytes at the end, as a power cut leaves them, are a torn line', () => {
    const bytes = Buffer.concat([Buffer.from('1\n'), Buffer.alloc(100)]);
    expect(read(bytes)).toMatchObject({ values: [[0, 1]], bad: [{ line: 2, torn: true }] });
  });

  test('what is written as lines is read back, whatever the values, also across the borders of what is read at once', () => {
    // A long text first, so that the lines after it lie around the border of 1 MiB, in the middle of characters too.
    const border = fc.integer({ min: 1_048_500, max: 1_048_600 }).map((length) => 'é'.repeat(length / 2));
    const lists = fc.tuple(border, fc.array(fc.jsonValue({ noUnicodeString: false }), { maxLength: 20 }));
    fc.assert(
      fc.property(lists, ([long, rest]) => {
        const written = [long, ...rest];
        const { values, bad } = read(written.map((value) => `${JSON.stringify(value)}\n`).join(''));
        expect(bad).toEqual([]);
        expect(values.map(([, value]) => JSON.stringify(value))).toEqual(written.map((value) => JSON.stringify(value)));
      }),
      { numRuns: 20 },
    );
  });
});

test('a line of more than 16 MB is passed over, and the lines around it are read', () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'long.jsonl'), `{"a":1}\n"${'x'.repeat(20 << 20)}"\n{"a":2}\n"${'y'.repeat(20 << 20)}`);
  const taken: unknown[] = [];
  const problems: BadLine[] = [];
  const take = (value: unknown, index: number) => taken.push([index, value]) > 0;
  readJsonLines(folder, 'long.jsonl', take, (line) => problems.push(line));
  expect(taken).toEqual([
    [0, { a: 1 }],
    [2, { a: 2 }],
  ]);
  expect(problems.map(({ line, torn, text }) => [line, torn, text.length])).toEqual([
    [2, false, 200],
    [4, true, 200],
  ]);
});

test('a line whose values lie a hundred deep is taken, a deeper one is not', () => {
  const folder = folders.make();
  const deep = (n: number) => `{"a":"]]]${'['.repeat(500)}","b":${'['.repeat(n)}${']'.repeat(n)}}\n`;
  writeFileSync(join(folder, 'deep.jsonl'), `${deep(99)}${deep(100)}${deep(100_000)}${deep(1)}`);
  const taken: number[] = [];
  const problems: number[] = [];
  readJsonLines(
    folder,
    'deep.jsonl',
    (_value, index) => taken.push(index) > 0,
    ({ line }) => problems.push(line),
  );
  expect(taken).toEqual([0, 3]);
  expect(problems).toEqual([2, 3]);
});
