import fs from 'node:fs';
import path from 'node:path';
import { PLACE, row, type Script } from './kinds.ts';

/** Programs made with Qt 6, with GTK 2 and with Tk (which tells of nothing), at this size with the fonts of Debian 12. */

const FORM =
  '<?xml version="1.0"?>\n<ui version="4.0"><class>Form</class><widget class="QWidget" name="Form"><property name="geometry"><rect><x>0</x><y>0</y><width>300</width><height>200</height></rect></property></widget></ui>\n';

export const OLDER: Record<string, Script> = {
  designer: {
    program: '/usr/lib/qt6/bin/designer',
    args(home) {
      const form = path.join(home, 'form.ui');
      fs.writeFileSync(form, FORM);
      return [form];
    },
    window: ['--name', 'Qt Designer'],
    place: { x: 0, y: 0, width: 1280, height: 780 },
    targets: async () => [
      ...row(0, 17, [
        ['File', 2, 38],
        ['Edit', 38, 76],
        ['Form', 76, 120],
        ['View', 120, 164],
        ['Settings', 164, 228],
        ['Window', 228, 290],
        ['Help', 290, 332],
      ]),
      ...row(127, 24, [['Vertical Layout', 0, 241]]),
      ...row(303, 24, [['Push Button', 0, 241]]),
      ...row(375, 24, [['Check Box', 0, 241]]),
    ],
  },
  dia: {
    program: 'dia',
    args: () => [],
    window: ['--name', 'Dia'],
    place: PLACE,
    targets: async () => [
      ...row(2, 24, [
        ['File', 4, 41],
        ['Edit', 41, 80],
        ['View', 80, 126],
        ['Layers', 126, 182],
        ['Objects', 183, 245],
        ['Select', 246, 300],
        ['Layout', 300, 357],
        ['Tools', 358, 404],
        ['Dialogs', 405, 467],
        ['Help', 468, 511],
      ]),
      ...row(104, 36, [
        ['Text', 3, 39],
        ['Box', 39, 77],
        ['Ellipse', 77, 114],
      ]),
      ...row(34, 28, [
        ['Zoom in', 403, 433],
        ['Zoom out', 471, 501],
      ]),
    ],
  },
  idle: {
    program: 'idle-python3.11',
    args: () => [],
    window: ['--name', 'IDLE'],
    place: PLACE,
    targets: async () =>
      row(0, 20, [
        ['File', 0, 34],
        ['Edit', 34, 68],
        ['Shell', 68, 106],
      ]),
  },
};
