import type { Rect } from '../../../schemas/events.ts';
import type { RgbImage } from '../../../schemas/picture.ts';

/** A small drawing board for tests: colours are 0xRRGGBB. */
export type Drawing = RgbImage & {
  fill(box: Rect, colour: number): Drawing;
  /** A line of one px inside the box's edge. */
  frame(box: Rect, colour: number): Drawing;
  /** Strokes like letters of a word, 9 px high, 7 px a letter. */
  word(x: number, y: number, letters: number, colour?: number): Drawing;
  set(x: number, y: number, colour: number): Drawing;
};

export function drawing(width: number, height: number, background = 0xf6f5f4): Drawing {
  const rgb = new Uint8Array(width * height * 3);
  const board: Drawing = {
    width,
    height,
    rgb,
    set(x, y, colour) {
      const at = (y * width + x) * 3;
      rgb[at] = colour >> 16;
      rgb[at + 1] = (colour >> 8) & 255;
      rgb[at + 2] = colour & 255;
      return board;
    },
    fill({ x, y, width: w, height: h }, colour) {
      for (let j = y; j < y + h; j++) for (let i = x; i < x + w; i++) board.set(i, j, colour);
      return board;
    },
    frame({ x, y, width: w, height: h }, colour) {
      board.fill({ x, y, width: w, height: 1 }, colour).fill({ x, y: y + h - 1, width: w, height: 1 }, colour);
      return board.fill({ x, y, width: 1, height: h }, colour).fill({ x: x + w - 1, y, width: 1, height: h }, colour);
    },
    word(x, y, letters, colour = 0x2e3436) {
      for (let letter = 0; letter < letters; letter++) {
        const left = x + letter * 7;
        board.frame({ x: left, y, width: 5, height: 9 }, colour);
        // Each letter is another one, so that words differ.
        board.fill({ x: left + 1, y: y + 1 + (letter % 6), width: 3, height: 1 }, colour);
      }
      return board;
    },
  };
  return board.fill({ x: 0, y: 0, width, height }, background);
}
