import { chord, click, drag, press, type } from '../../support/person.ts';
import { checksOf, type Demonstration, recipeOf } from './kinds.ts';

/**
 * Two programs that nothing here was made for: an editor on Scintilla's own widget (SciTE) and one that paints, of KDE (KolourPaint).
 * Their places were read off pictures with the fonts of Debian 12.
 */

const LINES = 'One line\nTwo lines\nThree lines\n';
const scite = recipeOf([{ text: LINES, to: 'note.txt' }], {
  command: 'scite',
  args: ['~/note.txt'],
  window: 'note.txt',
});
const kolour = recipeOf([], { command: 'kolourpaint', args: [], window: 'KolourPaint' });
const RED = click(503, 632);

export const NEWEST: readonly Demonstration[] = [
  {
    name: 'five',
    app: 'scite',
    goal: 'Make two lines five, and add a fourth line',
    recipe: scite,
    steps: [click(41, 106, { count: 2 }), type('Five'), chord('ctrl', 'End'), type('Four lines'), chord('ctrl', 's')],
    checks: checksOf({
      id: 'five',
      kind: 'text',
      path: 'note.txt',
      equals: 'One line\nFive lines\nThree lines\nFour lines',
    }),
    relabelled: null,
    saves: null,
  },
  {
    name: 'line',
    app: 'kolourpaint',
    goal: 'Draw a red line and keep it',
    recipe: kolour,
    steps: [
      RED,
      drag([
        [420, 150],
        [560, 230],
        [600, 300],
      ]),
      chord('ctrl', 's'),
      type('page.png'),
      press('Enter'),
    ],
    checks: checksOf({ id: 'page', kind: 'file', path: 'page.png' }),
    relabelled: null,
    saves: null,
  },
];
