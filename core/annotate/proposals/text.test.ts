import { describe, expect, test } from 'vitest';
import { type ReadWord, textCrop, textNear, textProposal } from './text.ts';

const PICTURE = { width: 1000, height: 800 };
const word = (text: string, x: number, y: number, line = 0, confidence = 0.95): ReadWord => ({
  line,
  text,
  box: { x, y, width: text.length * 8, height: 12 },
  confidence,
});
const CROP = { x: 350, y: 160, width: 300, height: 80 };
const at = (words: ReadWord[], x: number, y: number) => textNear(words, { x, y }, CROP, PICTURE)?.text ?? null;

describe('the part of a picture that is read', () => {
  test('lies around the point, wholly inside', () => {
    expect(textCrop({ x: 500, y: 200 }, PICTURE)).toEqual(CROP);
    expect(textCrop({ x: 0, y: 0 }, PICTURE)).toEqual({ x: 0, y: 0, width: 300, height: 80 });
    expect(textCrop({ x: 999, y: 799 }, PICTURE)).toEqual({ x: 700, y: 720, width: 300, height: 80 });
    expect(textCrop({ x: 9, y: 9 }, { width: 60, height: 50 })).toEqual({ x: 0, y: 0, width: 60, height: 50 });
    expect(textCrop({ x: 0, y: 0 }, { width: 1, height: 1 })).toBeNull();
    expect(textCrop({ x: 1000, y: 5 }, PICTURE)).toBeNull();
    expect(textCrop({ x: -1, y: 5 }, PICTURE)).toBeNull();
  });
});

describe('the text at a point', () => {
  test('words close together are one text, the next menu is another, the next line too', () => {
    const words = [word('Save', 400, 190), word('as', 438, 190), word('Print', 480, 190), word('Quit', 400, 215, 1)];
    expect(at(words, 402, 195)).toBe('Save as');
    expect(at(words, 450, 195)).toBe('Save as');
    expect(at(words, 500, 195)).toBe('Print');
    expect(at(words, 410, 220)).toBe('Quit');
    // Between the lines: the nearer one.
    expect(at(words, 410, 203)).toBe('Save as');
    expect(at(words, 600, 235)).toBeNull();
  });

  test('Chinese and Japanese words stand without spaces', () => {
    expect(at([word('文', 400, 190), word('件', 410, 190), word('Ctrl', 422, 190)], 405, 195)).toBe('文件 Ctrl');
  });

  test('unsure words, signs alone, cut words and sentences are none', () => {
    expect(at([word('Save', 400, 190, 0, 0.4)], 402, 195)).toBeNull();
    expect(at([word('|', 400, 190), word('—', 430, 190, 1), word('O', 460, 190, 2)], 402, 195)).toBeNull();
    expect(at([word('Save', 350, 190)], 352, 195)).toBeNull();
    expect(at([word('Save', 620, 190)], 622, 195)).toBeNull();
    const sentence = 'It was a dark night and the wind blew over the hills'.split(' ');
    expect(
      at([{ ...word(sentence.join(' '), 400, 190), box: { x: 400, y: 190, width: 200, height: 12 } }], 450, 195),
    ).toBe(null);
    expect(at([word('x'.repeat(100_000), 400, 190)], 402, 195)).toBeNull();
    // The picture ends there, so nothing is cut off.
    const edge = { x: 0, y: 0, width: 300, height: 80 };
    expect(textNear([word('File', 0, 0)], { x: 3, y: 3 }, edge, PICTURE)?.text).toBe('File');
  });
});

describe('the proposal', () => {
  const read = { text: 'Save', box: { x: 430, y: 194, width: 30, height: 12 }, confidence: 0.95 };
  const button = { x: 400, y: 185, width: 90, height: 30 };

  test('has the box of what holds point and text: the element itself, else what looks like one', () => {
    const point = { x: 405, y: 190 };
    expect(textProposal(read, point, button, [])).toEqual({
      name: 'Save',
      box: button,
      source: 'ocr',
      confidence: 0.76,
    });
    expect(textProposal(read, point, null, [{ box: button, confidence: 0.5 }])?.box).toEqual(button);
    // Far higher than its text: it holds other things, too.
    const panel = { x: 300, y: 100, width: 400, height: 300 };
    expect(textProposal(read, point, panel, [])).toBeNull();
  });

  test('without a box around both only what is close by is named, by its letters', () => {
    expect(textProposal(read, { x: 426, y: 200 }, null, [])?.box).toEqual(read.box);
    expect(textProposal(read, { x: 405, y: 200 }, null, [])).toBeNull();
  });

  test('is less sure than what a program says of itself', () => {
    expect(textProposal({ ...read, confidence: 1 }, { x: 435, y: 200 }, null, [])!.confidence).toBeLessThan(0.9);
  });
});
