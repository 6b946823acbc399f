import { chord, drag, press, type } from '../../support/person.ts';
import { checksOf, type Demonstration, PLAIN, recipeOf } from './kinds.ts';

/** Programs that show and draw on pages, which name what they keep in a dialog. */

const file = (id: string, path: string) => checksOf({ id, kind: 'file', path });

/** Its page is as large as its window was when it came: by its settings that is the size that it will have. */
const SIZED =
  '<?xml version="1.0"?>\n<settings>\n  <property name="mainWndWidth" value="1200"/>\n  <property name="mainWndHeight" value="720"/>\n</settings>\n';
const xournal = recipeOf([{ text: SIZED, to: '.config/xournalpp/settings.xml' }], {
  command: 'xournalpp',
  args: [],
  window: 'Xournal',
});
const stroke = (y: number) =>
  drag([
    [300, y],
    [400, y + 20],
    [500, y + 70],
  ]);
const XOURNAL: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'stroke',
    app: 'xournalpp',
    saves: 3,
    goal: 'Draw a line and keep it',
    recipe: xournal,
    steps: [stroke(400), chord('ctrl', 's'), type('page'), press('Enter')],
    checks: file('page', 'page.xopp'),
  },
  {
    ...PLAIN,
    name: 'undone',
    app: 'xournalpp',
    saves: 5,
    goal: 'Draw two lines, take the second back, and keep it',
    recipe: xournal,
    steps: [stroke(300), stroke(460), chord('ctrl', 'z'), chord('ctrl', 's'), type('one'), press('Enter')],
    checks: file('one', 'one.xopp'),
  },
  {
    ...PLAIN,
    name: 'dated',
    app: 'xournalpp',
    saves: 4,
    goal: 'Keep a line under the name that it proposes, with more to it',
    recipe: xournal,
    steps: [stroke(350), chord('ctrl', 's'), chord('ctrl', 'a'), type('second'), press('Enter')],
    checks: file('second', 'second.xopp'),
  },
];

/** A document of pages with a line each. */
function pdfOf(lines: readonly string[]): string {
  const pages = lines.flatMap((line, n) => {
    const drawn = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    ];
  });
  const kids = lines.map((_, n) => `${4 + 2 * n} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages,
  ];
  let whole = '%PDF-1.4\n';
  const places = objects.map((object, n) => {
    const place = `${String(whole.length).padStart(10, '0')} 00000 n \n`;
    whole += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const count = objects.length + 1;
  return `${whole}xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${whole.length}\n%%EOF\n`;
}
const evince = recipeOf([{ text: pdfOf(['Page one', 'Page two', 'Page three']), to: 'book.pdf' }], {
  command: 'evince',
  args: ['~/book.pdf'],
  window: 'book.pdf',
});
const EVINCE: readonly Demonstration[] = [
  {
    ...PLAIN,
    name: 'copy',
    app: 'evince',
    saves: 3,
    goal: 'Read on and keep a copy',
    recipe: evince,
    steps: [press('PageDown'), chord('ctrl', 's'), type('copy'), press('Enter')],
    checks: file('copy', 'copy.pdf'),
  },
  {
    ...PLAIN,
    name: 'turned',
    app: 'evince',
    saves: 3,
    goal: 'Turn the page and keep a copy',
    recipe: evince,
    steps: [chord('ctrl', 'ArrowRight'), chord('ctrl', 's'), type('turned'), press('Enter')],
    checks: file('turned', 'turned.pdf'),
  },
  {
    ...PLAIN,
    name: 'found',
    app: 'evince',
    goal: 'Find the third page',
    recipe: evince,
    steps: [chord('ctrl', 'f'), type('three'), press('Escape')],
    checks: checksOf({ id: 'third', kind: 'shown', contains: ['Page three'] }),
  },
];

export const PAPER: readonly Demonstration[] = [...XOURNAL, ...EVINCE];
