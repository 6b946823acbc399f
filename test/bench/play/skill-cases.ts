import { checksSchema } from '../../../schemas/checks.ts';
import { click, press, type Step } from '../../support/person.ts';
import { CHROMIUM } from './chromium.ts';
import { DESKTOP } from './desktop.ts';
import { DRAWING } from './drawing.ts';
import type { App, Demonstration } from './kinds.ts';
import { MORE } from './more.ts';
import { OFFICE } from './office.ts';

/** The demonstrations as skills: what is typed otherwise in a second recording and by the actor, and a way that comes to nothing. */
export const keyOf = ({ app, name }: Demonstration): string => `${app} ${name}`;

const TWELVE = [
  'geany done',
  'geany author',
  'pluma five',
  'zim words',
  'zim page',
  'kcalc sum',
  'gnumeric dearer',
  'gnumeric plums',
  'sqlitebrowser name',
  'evince copy',
  'thunar renamed',
  'evince turned',
];
/** In small programs that Debian has. */
export const TWENTY: readonly Demonstration[] = [
  ...DESKTOP,
  ...CHROMIUM,
  ...MORE.filter((one) => TWELVE.includes(keyOf(one))),
];
/** More, in programs of a gigabyte: LibreOffice and Inkscape. */
export const LARGE: readonly Demonstration[] = [...OFFICE, ...DRAWING];

/** A text that is typed, and what stands for it: as it is shown first, in the second recording, and when the actor does it. */
type Planted = { typed: string; second: string; acted: string; checks?: Record<'second' | 'acted', [string, string]> };

const words = (typed: string, second: string, acted: string): Planted => ({ typed, second, acted });

/** Empty: nothing differs, and no input may be found. */
export const PLANTED: Readonly<Record<string, readonly Planted[]>> = {
  'mousepad shopping': [words('Shopping: milk, 2 eggs & bread', 'Shopping: tea & a lemon', 'Shopping: rice, 3 plums')],
  'mousepad lines': [words('Signed, Ada', 'Signed, Emmy', 'Signed, Hedy')],
  'mousepad replace': [words('Row', 'Verse', 'Entry')],
  'chromium order': [words('Marie Curie', 'Lise Meitner', 'Rosa Luxemburg')],
  'chromium settings': [words('Kind regards, Ada', 'Best wishes, Emmy', 'Yours, Hedy')],
  'chromium guests': [words('Grace', 'Hedwig', 'Ingrid')],
  'geany done': [words(' /* done */', ' /* read */', ' /* tried */')],
  'geany author': [words('// By Ada', '// By Emmy', '// By Hedy')],
  'pluma five': [words('Five', 'Six', 'Nine')],
  'zim words': [words(' More words.', ' Other words.', ' Few words.')],
  'zim page': [words('Plans', 'Trips', 'Songs'), words('See the map.', 'Read the book.', 'Sing along.')],
  'gnumeric dearer': [words('7', '8', '9')],
  'gnumeric plums': [words('Plums', 'Limes', 'Grapes'), words('5', '6', '8')],
  'sqlitebrowser name': [words('fig', 'date', 'lime')],
  'evince copy': [words('copy', 'second', 'other')],
  'thunar renamed': [words('letter', 'memo', 'reply')],
  'evince turned': [words('turned', 'second', 'other')],
  'calc sum': [
    {
      ...words('=SUM(C2:C5)', '=SUM(C3:C5)', '=SUM(C2:C4)'),
      checks: { second: ['1253', '433'], acted: ['1253', '1235'] },
    },
  ],
  'calc correct': [
    { ...words('325', '331', '347'), checks: { second: ['325', '331'], acted: ['325', '347'] } },
    words('Music', 'Films', 'Plays'),
  ],
  'calc heading': [words('Checked', 'Approved', 'Seen')],
  'writer letter': [words('And tea.', 'And soup.', 'And a lamp.')],
  'writer title': [words(' to Basel', ' to Bern', ' to Chur')],
  'writer colour': [words('green', 'brown', 'yellow')],
  'impress welcome': [words('Hello all', 'Good morning', 'Here we are')],
  'impress numbers': [words(' and nine songs', ' and six plays', ' and two poems')],
  'inkscape title': [words('-2027', '-2031', '-2044')],
};

/** The demonstration with other values typed, and its checks with them. */
export function varied(demonstration: Demonstration, which: 'second' | 'acted'): Demonstration {
  const planted = PLANTED[keyOf(demonstration)] ?? [];
  let checks = JSON.stringify(demonstration.checks);
  for (const one of planted) {
    const [from, to] = one.checks?.[which] ?? [one.typed, one[which]];
    checks = checks.replaceAll(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1));
  }
  const steps = demonstration.steps.map((step): Step => {
    const other = step.do === 'type' ? planted.find(({ typed }) => typed === step.text) : undefined;
    return step.do === 'type' && other ? { ...step, text: other[which] } : step;
  });
  return { ...demonstration, steps, checks: checksSchema.parse(JSON.parse(checks)) };
}

/** A menu that is opened, looked at and given up. */
const menu = (x: number, y: number): Step[] => [click(x, y), press('Escape')];
const DETOURS: Readonly<Partial<Record<App, readonly Step[]>>> = {
  mousepad: menu(20, 33),
  gimp: menu(20, 33),
  // No menu bar: the menu of a place of the page where nothing is.
  chromium: [click(800, 560, { button: 'right' }), press('Escape')],
  geany: menu(20, 33),
  pluma: menu(20, 33),
  zim: menu(24, 63),
  kcalc: menu(20, 10),
  gnumeric: menu(20, 33),
  sqlitebrowser: menu(20, 33),
  thunar: menu(20, 33),
  // No menu bar either: the menu of its page.
  evince: [click(700, 500, { button: 'right' }), press('Escape')],
  // Its window has no title bar on a stage: below the menus is the button for a new document.
  calc: menu(20, 12),
  writer: menu(20, 12),
  impress: menu(20, 12),
  inkscape: menu(20, 33),
};

/** The same with a way that comes to nothing at its beginning, after which all is as before. */
export const withDetour = (one: Demonstration): { demonstration: Demonstration; detour: number } => {
  const steps = DETOURS[one.app] ?? [];
  return { demonstration: { ...one, steps: [...steps, ...one.steps] }, detour: steps.length };
};
