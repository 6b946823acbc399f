import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markWords } from './words.ts';

/** Texts with the words that differ in brackets. */
const marked = (...texts: string[]): string[] =>
  markWords(texts).map((pieces) => pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join(''));

describe('words that differ', () => {
  it('are marked, and the rest is not', () => {
    expect(marked('Click on the Insert tab', 'Click the Insert button')).toEqual([
      'Click [on] the Insert [tab]',
      'Click the Insert [button]',
    ]);
  });

  it('are marked in one piece when they follow each other', () => {
    expect(marked('Open the old blue file', 'Open the file')).toEqual(['Open the [old blue] file', 'Open the file']);
  });

  it('of three are those that the most similar other one lacks', () => {
    const [a, b] = ['Wait until it has opened and go on', 'Wait until it has opened and stop'];
    expect(marked(a, b, 'Click')).toEqual([
      'Wait until it has opened and [go on]',
      'Wait until it has opened and [stop]',
      '[Click]',
    ]);
  });

  it('count also where two of three say the same', () => {
    expect(marked('Crop tool', 'Crop tool', 'Crop')).toEqual(['Crop [tool]', 'Crop [tool]', 'Crop']);
  });

  it('are found where a language writes no blanks', () => {
    expect(marked('点击插入选项卡', '点击文件选项卡')[0]).toContain('[插入]');
  });

  it('are everything when the other says nothing', () => {
    expect(marked('Insert tab', '')).toEqual(['[Insert tab]', '']);
  });
});

describe('the law of pieces', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'the', 'tab', ' ', ', '), { maxLength: 20 })
    .map((all) => all.join(''));

  it('put together they are the text again', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, fc.string()), { minLength: 1, maxLength: 4 }), (texts) => {
        expect(markWords(texts).map((pieces) => pieces.map((piece) => piece.text).join(''))).toEqual(texts);
      }),
    );
  });

  it('equal texts have nothing marked, and different ones have something marked in one of them', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const some = markWords([a, b])
          .flat()
          .some(({ differs }) => differs);
        const blanksOnly = a.replace(/\s/g, '') === b.replace(/\s/g, '');
        if (a === b) expect(some).toBe(false);
        else if (!blanksOnly) expect(some).toBe(true);
      }),
    );
  });

  it('what is left unmarked of two texts is the same words', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const kept = markWords([a, b]).map((pieces) =>
          pieces
            .filter(({ differs }) => !differs)
            .map((piece) => piece.text)
            .join('')
            .replace(/\s/g, ''),
        );
        expect(kept[0]).toBe(kept[1]);
      }),
    );
  });
});
