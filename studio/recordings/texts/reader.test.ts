import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { textCrop } from '../../../core/annotate/proposals/text.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { MOST_PIXELS } from '../../../schemas/limits.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { findLanguages, hasTextReader, parseLanguages } from './languages.ts';
import { drawTexts } from './pictures-for-tests.ts';
import { readTextAt } from './read-texts.ts';
import { startReader, type TextReader } from './reader.ts';

const folders = temporaryFolders();
const ENGLISH = { languages: ['eng'], folder: null };

const SIZE = { width: 640, height: 400 };
async function nameAt(reader: TextReader, file: string, point: { x: number; y: number }, size = SIZE) {
  return readTextAt(reader, { path: file, ...size }, point);
}

const MENU = [
  { text: 'File', x: 20, y: 24 },
  { text: 'Edit', x: 64, y: 24 },
  { text: 'Select', x: 110, y: 24 },
  { text: 'View', x: 172, y: 24 },
  { text: 'Save as', x: 320, y: 220 },
  { text: 'Cancel', x: 470, y: 220 },
];

// An optional package: `npm install --omit=optional` leaves it out.
describe.runIf(hasTextReader())('texts in pictures', () => {
  let reader: TextReader;
  let started: Promise<TextReader> | null = null;
  const ours = async (): Promise<TextReader> => {
    started ??= startReader(ENGLISH);
    reader = await started;
    return reader;
  };
  afterAll(async () => {
    await reader?.close();
    folders.clean();
  });

  test.each([
    ['dark on light', '#f2f1f0', '#2e3436'],
    ['light on dark', '#2d2d2d', '#dddddd'],
    ['white on blue', '#3465a4', '#ffffff'],
  ])('%s: the text at the point is read, and its box is that of its letters', async (_, paper, ink) => {
    const file = await drawTexts(folders.make(), MENU, { paper, ink });
    const names = [];
    for (const x of [28, 76, 128, 186]) names.push((await nameAt(await ours(), file, { x, y: 20 }))?.text);
    expect(names).toEqual(['File', 'Edit', 'Select', 'View']);
    const save = await nameAt(reader, file, { x: 330, y: 215 });
    expect(save).toMatchObject({ text: 'Save as' });
    expect(save!.confidence).toBeGreaterThan(0.8);
    expect(Math.abs(save!.box.x - 320)).toBeLessThanOrEqual(3);
    expect(Math.abs(save!.box.y + save!.box.height - 220)).toBeLessThanOrEqual(4);
    expect((await nameAt(reader, file, { x: 460, y: 215 }))?.text).toBe('Cancel');
  });

  test.each(['#3465a4', '#3584e4', '#4a90d9', '#f5c211'])(
    'of a menu the item that is lit up (%s) is read, not the one beside it',
    async (lit) => {
      const items = ['New', 'Open Recent', 'Save', 'Save As', 'Print'];
      const ink = lit === '#f5c211' ? '#000' : '#fff';
      const drawn = items.map((text, n) => {
        const bar = `<rect x="2" y="${40 + 26 * n}" width="260" height="26" fill="${n === 2 ? lit : '#fafafa'}"/>`;
        return `${bar}<text x="40" y="${58 + 26 * n}" fill="${n === 2 ? ink : '#2e3436'}">${text}</text>`;
      });
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" font-family="DejaVu Sans" font-size="14"><rect width="640" height="400" fill="#fff"/>${drawn.join('')}</svg>`;
      const file = join(folders.make(), 'menu.png');
      await sharp(Buffer.from(svg)).png().toFile(file);
      for (const x of [60, 90]) expect((await nameAt(await ours(), file, { x, y: 105 }))?.text).toBe('Save');
      expect((await nameAt(reader, file, { x: 60, y: 79 }))?.text).toBe('Open Recent');
    },
  );

  test('where nothing is written nothing is read, in pictures of a pixel too', async () => {
    const empty = await drawTexts(folders.make(), []);
    expect(await nameAt(await ours(), empty, { x: 300, y: 200 })).toBeNull();
    for (const [width, height] of [
      [1, 1],
      [1, 300],
      [300, 2],
    ] as const) {
      const file = await drawTexts(folders.make(), [], { width, height });
      expect(textCrop({ x: 0, y: 0 }, { width, height })).toBeNull();
      // Asked all the same, it says that it cannot.
      const asked = reader.read(file, { x: 0, y: 0, width, height }, MOST_PIXELS).catch((error: unknown) => error);
      expect(await asked).toSatisfy(
        (said) => said instanceof StudioError || (Array.isArray(said) && said.length === 0),
      );
    }
  });

  test('a small picture is read as far as it goes', async () => {
    const file = await drawTexts(folders.make(), [{ text: 'Save', x: 8, y: 30 }], { width: 60, height: 50 });
    expect((await nameAt(await ours(), file, { x: 20, y: 25 }, { width: 60, height: 50 }))?.text).toBe('Save');
  });

  test('a picture that is none, too large or not there is told, and the next one is read', async () => {
    const folder = folders.make();
    const bad = join(folder, 'bad.png');
    writeFileSync(bad, 'no picture');
    const crop = textCrop({ x: 1, y: 1 }, SIZE)!;
    const all = await ours();
    await expect(all.read(bad, crop, MOST_PIXELS)).rejects.toMatchObject({ code: 'BAD_FILE' });
    await expect(all.read(join(folder, 'none.png'), crop, MOST_PIXELS)).rejects.toMatchObject({ code: 'BAD_FILE' });
    const good = await drawTexts(folder, MENU);
    await expect(all.read(good, crop, 1000)).rejects.toThrow(/at most 1000 pixels/);
    // Its head says more than there is: a few bytes must not take memory.
    const huge = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    huge.writeUInt32BE(200_000, 16);
    writeFileSync(join(folder, 'huge.png'), huge);
    await expect(all.read(join(folder, 'huge.png'), crop, MOST_PIXELS)).rejects.toMatchObject({ code: 'BAD_FILE' });
    await expect(all.read(good, { x: 600, y: 390, width: 300, height: 80 }, MOST_PIXELS)).rejects.toMatchObject({
      code: 'BAD_FILE',
    });
    expect((await nameAt(all, good, { x: 28, y: 20 }))?.text).toBe('File');
  });

  test('languages come from a folder of the user too, several together', async () => {
    const own = folders.make();
    const [english] = findLanguages(['eng'], null);
    copyFileSync(join(english!.folder, english!.file), join(own, 'xyz.traineddata.gz'));
    const two = await startReader({ languages: ['eng', 'xyz'], folder: own });
    try {
      const file = await drawTexts(own, MENU);
      expect((await nameAt(two, file, { x: 330, y: 215 }))?.text).toBe('Save as');
    } finally {
      await two.close();
    }
  });

  test('data of a language that is spoilt is told at the start, with what to do', async () => {
    const own = folders.make();
    writeFileSync(join(own, 'xyz.traineddata.gz'), 'no data');
    const start = startReader({ languages: ['xyz'], folder: own });
    await expect(start).rejects.toMatchObject({ code: 'NO_LIBRARY' });
    await expect(start).rejects.toThrow(/xyz/);
  });
});

describe('languages', () => {
  test('a language whose data is not here is told with what to install', () => {
    expect(() => findLanguages(['qqq'], null)).toThrow(/npm install @tesseract\.js-data\/qqq/);
    const own = folders.make();
    expect(() => findLanguages(['qqq'], own)).toThrow(own);
  });

  test('are named in words, each once', () => {
    expect(parseLanguages('eng+deu, chi_sim eng')).toEqual(['eng', 'deu', 'chi_sim']);
    for (const wrong of ['', '../eng', 'EN', 'a'.repeat(100_000), 'aaa bbb ccc ddd eee fff ggg'])
      expect(() => parseLanguages(wrong)).toThrow(/languages/);
  });
});

describe('a program that misbehaves', () => {
  /** A thread that does what `code` says with each job. */
  function threadOf(code: string): URL {
    const folder = folders.make();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'thread.mjs');
    writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${code}\n`);
    return pathToFileURL(file);
  }
  const own = (): { languages: string[]; folder: string } => {
    const folder = folders.make();
    writeFileSync(join(folder, 'xyz.traineddata.gz'), '');
    return { languages: ['xyz'], folder };
  };
  const READY = `const done = (n, value) => parentPort.postMessage({ type: 'done', n, value });
      parentPort.on('message', ({ n, name }) => name === 'start' && done(n));`;
  const crop = { x: 0, y: 0, width: 10, height: 10 };

  test('one that never starts, or dies at the start, is given up', async () => {
    const silent = threadOf('setInterval(() => {}, 1000);');
    const start = startReader(own(), { thread: silent, limits: { startMs: 50 } });
    await expect(start).rejects.toMatchObject({ code: 'NO_LIBRARY' });
    const dead = startReader(own(), { thread: threadOf('process.exit(3);') });
    await expect(dead).rejects.toMatchObject({ code: 'NO_LIBRARY' });
    const broken = startReader(own(), { thread: threadOf("throw new Error('no memory');") });
    await expect(broken).rejects.toThrow(/no memory/);
  });

  test('one that dies or hangs at a picture is begun again, and not for ever', async () => {
    const code = `${READY}
      parentPort.on('message', ({ n, name, input }) => {
        if (name === 'read' && input.file === 'die') process.exit(1);
        if (name === 'read' && input.file === 'good') done(n, []);
      });`;
    const reader = await startReader(own(), { thread: threadOf(code), limits: { readMs: 200, restarts: 2 } });
    try {
      expect(await reader.read('good', crop, 1)).toEqual([]);
      await expect(reader.read('hang', crop, 1)).rejects.toThrow(/longer/);
      expect(await reader.read('good', crop, 1)).toEqual([]);
      await expect(reader.read('die', crop, 1)).rejects.toThrow(/ended/);
      expect(await reader.read('good', crop, 1)).toEqual([]);
      await expect(reader.read('die', crop, 1)).rejects.toThrow(/ended/);
      await expect(reader.read('good', crop, 1)).rejects.toThrow(/too often/);
    } finally {
      await reader.close();
    }
  });

  test('a stop ends what runs', async () => {
    const control = new AbortController();
    const reader = await startReader(own(), {
      thread: threadOf(`${READY}setInterval(() => {}, 1000);`),
      signal: control.signal,
    });
    const read = reader.read('hang', crop, 1);
    control.abort(new Error('stopped by a person'));
    await expect(read).rejects.toThrow('stopped by a person');
    await reader.close();
  });
});
