import { describe, expect, test } from 'vitest';
import { actionPlace } from './action-places.ts';

const SIZE = { width: 1080, height: 2400 };
const click = (x: number, y: number, more = {}) => ({
  kind: 'click',
  point: { x, y },
  count: 1,
  box: null,
  isLong: false,
  ...more,
});

describe('where an action was done, from its words', () => {
  test.each<[string, unknown]>([
    ['Tap on the search field at (540, 210).', click(540, 210)],
    ['Click [540, 210]', click(540, 210)],
    ['Click on <point>540 210</point>', click(540, 210)],
    ['tap(x=540, y=210)', click(540, 210)],
    ['Double-tap at (0.5, 0.25)', click(540, 600, { count: 2 })],
    ['Long press the icon (10, 20)', click(10, 20, { isLong: true })],
    ['Click the button [520, 190, 560, 230]', click(540, 210, { box: { x: 520, y: 190, width: 40, height: 40 } })],
    ['Tap <box>(520,190),(560,230)</box>', click(540, 210, { box: { x: 520, y: 190, width: 40, height: 40 } })],
    ['Swipe from (500, 1500) to (500, 600)', { kind: 'drag', from: { x: 500, y: 1500 }, to: { x: 500, y: 600 } }],
  ])('%s', (words, expected) => expect(actionPlace(words, SIZE)).toEqual(expected));

  test.each([
    ['no place', 'Tap on "Search".'],
    ['a place outside of the picture, which may be thousandths or another size', 'Tap (5000, 210)'],
    ['two places of one click', 'Tap (10, 20) or (30, 40)'],
    ['typing: a click there would not be what was done', 'Type "x" into the field at (540, 210)'],
    ['a swipe whose end is not said', 'Swipe up from (500, 1500)'],
    ['numbers that are no place', 'Wait (2, 3) seconds'],
    ['a box without a size', 'Click [520, 190, 520, 190]'],
  ])('%s: nothing is guessed', (_what, words) => expect(actionPlace(words, SIZE)).toBeNull());

  test.each<[string, string, unknown]>([
    // naturalgaia.txt, appendix E, as it is printed.
    [
      'Tap on the "Oppenheimer" search result to view its details page.',
      'Looking at the screen information, "Oppenheimer" is listed as a recent search result at coordinates [331, 1508]. I should tap on this to proceed.',
      click(331, 1508),
    ],
    [
      'Tap on the "Search Wikipedia" bar to activate the keyboard and prepare for typing the search query.',
      'The coordinates for "Search\nWikipedia" are [323, 387].',
      click(323, 387),
    ],
    ['Long press it', 'It is at [323,\n 387]; yes, [323, 387].', click(323, 387, { isLong: true })],
    ['Tap on it', 'I can see “Wikipedia” at coordinates [664,\n1023].', click(664, 1023)],
    ['Tap on it', 'It is at [1, 2] or at [3, 4].', null],
    ['Tap on it', 'It spans [1, 2, 30, 40].', null],
    ['Tap (5000, 210)', 'It is at [1, 2].', null],
    ['Open the IMDb app', 'I can see its icon at coordinates [162, 570].', click(162, 570)],
    [
      'Open the Wikipedia app to start searching for “Jay Chou”.',
      'Looking at the\nscreen information, I can see “Wikipedia” at coordinates [664,\n1023]. This is the app I need to open.',
      click(664, 1023),
    ],
    ['Open the IMDb app', 'There are icons at [162, 570] and at [3, 4].', null],
    ['Swipe up to scroll down', 'The list begins at [162, 570].', null],
    ['Type "x"', 'The field is at [162, 570].', null],
  ])('%s (%s)', (words, thought, expected) => expect(actionPlace(words, SIZE, thought)).toEqual(expected));

  test('without a picture nothing can be said', () => expect(actionPlace('Tap (1, 2)', null)).toBeNull());
});
