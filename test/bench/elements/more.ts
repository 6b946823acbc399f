import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Rect } from '../../../schemas/events.ts';
import { row, type Script, type Target } from './kinds.ts';

/** Ten programs more: GTK 3, Qt 5 and Python, at this size with the fonts of Debian 12. */

const PLACE: Rect = { x: 0, y: 0, width: 1200, height: 720 };
/** Edges of the menus of a menu bar, px. */
const menus = (top: number, height: number, ends: readonly [name: string, left: number, right: number][]): Target[] =>
  row(top, height, ends);
const one = (name: string, x: number, y: number, width: number, height: number): Target => ({
  name,
  box: { x, y, width, height },
});
const file = (home: string, name: string, text: string): string => {
  const place = path.join(home, name);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
  return place;
};
const LINES = 'One line\nTwo lines\nThree lines\n';

export const MORE: Record<string, Script> = {
  qalculate: {
    program: 'qalculate-gtk',
    args: () => [],
    window: ['--name', 'Qalculate'],
    place: PLACE,
    targets: async () => [
      ...menus(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['Mode', 80, 132],
        ['Functions', 132, 210],
      ]),
      one('7', 725, 363, 93, 86),
      one('4', 725, 450, 93, 86),
      one('=', 1101, 537, 87, 172),
      one('sin', 12, 496, 112, 68),
      one('History', 110, 210, 62, 18),
      one('Exact', 63, 233, 253, 34),
    ],
  },
  geany: {
    program: 'geany',
    args: (home) => ['-i', file(home, 'main.c', 'int main(void)\n{\n    return 0;\n}\n')],
    window: ['--name', 'main.c'],
    place: PLACE,
    targets: async () => [
      ...menus(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['Search', 80, 140],
        ['View', 140, 187],
        ['Document', 187, 271],
        ['Project', 271, 332],
      ]),
      one('Reload', 268, 34, 38, 38),
      one('Close', 306, 34, 38, 38),
      one('main.c', 167, 86, 100, 34),
    ],
  },
  pluma: {
    program: 'pluma',
    args: (home) => [file(home, 'note.txt', LINES)],
    window: ['--name', 'note.txt'],
    place: PLACE,
    targets: async () => [
      ...menus(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['View', 80, 127],
        ['Search', 127, 187],
        ['Tools', 187, 236],
      ]),
    ],
  },
  zim: {
    program: 'zim',
    args: (home) => {
      file(home, 'Notes/notebook.zim', '[Notebook]\nversion=0.4\nname=Notes\ninterwiki=\nhome=Home\nicon=\n');
      file(
        home,
        'Notes/Home.txt',
        'Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n====== Home ======\nFirst.\n',
      );
      return [path.join(home, 'Notes')];
    },
    window: ['--name', 'Home - Notes'],
    place: PLACE,
    targets: async () => [
      ...menus(50, 25, [
        ['File', 3, 42],
        ['Edit', 42, 83],
        ['View', 83, 130],
      ]),
    ],
  },
  kcalc: {
    program: 'kcalc',
    args: () => [],
    window: ['--class', 'kcalc'],
    place: PLACE,
    targets: async () => [
      one('7', 21, 310, 190, 91),
      one('8', 215, 310, 191, 91),
      one('5', 215, 405, 191, 91),
      one('0', 21, 596, 385, 91),
      one('C', 803, 215, 381, 91),
    ],
  },
  gnumeric: {
    program: 'gnumeric',
    args: (home) => ['--no-splash', file(home, 'list.csv', 'Item,Price\nPears,3\nApples,4\n')],
    window: ['--name', 'list.csv'],
    place: PLACE,
    targets: async () => [
      ...menus(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['View', 80, 127],
        ['Insert', 127, 181],
      ]),
      one('Open', 41, 26, 37, 35),
      one('Print', 128, 26, 37, 35),
      one('B2', 137, 210, 81, 18),
      one('A3', 56, 228, 81, 18),
      one('D6', 299, 282, 81, 18),
    ],
  },
  sqlitebrowser: {
    program: 'sqlitebrowser',
    args: (home) => {
      const place = path.join(home, 'fruit.db');
      const fruit = new DatabaseSync(place);
      fruit.exec("create table fruit(name text, price integer); insert into fruit values ('pear',3),('apple',4)");
      fruit.close();
      return [place];
    },
    window: ['--name', 'DB Browser'],
    place: PLACE,
    targets: async () => [
      one('Browse Data', 147, 68, 90, 20),
      one('Edit Pragmas', 247, 68, 92, 20),
      one('Execute SQL', 350, 68, 96, 20),
      one('New Database', 4, 26, 114, 26),
    ],
  },
  xournalpp: {
    program: 'xournalpp',
    args: () => [],
    window: ['--name', 'Xournal'],
    place: PLACE,
    targets: async () => [
      ...menus(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['View', 80, 127],
        ['Navigation', 127, 213],
        ['Journal', 213, 275],
      ]),
    ],
  },
  evince: {
    program: 'evince',
    args: () => [],
    window: ['--name', 'Document Viewer'],
    place: PLACE,
    targets: async () => [one('Open', 9, 8, 67, 36)],
  },
  thunar: {
    program: 'thunar',
    args: (home) => [path.dirname(file(home, 'Plans/note.txt', LINES))],
    window: ['--name', 'Plans'],
    place: PLACE,
    targets: async () => [
      ...menus(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['View', 80, 127],
        ['Go', 127, 162],
        ['Bookmarks', 162, 246],
      ]),
    ],
  },
};
