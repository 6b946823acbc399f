import { appendFileSync, cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ElementLine } from '../../../schemas/elements.ts';
import type { Rect } from '../../../schemas/events.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openFolder } from '../closed.ts';
import { hasTextReader } from './languages.ts';
import { readTexts, readTextsFile, textAt, textsCost } from './read-texts.ts';
import type { startReader, TextReader } from './reader.ts';

/** Texts in the pictures of the sample, a recording of GIMP. */

const SAMPLE = join(import.meta.dirname, '../../../assets/sample/recordings');
const ENGLISH = { languages: 'eng', folder: null };
const folders = temporaryFolders();
let folder = '';
beforeEach(() => {
  const [name = ''] = globSync('*', { cwd: SAMPLE });
  folder = join(folders.make(), name);
  cpSync(join(SAMPLE, name), folder, { recursive: true });
});
afterEach(folders.clean);

/** A reader that reads the same word in the middle of each crop, unless `read` says otherwise. */
function readerOf(read: (crop: Rect) => Promise<void> | void = () => undefined) {
  const asked: Rect[] = [];
  const closed: number[] = [];
  const start: typeof startReader = async () =>
    ({
      startMs: 5,
      async read(_file, crop) {
        asked.push(crop);
        await read(crop);
        const [x, y] = [crop.x + crop.width / 2 - 20, crop.y + crop.height / 2 - 6];
        return [
          {
            line: 0,
            text: 'Crop',
            box: { x: Math.round(x), y: Math.round(y), width: 40, height: 12 },
            confidence: 0.9,
          },
        ];
      },
      close: async () => void closed.push(1),
    }) satisfies TextReader;
  return { start, asked, closed };
}
const file = (): string => join(folder, 'derived', 'texts.jsonl');

test('every press of which nothing is known is read once, kept beside what is derived, and no raw file changes', async () => {
  const before = new Map(
    globSync('*.{json,jsonl,mkv}', { cwd: folder }).map((name) => [name, readFileSync(join(folder, name))]),
  );
  const { start, asked, closed } = readerOf();
  const told: [number, number][] = [];
  const texts = await readTexts(folder, ENGLISH, { start, progress: (...now) => told.push(now) });
  const opened = openFolder(folder);
  const presses = opened.steps.filter(({ kind }) => kind === 'click' || kind === 'drag');
  expect(presses.length).toBeGreaterThan(3);
  expect([...texts.lines.keys()]).toEqual(presses.map(({ id }) => id));
  // Once more, the line alone, where the press is in no text.
  const beside = [...texts.lines.values()].filter(({ at }) => !at);
  const each = presses.length + beside.length;
  expect(asked).toHaveLength(each);
  expect(closed).toHaveLength(1);
  expect(told.at(-1)).toEqual([presses.length, presses.length]);
  expect(textsCost(texts)).toMatch(/^Texts read at \d+ of \d+ presses .* ms each at the median/);
  for (const [name, bytes] of before) expect(readFileSync(join(folder, name)).equals(bytes), name).toBe(true);
  expect(readTextsFile(folder)).toEqual(texts);
  expect(opened.steps.filter(({ id }) => textAt(opened, id) !== null).length).toBeGreaterThan(0);
  // Asked again, nothing is read; in other languages it is.
  await readTexts(folder, ENGLISH, { start });
  expect(asked).toHaveLength(each);
  await readTexts(folder, { ...ENGLISH, languages: 'eng+deu' }, { start });
  expect(asked).toHaveLength(2 * each);
});

test('a press with a name, a field that is written in and one for passwords are not read', async () => {
  const steps = openFolder(folder).steps.filter(({ kind }) => kind === 'click' || kind === 'drag');
  const [named, field, password, icon] = steps;
  const line = (at: (typeof steps)[number] | undefined, more: Partial<ElementLine>): string =>
    `${JSON.stringify({ t: at!.start[2], name: '', role: 'push button', bounds: null, version: 1, ...more })}\n`;
  appendFileSync(
    join(folder, 'elements.jsonl'),
    line(named, { name: 'Save' }) +
      line(field, { role: 'text' }) +
      line(password, { role: 'password text', withheld: true }) +
      line(icon, {}),
  );
  const { start } = readerOf();
  const { lines } = await readTexts(folder, ENGLISH, { start });
  expect([named, field, password, icon].map((one) => lines.has(one!.id))).toEqual([false, false, false, true]);
});

test('pictures that cannot be read are told, and the rest is read', async () => {
  let n = 0;
  const { start, closed } = readerOf(() => {
    if (n++ === 0) throw new Error('no picture');
  });
  const texts = await readTexts(folder, ENGLISH, { start });
  expect([...texts.lines.values()].filter(({ problem }) => problem !== undefined)).toMatchObject([
    { text: null, problem: 'no picture' },
  ]);
  expect(textsCost(texts)).toContain('1 could not be read.');
  expect(closed).toHaveLength(1);
});

test('a stop keeps nothing and ends the reader', async () => {
  const control = new AbortController();
  const { start, asked, closed } = readerOf(() => control.abort(new Error('stopped')));
  await expect(readTexts(folder, ENGLISH, { start, signal: control.signal })).rejects.toThrow('stopped');
  expect([asked.length, closed.length, existsSync(file())]).toEqual([1, 1, false]);
});

test('a file of other raw files, other rules or a stranger counts as none', async () => {
  const { start } = readerOf();
  await readTexts(folder, ENGLISH, { start });
  const text = readFileSync(file(), 'utf8');
  const opened = openFolder(folder);
  const first = opened.steps.find(({ id }) => textAt(opened, id))!.id;
  writeFileSync(file(), text.replace('"key":"', '"key":"0'));
  expect(readTextsFile(folder)).toBeNull();
  expect(textAt(opened, first)).toBeNull();
  // Lines that do not fit are left out.
  const bad = `{"action":"${first}","ms":1,"text":{"text":"${'x'.repeat(100_000)}","box":{"x":-1,"y":0,"width":1,"height":1},"confidence":7}}`;
  writeFileSync(file(), `${text.split('\n')[0]}\n${bad}\nno JSON\n`);
  expect(readTextsFile(folder)?.lines.size).toBe(0);
  writeFileSync(file(), '');
  expect(readTextsFile(folder)).toBeNull();
  writeFileSync(file(), text);
  expect(textAt(opened, first)).not.toBeNull();
  appendFileSync(join(folder, 'windows.jsonl'), '{"t":1}\n');
  expect(readTextsFile(folder)).toBeNull();
});

test.runIf(hasTextReader())(
  'in a real recording what is written is read, and hardly anything is made up of icons and pictures',
  async () => {
    const texts = await readTexts(folder, ENGLISH);
    const lines = [...texts.lines.values()];
    expect(lines.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(lines.at(-1)?.text?.text).toBe('6:45 pm');
    // Which stroke looks like a letter differs from processor to processor.
    expect(lines.slice(0, -1).filter(({ text }) => text !== null).length).toBeLessThanOrEqual(1);
  },
);
