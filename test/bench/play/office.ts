import { chord, click, drag, press, type } from '../../support/person.ts';
import { OFFICE_SETTINGS } from '../first-start.ts';
import { checksOf, type Demonstration, recipeOf, withWord } from './kinds.ts';

/** LibreOffice. What it shows at its first start is kept away by its own settings, which the recipe puts into the home. */

const recipe = (module: 'calc' | 'writer' | 'impress', file: string) =>
  recipeOf(
    [
      { attachment: file, to: file },
      { text: OFFICE_SETTINGS, to: '.config/libreoffice/4/user/registrymodifications.xcu' },
    ],
    {
      command: 'soffice',
      args: [`--${module}`, '--norestore', '--nologo', '--nofirststartwizard', `~/${file}`],
      window: file,
    },
  );

const [BUDGET, LETTER, SLIDES] = [
  recipe('calc', 'budget.ods'),
  recipe('writer', 'letter.odt'),
  recipe('impress', 'slides.odp'),
];
const cell = (id: string, at: string, equals: string | number) =>
  ({ id, kind: 'cell', path: 'budget.ods', cell: at, equals }) as const;
const text = (...contains: string[]) => ({ id: 'text', kind: 'text', path: 'letter.odt', contains }) as const;
const slides = (more: { contains?: string[]; lacks?: string[] }) =>
  ({ id: 'slides', kind: 'text', path: 'slides.odp', ...more }) as const;
const otherLetter = withWord(LETTER, 'letter.odt', 'letter-other.odt');

export const OFFICE: readonly Demonstration[] = [
  {
    name: 'sum',
    app: 'calc',
    goal: 'Add up January and February below their columns',
    recipe: BUDGET,
    steps: [
      click(122, 256),
      type('=SUM(B2:B5)'),
      press('Enter'),
      click(186, 256),
      type('=SUM(C2:C5)'),
      press('Enter'),
      chord('ctrl', 's'),
    ],
    checks: checksOf(cell('january', 'B6', 1229), cell('february', 'C6', 1253)),
    relabelled: { recipe: withWord(BUDGET, 'budget.ods', 'budget-more.ods'), step: 0 },
    saves: 6,
  },
  {
    name: 'correct',
    app: 'calc',
    goal: 'Food was 325 in January, and the books were music',
    recipe: BUDGET,
    steps: [
      click(122, 205),
      type('325'),
      press('Enter'),
      click(56, 239),
      type('Music'),
      press('Enter'),
      chord('ctrl', 's'),
    ],
    checks: checksOf(cell('food', 'B3', 325), cell('music', 'A5', 'Music')),
    relabelled: { recipe: withWord(BUDGET, 'budget.ods', 'budget-paper.ods'), step: 3 },
    saves: 6,
  },
  {
    name: 'heading',
    app: 'calc',
    goal: 'Make the heading bold and note that it was checked',
    recipe: BUDGET,
    steps: [
      drag([
        [56, 171],
        [120, 172],
        [200, 172],
        [240, 172],
      ]),
      chord('ctrl', 'b'),
      click(56, 273),
      type('Checked'),
      press('Enter'),
      chord('ctrl', 's'),
    ],
    checks: checksOf(cell('checked', 'A7', 'Checked')),
    relabelled: { recipe: withWord(BUDGET, 'budget.ods', 'budget-head.ods'), step: 0 },
    saves: 5,
  },
  {
    name: 'letter',
    app: 'writer',
    goal: 'Move the trip to Tuesday and say what else to bring',
    recipe: LETTER,
    steps: [
      click(378, 256, { count: 2 }),
      type('Tuesday'),
      click(300, 287),
      press('End'),
      press('Enter'),
      type('And tea.'),
      chord('ctrl', 's'),
    ],
    checks: checksOf(text('We leave on Tuesday at nine.', 'And tea.')),
    relabelled: { recipe: otherLetter, step: 0 },
    saves: 6,
  },
  {
    name: 'title',
    app: 'writer',
    goal: 'Say in the title where the trip goes, and set the train in bold',
    recipe: LETTER,
    steps: [
      click(400, 220),
      press('End'),
      type(' to Basel'),
      click(290, 287, { count: 2 }),
      chord('ctrl', 'b'),
      chord('ctrl', 's'),
    ],
    checks: checksOf(text('Travel plans to Basel')),
    relabelled: { recipe: withWord(LETTER, 'letter.odt', 'letter-bus.odt'), step: 3 },
    saves: 5,
  },
  {
    name: 'colour',
    app: 'writer',
    goal: 'The map is green: cut the old word and take the coat out',
    recipe: LETTER,
    steps: [
      click(487, 318, { count: 2 }),
      type('green'),
      click(359, 318, { count: 2 }),
      press('Delete'),
      chord('ctrl', 'Home'),
      type('Our '),
      chord('ctrl', 's'),
    ],
    checks: checksOf(text('Our Travel plans', 'the green map.')),
    relabelled: { recipe: withWord(LETTER, 'letter.odt', 'letter-red.odt'), step: 0 },
    saves: 6,
  },
  {
    name: 'welcome',
    app: 'impress',
    goal: 'Say hello instead of welcome',
    recipe: SLIDES,
    steps: [click(277, 278), press('F2'), chord('ctrl', 'a'), type('Hello all'), press('Escape'), chord('ctrl', 's')],
    checks: checksOf(slides({ contains: ['Hello all', 'Our year in pictures'], lacks: ['Welcome'] })),
    relabelled: { recipe: withWord(SLIDES, 'slides.odp', 'slides-other.odp'), step: 0 },
    saves: 5,
  },
  {
    name: 'numbers',
    app: 'impress',
    goal: 'The second slide also counts the songs',
    recipe: SLIDES,
    steps: [
      click(100, 300),
      click(312, 382),
      press('F2'),
      press('End'),
      type(' and nine songs'),
      press('Escape'),
      chord('ctrl', 's'),
    ],
    checks: checksOf(slides({ contains: ['Twelve walks and one fire and nine songs'] })),
    relabelled: { recipe: withWord(SLIDES, 'slides.odp', 'slides-walk.odp'), step: 0 },
    saves: 6,
  },
  {
    name: 'shorter',
    app: 'impress',
    goal: 'Take the second slide out',
    recipe: SLIDES,
    steps: [click(100, 300), press('Delete'), chord('ctrl', 's')],
    checks: checksOf(slides({ contains: ['Welcome'], lacks: ['Twelve walks'] })),
    relabelled: { recipe: withWord(SLIDES, 'slides.odp', 'slides-walk.odp'), step: 0 },
    saves: 2,
  },
];
