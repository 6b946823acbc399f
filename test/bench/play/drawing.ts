import { chord, click, drag, press, type } from '../../support/person.ts';
import { INKSCAPE_PREFERENCES } from '../first-start.ts';
import { checksOf, type Demonstration, recipeOf, withWord } from './kinds.ts';

/** Inkscape. Its welcome dialog and its question about the default file are kept away by its own settings. */

const POSTER = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400" viewBox="0 0 600 400">
  <rect id="paper" x="0" y="0" width="600" height="400" fill="#f4efe6"/>
  <circle id="sun" cx="460" cy="110" r="60" fill="#e9b44c"/>
  <rect id="house" x="90" y="190" width="160" height="130" fill="#9b2226"/>
  <text id="title" x="60" y="80" font-family="DejaVu Sans" font-size="36" fill="#1b4965">Summer fair</text>
</svg>
`;

const poster = recipeOf(
  [
    { text: POSTER, to: 'poster.svg' },
    { text: INKSCAPE_PREFERENCES, to: '.config/inkscape/preferences.xml' },
  ],
  { command: 'inkscape', args: ['~/poster.svg'], window: 'poster.svg' },
);

const svg = (id: string, more: { contains?: string[]; lacks?: string[] }) =>
  ({ id, kind: 'text', path: 'poster.svg', ...more }) as const;

export const DRAWING: readonly Demonstration[] = [
  {
    name: 'night',
    app: 'inkscape',
    goal: 'Take the sun out and paint the house yellow',
    recipe: poster,
    steps: [click(710, 349), press('Delete'), click(540, 434), click(314, 696), chord('ctrl', 's')],
    checks: checksOf(svg('sun', { lacks: ['id="sun"'] }), svg('house', { contains: ['#ffff00'] })),
    relabelled: { recipe: withWord(poster, '#e9b44c', '#4ce9b4'), step: 0 },
    saves: 4,
  },
  {
    name: 'title',
    app: 'inkscape',
    goal: 'Say in the title which year it is',
    recipe: poster,
    steps: [click(540, 324, { count: 2 }), press('End'), type('-2027'), chord('ctrl', 's')],
    checks: checksOf(svg('title', { contains: ['Summer fair-2027'] })),
    relabelled: { recipe: withWord(poster, 'Summer fair', 'Winter fair'), step: 0 },
    saves: 3,
  },
  {
    name: 'move',
    app: 'inkscape',
    goal: 'Put the house below the sun',
    recipe: poster,
    steps: [
      drag([
        [540, 434],
        [580, 434],
        [640, 434],
        [710, 434],
      ]),
      chord('ctrl', 's'),
    ],
    checks: checksOf(svg('house', { contains: ['id="house"'], lacks: ['x="90"'] })),
    relabelled: { recipe: withWord(poster, '#9b2226', '#22269b'), step: 0 },
    saves: 1,
  },
];
