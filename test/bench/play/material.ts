import fs from 'node:fs';
import path from 'node:path';
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

const OFFICE: readonly { name: string; source: string; text: string; as: string }[] = [
  { name: 'budget.ods', source: 'budget.csv', text: BUDGET, as: 'ods' },
  { name: 'budget-head.ods', source: 'budget-head.csv', text: BUDGET.replace('Item', 'Goods'), as: 'ods' },
  { name: 'budget-more.ods', source: 'budget-more.csv', text: BUDGET.replace('Books,35', 'Paper,53'), as: 'ods' },
  { name: 'letter.odt', source: 'letter.html', text: LETTER, as: 'odt:writer8' },
  {
    name: 'letter-other.odt',
    source: 'letter-other.html',
    text: LETTER.replace('Monday', 'Sunday'),
    as: 'odt:writer8',
  },
  { name: 'letter-bus.odt', source: 'letter-bus.html', text: LETTER.replace('train', 'coach'), as: 'odt:writer8' },
  { name: 'letter-red.odt', source: 'letter-red.html', text: LETTER.replace('blue', 'pink'), as: 'odt:writer8' },
];

export async function makeMaterial(folder: string, office: boolean): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  await drawSamplePicture(path.join(folder, 'landscape.png'));
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
