import { SCRIPTS } from '../../demo/scripts.ts';
import { chord, click, drag, press, type } from '../../support/person.ts';
import { checksOf, type Demonstration, recipeOf, withWord } from './kinds.ts';

/** mousepad and GIMP. */

/** The window manager's frame around a window at 0, 0. */
const FRAME = { x: 1, y: 20 };
const NOTE = `${Array.from({ length: 60 }, (_, i) => `Line ${i + 1} of an older note`).join('\n')}\n`;
const GIMPRC = '(check-updates no)\n(show-tips no)\n(single-window-mode yes)\n(save-session-info no)\n';

/** Over the picture that was opened: the dialog of its name, the question about it, the options. */
const EXPORT = [chord('ctrl', 'shift', 'e'), press('Enter'), press('Enter'), press('Enter')];

const note = recipeOf([{ text: NOTE, to: 'note.txt' }], {
  command: 'mousepad',
  args: ['--disable-server', '~/note.txt'],
  window: 'note.txt',
});
const picture = recipeOf(
  [
    { attachment: 'landscape.png', to: 'landscape.png' },
    { text: GIMPRC, to: 'gimprc' },
  ],
  {
    command: 'gimp',
    args: ['--no-splash', '--new-instance', '--gimprc', '~/gimprc', '~/landscape.png'],
    window: 'landscape',
  },
);

export const DESKTOP: readonly Demonstration[] = [
  {
    name: 'shopping',
    app: 'mousepad',
    goal: SCRIPTS.mousepad.goal,
    recipe: note,
    steps: SCRIPTS.mousepad.steps((x, y) => [FRAME.x + x, FRAME.y + y]).map(([, step]) => step),
    checks: checksOf({ id: 'written', kind: 'text', path: 'note.txt', contains: ['Shopping: milk, 2 eggs & bread'] }),
    relabelled: { recipe: withWord(note, 'Line 8 of an older note', `Line 8${' and so on'.repeat(9)}`), step: 0 },
    saves: 12,
  },
  {
    name: 'lines',
    app: 'mousepad',
    goal: 'Name the first line, and end the note with a name',
    recipe: note,
    steps: [
      click(18, 79, { count: 2 }),
      type('Beginning'),
      chord('ctrl', 'End'),
      type('Signed, Ada'),
      chord('ctrl', 's'),
    ],
    checks: checksOf({ id: 'ends', kind: 'text', path: 'note.txt', contains: ['Beginning 1 of', 'Signed, Ada'] }),
    relabelled: { recipe: withWord(note, 'Line 1 of', 'Rule 1 of'), step: 0 },
    saves: 4,
  },
  {
    name: 'replace',
    app: 'mousepad',
    goal: 'Call every line a row',
    recipe: note,
    steps: [
      chord('ctrl', 'r'),
      type('Line'),
      press('Tab'),
      type('Row'),
      chord('alt', 'a'),
      click(660, 518),
      press('Escape'),
      chord('ctrl', 's'),
    ],
    checks: checksOf({
      id: 'rows',
      kind: 'text',
      path: 'note.txt',
      contains: ['Row 1 of', 'Row 60 of'],
      lacks: ['Line'],
    }),
    relabelled: { recipe: withWord(note, 'Line 1 of', 'Rule 1 of'), step: 0 },
    // The box that it ticks is a setting, which is kept on the disk.
    saves: 4,
  },
  {
    name: 'crop',
    app: 'gimp',
    goal: 'Crop the picture to the sun and export it',
    recipe: picture,
    steps: [
      drag([
        [680, 320],
        [720, 360],
        [800, 440],
      ]),
      press('Enter'),
      ...EXPORT,
    ],
    checks: checksOf({ id: 'small', kind: 'picture', path: 'landscape.png', width: 120, height: 120 }),
    relabelled: { recipe: withWord(picture, 'landscape.png', 'landscape-moon.png'), step: 0 },
    saves: 5,
  },
  {
    name: 'stroke',
    app: 'gimp',
    goal: 'Draw a black line through the sky and export the picture',
    recipe: picture,
    steps: [
      chord('n'),
      drag([
        [300, 300],
        [380, 320],
        [460, 340],
        [560, 330],
      ]),
      ...EXPORT,
    ],
    checks: checksOf({
      id: 'line',
      kind: 'picture',
      path: 'landscape.png',
      like: 'landscape-line.png',
      difference: 0.02,
    }),
    relabelled: { recipe: withWord(picture, 'landscape.png', 'landscape-line.png'), step: 1 },
    saves: 5,
  },
];
