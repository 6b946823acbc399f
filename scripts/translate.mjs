import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { catalogueOf, textsOfPages } from './texts.mjs';

const HELP = `The texts of the pages that a language lacks, and putting translations in.

  node scripts/translate.mjs --language de                    counts what is missing, by folder of the pages
  node scripts/translate.mjs --language de --folder library   prints that folder's missing texts as JSON, English to ""
  node scripts/translate.mjs --language de --add FILE.json    puts a file of English to German into the catalogue
  node scripts/translate.mjs --language de --tidy             removes what no page says any more, sorts every file

The texts are ICU MessageFormat: {name}, {n, plural, one {# step} other {# steps}}, <b>…</b> stay as they are named.
`;

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    language: { type: 'string' },
    folder: { type: 'string' },
    add: { type: 'string' },
    tidy: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const { language, folder, add, tidy } = values;
if (values.help || !language) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

/** Each text with the folder of the pages that it is kept under: the first that says it. */
const homes = new Map();
for (const { file, said } of textsOfPages(root)) {
  for (const { text } of said) if (text !== null && !homes.has(text)) homes.set(text, file.split('/')[1]);
}
const known = new Map([...catalogueOf(root, language).values()].flatMap((texts) => Object.entries(texts)));
const missing = [...homes].filter(([text]) => !known.has(text));

if (add) {
  const added = Object.entries(JSON.parse(readFileSync(add, 'utf8'))).filter(([, text]) => text !== '');
  const foreign = added.filter(([text]) => !homes.has(text));
  if (foreign.length) throw new Error(`No page says ${JSON.stringify(foreign.slice(0, 5).map(([text]) => text))}.`);
  for (const [text, translated] of added) known.set(text, translated);
}
if (add || tidy) {
  const files = new Map();
  for (const text of [...homes.keys()].sort()) {
    if (known.has(text)) files.set(homes.get(text), { ...files.get(homes.get(text)), [text]: known.get(text) });
  }
  for (const name of new Set(
    [...catalogueOf(root, language).keys()].map((file) => file.split('/').at(-1).slice(0, -5)),
  )) {
    if (!files.has(name)) files.set(name, {});
  }
  for (const [name, texts] of files) {
    const path = join(root, 'renderer/language', language, `${name}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(texts, null, 2)}\n`);
  }
} else if (folder) {
  const wanted = missing.filter(([, home]) => home === folder).map(([text]) => [text, '']);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(wanted), null, 2)}\n`);
} else {
  const counts = Object.entries(Object.groupBy(missing, ([, home]) => home));
  for (const [home, texts] of counts) process.stdout.write(`${String(texts.length).padStart(6)} ${home}\n`);
  process.stdout.write(`${String(missing.length).padStart(6)} missing of ${homes.size}\n`);
}
