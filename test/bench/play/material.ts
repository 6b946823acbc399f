import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { drawSamplePicture } from '../../demo/sample-picture.ts';
import { must } from '../../support/process.ts';

/** Files that the demonstrations begin with and that are no plain text: made by the programs themselves, once a run. */

const BUDGET = `Item,January,February,March
Rent,820,820,820
Food,310,295,342
Travel,64,120,58
Books,35,18,47
`;
const LETTER = `<html><body><h1>Travel plans</h1>
<p>We leave on Monday at nine.</p>
<p>The train to Basel takes three hours.</p>
<p>Bring a warm coat and the blue map.</p></body></html>
`;

/** Two slides as flat XML, which LibreOffice turns into its own format. */
const SLIDES = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
  office:mimetype="application/vnd.oasis.opendocument.presentation" office:version="1.3"><office:body><office:presentation>
${slide('Welcome', 'Our year in pictures')}${slide('Numbers', 'Twelve walks and one fire')}
</office:presentation></office:body></office:document>
`;
function slide(title: string, line: string): string {
  const box = (y: number, text: string): string =>
    `<draw:frame svg:x="2cm" svg:y="${y}cm" svg:width="22cm" svg:height="3cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  return `<draw:page draw:name="${title}">${box(2, title)}${box(7, line)}</draw:page>`;
}

const OFFICE: readonly { name: string; source: string; text: string; as: string }[] = [
  { name: 'budget.ods', source: 'budget.csv', text: BUDGET, as: 'ods' },
  { name: 'budget-head.ods', source: 'budget-head.csv', text: BUDGET.replace('Item', 'Goods'), as: 'ods' },
  { name: 'budget-paper.ods', source: 'budget-paper.csv', text: BUDGET.replace('Books', 'Paper'), as: 'ods' },
  { name: 'budget-more.ods', source: 'budget-more.csv', text: BUDGET.replace('Books,35', 'Paper,53'), as: 'ods' },
  { name: 'letter.odt', source: 'letter.html', text: LETTER, as: 'odt:writer8' },
  {
    name: 'letter-other.odt',
    source: 'letter-other.html',
    text: LETTER.replace('Monday', 'Sunday'),
    as: 'odt:writer8',
  },
  { name: 'letter-bus.odt', source: 'letter-bus.html', text: LETTER.replace('train', 'coach'), as: 'odt:writer8' },
  { name: 'slides.odp', source: 'slides.fodp', text: SLIDES, as: 'odp' },
  { name: 'slides-other.odp', source: 'slides-other.fodp', text: SLIDES.replaceAll('Welcome', 'Goodbye'), as: 'odp' },
  {
    name: 'slides-walk.odp',
    source: 'slides-walk.fodp',
    text: SLIDES.replaceAll('Twelve walks', 'Seven songs'),
    as: 'odp',
  },
  { name: 'letter-red.odt', source: 'letter-red.html', text: LETTER.replace('blue', 'pink'), as: 'odt:writer8' },
];

/**
 * The sample picture with something drawn over it: the line of the demonstration `stroke` in GIMP, whose canvas begins at
 * 274, 190 px of the screen, and a moon where the one of `crop` begins.
 */
const DRAWN: Record<string, string> = {
  'landscape-line.png':
    '<polyline points="26,110 106,130 186,150 286,140" fill="none" stroke="#000" stroke-width="51" stroke-linecap="round" stroke-linejoin="round"/>',
  'landscape-moon.png': '<circle cx="406" cy="130" r="14" fill="#fff"/>',
};
export const givenFiles = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.keys(DRAWN).map((name) => [name, path.join(folder, name)]));

const FRUIT =
  "create table fruit(name text, price integer); insert into fruit values ('pear', 3), ('apple', 4), ('plum', 5)";

export async function makeMaterial(folder: string, office: boolean): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const landscape = path.join(folder, 'landscape.png');
  await drawSamplePicture(landscape);
  for (const [name, drawn] of Object.entries(DRAWN)) {
    const over = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="420">${drawn}</svg>`);
    await sharp(landscape)
      .composite([{ input: over }])
      .png()
      .toFile(path.join(folder, name));
  }
  const fruit = new DatabaseSync(path.join(folder, 'fruit.db'));
  fruit.exec(FRUIT);
  fruit.close();
  if (!office) return;
  const env = { ...process.env, HOME: path.join(folder, 'home') };
  for (const { source, text, as } of OFFICE) {
    fs.writeFileSync(path.join(folder, source), text);
    const writer = source.endsWith('.html') ? ['--writer'] : [];
    const args = ['--headless', ...writer, '--convert-to', as, '--outdir', folder, path.join(folder, source)];
    await must('soffice', args, { env, timeoutMs: 120_000 });
  }
}

export const materialOf = (folder: string, name: string): { root: string; path: string } | null =>
  fs.existsSync(path.join(folder, name)) ? { root: folder, path: name } : null;
