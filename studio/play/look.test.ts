import { mkdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import type { Eyes } from '../../core/play/eyes.ts';
import { eyesWith, plainPart } from '../../core/play/eyes-for-tests.ts';
import type { InHand } from '../../core/play/in-hand.ts';
import { cornerOf } from '../../core/play/likeness.ts';
import { lookAfter } from '../../core/play/look-after.ts';
import { lookBefore } from '../../core/play/look-before.ts';
import type { PlayPart } from '../../core/play/part.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { readRgb } from '../files/picture.ts';
import { drawTexts } from '../recordings/texts/pictures-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { takeInHand } from './in-hand.ts';

const folders = temporaryFolders();
afterEach(() => {
  vi.useRealTimers();
  folders.clean();
});

const SIZE = { x: 0, y: 0, width: 640, height: 400 };
const lines = (word: string) => Array.from({ length: 12 }, (_, n) => ({ text: `${word} ${n}`, x: 20, y: 30 + 30 * n }));

const partOf = (before: string, after: string): PlayPart => ({
  ...plainPart(SIZE),
  window: 'note.txt',
  before: { file: before, ...SIZE },
  after: { file: after, ...SIZE },
});

/** Eyes on a screen, with the clock of this process. */
const eyesOf = (look: () => RgbImage): Eyes => ({
  ...eyesWith(look).eyes,
  now: () => performance.now(),
  date: () => Date.now(),
});

/** The reason of a step that types, whose screen is not as it was; `titles`: the windows now, the first of them at the place. */
async function reasonOf(titles: string[], { paper = '#f2f1f0', ink = '#2e3436' } = {}): Promise<string> {
  const folder = folders.make();
  const [before, after, now] = [
    await drawTexts(folder, lines('One of the lines')),
    await drawTexts(folder, lines('Another line').slice(1)),
    await drawTexts(folder, lines('Nothing of it').slice(0, 10), { paper, ink }),
  ];
  const live = await readRgb(now);
  const part = partOf(before, after);
  const inHand = await takeInHand(part, null);
  inHand.absence = { since: performance.now() - 10_000 };
  const eyes = { ...eyesOf(() => live), windows: { titles: () => titles, titleAt: () => titles[0] ?? null } };
  const sight = await lookBefore(eyes, inHand, { x: 0, y: 0 });
  return sight.there ? 'there' : sight.why;
}

test('PL34: the reason of a stop names the window that lies over the place, or is there instead', async () => {
  expect(await reasonOf(['Question', 'note.txt'])).toMatch(/parts differ: another window, “Question”, lies over it$/);
  expect(await reasonOf(['Question'])).toMatch(/the window there is “Question”, where it was “note.txt”/);
});

test('PL34: another theme is named where the window is the same', async () => {
  expect(await reasonOf(['note.txt'], { paper: '#202020', ink: '#e0e0e0' })).toMatch(
    /the whole window looks other, as in another theme, font or language$/,
  );
});

test('PL33: a time is read once, though a caret blinks beside it, and a letter that is other stays a difference', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const folder = folders.make();
  const [noCaret, caret] = ['', '<rect x="300" y="200" width="2" height="17"/>'];
  const screen = async (time: string, word: string, more: string): Promise<string> => {
    const own = `${folder}/${time}-${word}-${more.length}`;
    mkdirSync(own, { recursive: true });
    return drawTexts(own, [{ text: `${time} ${word}`, x: 20, y: 60 }], { more });
  };
  const after = await screen('07:08:01', 'saved', caret);
  const inHand = await takeInHand(partOf(await screen('', '', noCaret), after), null);
  /** A look every 100 ms for four seconds: what it says, and what was read. */
  const looks = async (word: string) => {
    const [on, off] = [
      await readRgb(await screen('09:10:22', word, caret)),
      await readRgb(await screen('09:10:22', word, noCaret)),
    ];
    const read: (readonly number[])[] = [];
    const said: boolean[] = [];
    let live = off;
    const eyes: Eyes = {
      ...eyesOf(() => live),
      times: {
        async timesIn({ blocks }) {
          read.push(blocks);
          // As long as a reading takes on a busy machine.
          vi.advanceTimersByTime(1500);
          const isTime = blocks.every(
            (block) => cornerOf(block, SIZE.width).x < 90 && cornerOf(block, SIZE.width).y < 64,
          );
          return isTime ? { was: '07:08:01', is: '09:10:22' } : null;
        },
      },
    };
    for (let n = 0; n < 40; n++) {
      live = n % 12 < 8 ? off : on;
      said.push((await lookAfter(eyes, inHand, { x: 0, y: 0 }, Number.POSITIVE_INFINITY)).same);
      vi.advanceTimersByTime(100);
    }
    return { read, said };
  };
  const { read, said } = await looks('saved');
  expect(read.length).toBe(1);
  expect(said).toContain(true);
  inHand.others = new Map();
  inHand.times = null;
  expect((await looks('moved')).said).not.toContain(true);
});

test('PL44: a list of files that is other beside the text to be typed stops nothing; a question, and another window, do', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const folder = folders.make();
  const words = (list: string[]) => [
    ...Array.from({ length: 11 }, (_, n) => ({
      text: `What stands in the dialog ${n}, in many words`,
      x: 20,
      y: 30 + 30 * n,
    })),
    ...list.map((text, n) => ({ text, x: 430, y: 60 + 30 * n })),
  ];
  const screen = async (name: string, list: string[], more = ''): Promise<string> => {
    const own = `${folder}/${name}`;
    mkdirSync(own, { recursive: true });
    return drawTexts(own, words(list), { more });
  };
  const empty = await drawTexts(folder, []);
  const white = '<rect x="0" y="0" width="640" height="400" fill="#3465a4" fill-opacity="0.5"/>';
  const demonstrated = await screen('was', ['list.csv'], white);
  const dialog = { title: 'Save as', app: 'Notes', bounds: { x: 0, y: 0, width: 640, height: 400 } };
  const frame = dialog.bounds;
  const play = async (
    live: RgbImage,
    top = { ...dialog, frame },
    typed: InHand['typed'] = { window: dialog, last: 3 },
  ) => {
    const inHand = await takeInHand(partOf(empty, demonstrated), null);
    inHand.typed = typed;
    const windows = { titles: () => [top.title], titleAt: () => top.title, list: () => [top] };
    const eyes = { ...eyesOf(() => live), windows };
    await lookAfter(eyes, inHand, { x: 0, y: 0 }, 0);
    vi.advanceTimersByTime(1500);
    return { sight: await lookAfter(eyes, inHand, { x: 0, y: 0 }, 0), inHand, eyes };
  };
  const live = await readRgb(await screen('is', ['', 'other.txt'], white));
  const { sight, inHand, eyes } = await play(live);
  expect(sight).toMatchObject({ same: true, but: expect.stringContaining('beside the text that is typed') });
  expect(inHand.letPass.size).toBeGreaterThan(8);
  expect((await play(live, { ...dialog, title: 'Open', frame })).sight.same).toBe(false);
  expect((await play(live, undefined, null)).sight.same).toBe(false);
  const much = await readRgb(
    await screen(
      'much',
      Array.from({ length: 9 }, (_, n) => `quite another list of ${n} files`),
      white,
    ),
  );
  expect((await play(much)).sight.same).toBe(false);
  // With the step with which the window goes it is let pass once more, and nothing else is.
  const goes = await takeInHand(partOf(demonstrated, empty), null);
  const before = async (beside: ReadonlySet<number>) => {
    goes.beside = beside;
    goes.absence = { since: performance.now() - 10_000 };
    return (await lookBefore(eyes, goes, { x: 0, y: 0 })).there;
  };
  expect(await before(new Set())).toBe(false);
  expect(await before(inHand.letPass)).toBe(true);
  goes.inLine = inHand.letPass;
  expect(await before(inHand.letPass)).toBe(false);
});
