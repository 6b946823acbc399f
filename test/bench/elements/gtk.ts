import fs from 'node:fs';
import path from 'node:path';
import { INKSCAPE_PREFERENCES } from '../first-start.ts';
import { around, PLACE, row, type Script, type Target } from './kinds.ts';

/** Programs made with GTK 2 (GIMP), 3 (mousepad, Inkscape) and 4 (the calculator), at this size with the fonts of Debian 12. */

export const GTK: Record<string, Script> = {
  mousepad: {
    program: 'mousepad',
    args: () => ['--disable-server'],
    window: ['--name', 'Mousepad'],
    place: PLACE,
    targets: async () => [
      ...row(0, 25, [
        ['File', 0, 38],
        ['Edit', 39, 80],
        ['Search', 80, 140],
        ['View', 140, 187],
        ['Document', 188, 271],
        ['Help', 271, 317],
      ]),
    ],
  },
  gimp: {
    program: 'gimp',
    args: (home) => {
      const file = path.join(home, 'gimprc');
      fs.writeFileSync(file, '(check-updates no)\n(show-tips no)\n(single-window-mode yes)\n(save-session-info no)\n');
      return ['--no-splash', '--new-instance', '--gimprc', file];
    },
    window: ['--name', 'GNU Image Manipulation Program'],
    place: PLACE,
    targets: async () => [
      ...row(0, 26, [
        ['File', 0, 36],
        ['Edit', 36, 73],
        ['Select', 73, 125],
        ['View', 125, 169],
        ['Image', 169, 222],
        ['Layer', 222, 270],
        ['Colors', 270, 322],
        ['Tools', 322, 367],
        ['Filters', 367, 421],
        ['Windows', 421, 491],
        ['Help', 491, 533],
      ]),
      ...toolbox(53, ['Move', 'Rectangle Select', 'Free Select', 'Fuzzy Select', 'Crop', 'Unified Transform']),
      ...toolbox(81, ['Warp Transform', 'Bucket Fill', 'Paintbrush', 'Eraser', 'Clone', 'Smudge']),
      ...toolbox(109, ['Paths', 'Text', 'Color Picker', 'Zoom']),
    ],
  },
  inkscape: {
    program: 'inkscape',
    args: (home) => {
      fs.mkdirSync(path.join(home, '.config/inkscape'), { recursive: true });
      fs.writeFileSync(path.join(home, '.config/inkscape/preferences.xml'), INKSCAPE_PREFERENCES);
      fs.writeFileSync(
        path.join(home, 'poster.svg'),
        '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"/>',
      );
      return [path.join(home, 'poster.svg')];
    },
    window: ['--name', 'poster.svg'],
    place: PLACE,
    targets: async () => [
      ...row(0, 25, [
        ['File', 0, 39],
        ['Edit', 39, 80],
        ['View', 80, 128],
        ['Layer', 128, 180],
        ['Object', 180, 238],
        ['Path', 238, 282],
        ['Text', 282, 325],
        ['Filters', 325, 381],
        ['Extensions', 381, 468],
        ['Help', 468, 514],
      ]),
      ...around({ width: 36, height: 36 }, [
        ['Copy', 360, 46],
        ['Cut', 397, 46],
        ['Paste', 434, 46],
        ['Zoom', 558, 46],
      ]),
      ...around({ width: 32, height: 32 }, [
        ['Node', 16, 158],
        ['Rectangle', 16, 190],
        ['Ellipse', 16, 222],
        ['Star', 16, 254],
        ['3D Box', 16, 286],
        ['Spiral', 16, 318],
        ['Pencil', 16, 383],
        ['Calligraphy', 16, 415],
        ['Text', 16, 447],
        ['Gradient', 16, 480],
        ['Mesh', 16, 512],
        ['Dropper', 16, 544],
        ['Bucket', 16, 576],
        ['Eraser', 16, 673],
        ['Connector', 16, 705],
        ['Select', 16, 126],
      ]),
    ],
  },
  calculator: {
    program: 'gnome-calculator',
    args: () => [],
    // Without a graphics card GTK 4 would be busy with drawing, and answer late.
    env: { GSK_RENDERER: 'cairo' },
    window: ['--name', 'Calculator'],
    place: PLACE,
    targets: async () => [
      ...around({ width: 126, height: 44 }, [
        ['7', 291, 497],
        ['8', 421, 497],
        ['9', 551, 497],
        ['4', 291, 545],
        ['5', 421, 545],
        ['6', 551, 545],
        ['1', 291, 593],
        ['2', 421, 593],
        ['3', 551, 593],
        ['0', 291, 641],
        ['mod', 680, 449],
      ]),
      ...row(10, 36, [['Undo', 12, 89]]),
    ],
  },
};

function toolbox(top: number, names: readonly string[]): Target[] {
  return row(
    top,
    28,
    names.map((name, at) => [name, at * 31, at * 31 + 31]),
  );
}
