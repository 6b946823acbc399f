import fs from 'node:fs';
import path from 'node:path';
import { OFFICE_SETTINGS } from '../first-start.ts';
import { around, PLACE, row, type Script } from './kinds.ts';

/** LibreOffice 7.4, which takes the whole screen at its first start, with the fonts of Debian 12. */

/** One slide with a box of text, as flat XML. */
const SLIDES = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  office:mimetype="application/vnd.oasis.opendocument.presentation" office:version="1.3"><office:body><office:presentation>
<draw:page draw:name="Welcome"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="22cm" svg:height="3cm"><draw:text-box><text:p>Welcome</text:p></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document>
`;

const office = (
  module: 'calc' | 'writer' | 'impress',
  window: string,
  targets: Script['targets'],
  file: { name: string; text: string } | null = null,
): Script => ({
  program: 'soffice',
  args: (home) => {
    const user = path.join(home, '.config/libreoffice/4/user');
    fs.mkdirSync(user, { recursive: true });
    fs.writeFileSync(path.join(user, 'registrymodifications.xcu'), OFFICE_SETTINGS);
    if (file) fs.writeFileSync(path.join(home, file.name), file.text);
    const given = file ? [path.join(home, file.name)] : [];
    return [`--${module}`, '--norestore', '--nologo', '--nofirststartwizard', ...given];
  },
  window: ['--name', window],
  place: PLACE,
  targets,
});

/** A button of its toolbars. */
const BUTTON = { width: 33, height: 34 };
/** The menus that all three have at the same places. */
const menus = (rest: readonly [string, number, number][]) =>
  row(0, 25, [
    ['File', 0, 39],
    ['Edit', 39, 80],
    ['View', 80, 128],
    ['Insert', 128, 181],
    ['Format', 181, 243],
    ...rest,
  ]);

export const OFFICE: Record<string, Script> = {
  calc: office('calc', 'LibreOffice Calc', async () => [
    ...menus([
      ['Styles', 243, 298],
      ['Sheet', 299, 352],
      ['Data', 352, 399],
      ['Tools', 399, 448],
      ['Window', 448, 515],
      ['Help', 515, 562],
    ]),
    ...around(BUTTON, [
      ['Cut', 267, 45],
      ['Copy', 301, 45],
      ['Clone', 386, 45],
      ['Clear', 419, 45],
      ['Bold', 344, 83],
      ['Italic', 378, 83],
      ['Left', 559, 83],
      ['Center', 592, 83],
      ['Right', 625, 83],
      ['Top', 666, 83],
      ['Bottom', 732, 83],
      ['Wrap', 773, 83],
      ['Percent', 964, 83],
      ['Date', 1031, 83],
      ['Add Decimal', 1071, 83],
      ['Delete Decimal', 1105, 83],
    ]),
    ...around({ width: 82, height: 17 }, [
      ['C5', 246, 239],
      ['E10', 410, 324],
      ['B20', 164, 494],
    ]),
  ]),
  writer: office('writer', 'LibreOffice Writer', async () => [
    ...menus([
      ['Styles', 243, 298],
      ['Table', 299, 349],
      ['Form', 349, 398],
      ['Tools', 398, 447],
      ['Window', 447, 514],
      ['Help', 514, 561],
    ]),
    ...around(BUTTON, [
      ['Formatting Marks', 588, 45],
      ['Bold', 606, 83],
      ['Italic', 640, 83],
      ['Strikethrough', 718, 83],
      ['Superscript', 759, 83],
      ['Subscript', 792, 83],
      ['Clear', 832, 83],
      ['Center', 1003, 83],
      ['Right', 1036, 83],
      ['Justif', 1069, 83],
      ['Left', 969, 83],
    ]),
  ]),
  impress: office(
    'impress',
    'slides',
    async () => [
      ...menus([
        ['Slide', 243, 291],
        ['Slide Show', 291, 377],
        ['Tools', 377, 427],
        ['Window', 427, 494],
        ['Help', 494, 541],
      ]),
      ...around(BUTTON, [
        ['Grid', 565, 44],
        ['Zoom', 54, 83],
        ['Line', 191, 83],
        ['Rectangle', 224, 83],
        ['Ellipse', 257, 83],
        ['Select', 20, 83],
      ]),
      ...around({ width: 184, height: 34 }, [
        ['Format', 1108, 170],
        ['Orientation', 1108, 207],
        ['Background', 1108, 244],
        ['Master Slide', 1108, 318],
      ]),
      ...around({ width: 150, height: 24 }, [
        ['Master Background', 1093, 349],
        ['Master Objects', 1093, 374],
      ]),
    ],
    { name: 'slides.fodp', text: SLIDES },
  ),
};
