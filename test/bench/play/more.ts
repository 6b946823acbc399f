import { chord, click, press, type } from '../../support/person.ts';
import { checksOf, type Demonstration, PLAIN, recipeOf, withWord } from './kinds.ts';
import { PAPER } from './paper.ts';

/**
 * Ten more programs, of several toolkits and habits: messages with the time of day (geany), a page with today's date (zim), a file
 * named by the minute (xournalpp). Their places were read off pictures with the fonts of Debian 12.
 */

const text = (id: string, path: string, more: object) => checksOf({ id, kind: 'text', path, ...more });
const file = (id: string, path: string) => checksOf({ id, kind: 'file', path });

const MAIN = 'int main(void)\n{\n    return 0;\n}\n';
const geany = recipeOf([{ text: MAIN, to: 'main.c' }], {
  command: 'geany',
  args: ['-i', '~/main.c'],
  window: 'main.c',
});
const GEANY: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'done',
    app: 'geany',
    relabelled: { recipe: withWord(geany, 'return 0;', 'return 1;'), step: 0 },
    saves: 3,
    goal: 'Say that the line is done',
    recipe: geany,
    steps: [click(300, 184), press('End'), type(' /* done */'), chord('ctrl', 's')],
    checks: text('done', 'main.c', { contains: ['return 0; /* done */'] }),
  },
  {
    ...PLAIN,
    name: 'author',
    app: 'geany',
    saves: 3,
    goal: 'Say who wrote it',
    recipe: geany,
    steps: [chord('ctrl', 'Home'), type('// By Ada'), press('Enter'), chord('ctrl', 's')],
    checks: text('author', 'main.c', { equals: `// By Ada\n${MAIN}` }),
  },
  {
    ...PLAIN,
    name: 'saved',
    app: 'geany',
    saves: 2,
    goal: 'Return twice, saved after each change',
    recipe: geany,
    steps: [click(300, 184), chord('ctrl', 'd'), chord('ctrl', 's'), press('End'), type(' // two'), chord('ctrl', 's')],
    checks: text('twice', 'main.c', { contains: ['return 0; // two\n    return 0;'] }),
  },
];

const LINES = 'One line\nTwo lines\nThree lines\n';
const pluma = recipeOf([{ text: LINES, to: 'note.txt' }], {
  command: 'pluma',
  args: ['~/note.txt'],
  window: 'note.txt',
});
const PLUMA: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'five',
    app: 'pluma',
    relabelled: { recipe: withWord(pluma, 'Two', 'Ten'), step: 0 },
    saves: 2,
    goal: 'Make two lines five',
    recipe: pluma,
    steps: [click(14, 150, { count: 2 }), type('Five'), chord('ctrl', 's')],
    checks: text('five', 'note.txt', { contains: ['Five lines'], lacks: ['Two'] }),
  },
  {
    ...PLAIN,
    name: 'four',
    app: 'pluma',
    saves: 2,
    goal: 'Add a fourth line',
    recipe: pluma,
    steps: [chord('ctrl', 'End'), type('Four lines'), chord('ctrl', 's')],
    checks: text('four', 'note.txt', { contains: ['Three linesFour lines'] }),
  },
  {
    ...PLAIN,
    name: 'twice',
    app: 'pluma',
    saves: 4,
    goal: 'Have all of it twice',
    recipe: pluma,
    steps: [chord('ctrl', 'a'), chord('ctrl', 'c'), chord('ctrl', 'End'), chord('ctrl', 'v'), chord('ctrl', 's')],
    checks: text('twice', 'note.txt', { contains: [`${LINES.trim()}One line`] }),
  },
];

const zim = recipeOf(
  [
    { text: '[Notebook]\nversion=0.4\nname=Notes\ninterwiki=\nhome=Home\nicon=\n', to: 'Notes/notebook.zim' },
    {
      text: 'Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n====== Home ======\nFirst words.\n',
      to: 'Notes/Home.txt',
    },
  ],
  { command: 'zim', args: ['~/Notes'], window: 'Home' },
);
const ZIM: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'words',
    app: 'zim',
    relabelled: { recipe: withWord(zim, 'First words.', 'Other phrases here.'), step: 0 },
    saves: 2,
    goal: 'Write more words',
    recipe: zim,
    steps: [click(400, 197), type(' More words.'), chord('ctrl', 's')],
    checks: text('more', 'Notes/Home.txt', { contains: ['First words. More words.'] }),
  },
  {
    ...PLAIN,
    name: 'bold',
    app: 'zim',
    relabelled: { recipe: withWord(zim, 'First', 'Early'), step: 0 },
    saves: 2,
    goal: 'Set the first word in bold',
    recipe: zim,
    steps: [click(226, 197, { count: 2 }), chord('ctrl', 'b'), chord('ctrl', 's')],
    checks: text('bold', 'Notes/Home.txt', { contains: ['**First** words'] }),
  },
  {
    ...PLAIN,
    name: 'page',
    app: 'zim',
    saves: 4,
    goal: 'Begin a page of plans',
    recipe: zim,
    steps: [chord('ctrl', 'n'), type('Plans'), press('Enter'), type('See the map.'), chord('ctrl', 's')],
    checks: text('plans', 'Notes/Plans.txt', { contains: ['See the map.'] }),
  },
];

const kcalc = recipeOf([], { command: 'kcalc', args: [], window: 'KCalc' });
const result = (number: string) =>
  checksOf({
    id: 'result',
    kind: 'shown',
    contains: [number],
    area: { x: 600, y: 30, width: 680, height: 200 },
  });
const KEY = {
  seven: click(115, 357),
  two: click(309, 547),
  five: click(309, 451),
  nine: click(504, 357),
  zero: click(215, 643),
  plus: click(698, 405),
  minus: click(698, 260),
  times: click(504, 260),
  equals: click(698, 595),
};
const KCALC: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'sum',
    app: 'kcalc',
    goal: 'Seventy and five',
    recipe: kcalc,
    steps: [KEY.seven, KEY.zero, KEY.plus, KEY.five, KEY.equals],
    checks: result('75'),
  },
  {
    ...PLAIN,
    name: 'product',
    app: 'kcalc',
    goal: 'A dozen dozens',
    recipe: kcalc,
    steps: [type('12'), KEY.times, type('12'), press('Enter')],
    checks: result('144'),
  },
  {
    ...PLAIN,
    name: 'difference',
    app: 'kcalc',
    goal: 'Ninety without two',
    recipe: kcalc,
    steps: [KEY.nine, KEY.zero, KEY.minus, KEY.two, KEY.equals],
    checks: result('88'),
  },
];

/** Its files are packed unless a setting says otherwise. */
const gnumeric = recipeOf(
  [
    { text: 'Item,Price\nPears,3\nApples,4\n', to: 'list.csv' },
    { text: '[org/gnome/gnumeric/core/xml]\ncompression-level=0\n', to: '.config/glib-2.0/settings/keyfile' },
  ],
  { command: 'gnumeric', args: ['--no-splash', '~/list.csv'], window: 'list.csv' },
);
/** Its dialog selects the name without its ending. */
const SAVE_BOOK = [chord('ctrl', 's'), chord('ctrl', 'a'), type('list.gnumeric'), press('Enter')];
const GNUMERIC: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'dearer',
    app: 'gnumeric',
    relabelled: { recipe: withWord(gnumeric, 'Pears,3', 'Pears,5'), step: 0 },
    saves: 6,
    goal: 'Pears cost seven',
    recipe: gnumeric,
    steps: [click(177, 238), type('7'), press('Enter'), ...SAVE_BOOK],
    checks: text('seven', 'list.gnumeric', { contains: ['>7</gnm:Cell>'], lacks: ['>3</gnm:Cell>'] }),
  },
  {
    ...PLAIN,
    name: 'plums',
    app: 'gnumeric',
    saves: 8,
    goal: 'Add plums for five',
    recipe: gnumeric,
    steps: [click(97, 275), type('Plums'), press('Tab'), type('5'), press('Enter'), ...SAVE_BOOK],
    checks: text('plums', 'list.gnumeric', { contains: ['>Plums</gnm:Cell>', '>5</gnm:Cell>'] }),
  },
  {
    ...PLAIN,
    name: 'heading',
    app: 'gnumeric',
    relabelled: { recipe: withWord(gnumeric, 'Item', 'Kind'), step: 0 },
    saves: 5,
    goal: 'Set the heading in bold',
    recipe: gnumeric,
    steps: [click(97, 220), chord('ctrl', 'b'), ...SAVE_BOOK],
    checks: text('bold', 'list.gnumeric', { contains: ['Bold="1"'] }),
  },
];

const thunar = recipeOf(
  [
    { text: 'One\n', to: 'Plans/note.txt' },
    { text: 'Two\n', to: 'Plans/other.txt' },
  ],
  { command: 'thunar', args: ['~/Plans'], window: 'Plans' },
);
const THUNAR: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'folder',
    app: 'thunar',
    goal: 'Make a folder for maps',
    recipe: thunar,
    steps: [chord('ctrl', 'shift', 'n'), type('Maps'), press('Enter')],
    checks: checksOf({ id: 'maps', kind: 'shown', contains: ['Maps'] }),
  },
  {
    ...PLAIN,
    name: 'renamed',
    app: 'thunar',
    goal: 'Call the note a letter',
    recipe: thunar,
    steps: [click(210, 160), press('F2'), type('letter'), press('Enter')],
    checks: file('letter', 'Plans/letter.txt'),
  },
  {
    ...PLAIN,
    name: 'copied',
    app: 'thunar',
    saves: 2,
    goal: 'Have the note twice',
    recipe: thunar,
    steps: [click(210, 160), chord('ctrl', 'c'), chord('ctrl', 'v')],
    checks: file('copied', 'Plans/note (copy 1).txt'),
  },
];

const feather = recipeOf([{ text: LINES, to: 'note.txt' }], {
  command: 'featherpad',
  args: ['--standalone', '~/note.txt'],
  window: 'note.txt',
});
const FEATHERPAD: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'end',
    app: 'featherpad',
    saves: 2,
    goal: 'Add a fourth line',
    recipe: feather,
    steps: [chord('ctrl', 'End'), type('Four lines'), chord('ctrl', 's')],
    checks: text('four', 'note.txt', { contains: ['Four lines'] }),
  },
  {
    ...PLAIN,
    name: 'beginning',
    app: 'featherpad',
    saves: 3,
    goal: 'Begin with a title',
    recipe: feather,
    steps: [chord('ctrl', 'Home'), type('Lines'), press('Enter'), chord('ctrl', 's')],
    checks: text('title', 'note.txt', { equals: `Lines\n${LINES}` }),
  },
  {
    ...PLAIN,
    name: 'less',
    app: 'featherpad',
    saves: 4,
    goal: 'Take the last line out',
    recipe: feather,
    steps: [chord('ctrl', 'End'), press('ArrowUp'), chord('shift', 'End'), press('Delete'), chord('ctrl', 's')],
    checks: text('gone', 'note.txt', { lacks: ['Three'] }),
  },
];

/** A table of fruit, which `fruit.db` of the material holds. */
const fruit = recipeOf([{ attachment: 'fruit.db', to: 'fruit.db' }], {
  command: 'sqlitebrowser',
  args: ['~/fruit.db'],
  window: 'DB Browser',
});
const price = (of: string, equals: number) =>
  checksOf({ id: of, kind: 'sqlite', path: 'fruit.db', query: `select price from fruit where name = '${of}'`, equals });
const BROWSE = click(193, 76);
const SQLITE: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'price',
    app: 'sqlitebrowser',
    saves: 3,
    goal: 'A pear costs eight',
    recipe: fruit,
    steps: [BROWSE, click(99, 195), type('8'), press('Enter'), chord('ctrl', 's')],
    checks: price('pear', 8),
  },
  {
    ...PLAIN,
    name: 'name',
    app: 'sqlitebrowser',
    saves: 3,
    goal: 'The plum is a fig',
    recipe: fruit,
    steps: [BROWSE, click(40, 250), type('fig'), press('Enter'), chord('ctrl', 's')],
    checks: price('fig', 5),
  },
  {
    ...PLAIN,
    name: 'query',
    app: 'sqlitebrowser',
    saves: 3,
    goal: 'Everything costs nine',
    recipe: fruit,
    steps: [
      click(400, 76),
      click(300, 200),
      type('update fruit set price = 9;'),
      chord('ctrl', 'Enter'),
      chord('ctrl', 's'),
    ],
    checks: price('apple', 9),
  },
];

export const MORE: readonly Demonstration[] = [
  ...GEANY,
  ...PLUMA,
  ...ZIM,
  ...KCALC,
  ...GNUMERIC,
  ...SQLITE,
  ...PAPER,
  ...THUNAR,
  ...FEATHERPAD,
];
