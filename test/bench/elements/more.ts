import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Rect } from '../../../schemas/events.ts';
import { row, type Script, type Target } from './kinds.ts';

/**
 * Ten programs more: GTK 3, Qt 5 and Python, at this size with the fonts of Debian 12. What a press opens for good comes last; a
 * button of a tool bar is as large as it is shown when the pointer is on it.
 */

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
        ['Variables', 210, 286],
        ['Units', 286, 336],
        ['Help', 336, 383],
      ]),
      one('7', 725, 363, 93, 86),
      one('8', 818, 363, 93, 86),
      one('9', 911, 363, 90, 86),
      one('4', 725, 450, 93, 86),
      one('5', 818, 450, 93, 86),
      one('1', 725, 537, 93, 86),
      one('3', 911, 537, 90, 86),
      one('AC', 1101, 276, 87, 85),
      one('=', 1101, 537, 87, 172),
      one('sin', 12, 496, 112, 68),
      one('cos', 164, 496, 112, 68),
      one('tan', 315, 496, 112, 68),
      one('ln', 164, 350, 112, 68),
      one('Exact', 63, 233, 253, 34),
      one('History', 110, 210, 62, 18),
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
      one('main.c', 167, 86, 100, 34),
      // So the program calls what its hint calls "Reload".
      one('Revert', 262, 29, 43, 51),
      one('Close', 305, 29, 43, 51),
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
        ['Documents', 236, 327],
        ['Help', 327, 374],
      ]),
      one('Plain Text', 753, 683, 115, 37),
      one('Tab Width', 870, 683, 132, 37),
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
        ['Insert', 130, 184],
        ['Format', 184, 246],
        ['Search', 246, 306],
        ['Tools', 306, 355],
        ['Go', 355, 389],
        ['Help', 389, 435],
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
      one('9', 410, 310, 190, 93),
      one('4', 21, 406, 190, 92),
      one('5', 215, 405, 191, 91),
      one('6', 410, 406, 190, 92),
      one('1', 21, 502, 190, 92),
      one('2', 215, 502, 191, 92),
      one('3', 410, 502, 190, 92),
      one('0', 21, 596, 385, 91),
      one('C', 803, 215, 381, 91),
      one('AC', 803, 310, 381, 93),
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
        ['Format', 181, 244],
        ['Tools', 243, 292],
        ['Statistics', 292, 368],
        ['Data', 368, 415],
        ['Help', 415, 462],
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
      one('Browse Data', 144, 64, 102, 24),
      one('Edit Pragmas', 245, 64, 104, 24),
      one('Execute SQL', 349, 64, 100, 24),
      one('Plot', 771, 666, 48, 25),
      one('DB Schema', 818, 666, 96, 25),
      // Buttons of the tool bar are as wide as the place between their pictures.
      one('Save Project', 703, 24, 117, 31),
      one('New Database', 13, 24, 133, 31),
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
        ['Tools', 275, 325],
        ['Plugin', 325, 382],
        ['Help', 382, 429],
      ]),
    ],
  },
  evince: {
    program: 'evince',
    args: () => [],
    window: ['--class', 'evince'],
    place: PLACE,
    targets: async () => [one('Open', 10, 10, 67, 33)],
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
        ['Help', 251, 299],
      ]),
    ],
  },
};
