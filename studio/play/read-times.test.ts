import { afterEach, expect, test } from 'vitest';
import { changedBlocks } from '../../core/play/sight.ts';
import type { Moments } from '../../core/play/times.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { readRgb } from '../files/picture.ts';
import { hasTextReader } from '../recordings/texts/languages.ts';
import { drawTexts } from '../recordings/texts/pictures-for-tests.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { readTimes } from './read-times.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

/** Moments of local time, as a program on this machine shows them. */
const around = (hour: number, minute: number, second: number): Moments => {
  const at = new Date(2026, 10, 27, hour, minute, second).getTime();
  return { since: at - 60_000, from: at - 1000, to: at + 1000 };
};
const MOMENTS: { was: Moments; is: Moments } = { was: around(7, 8, 1), is: around(15, 42, 39) };
const drawn = async (...texts: string[]): Promise<RgbImage> =>
  readRgb(
    await drawTexts(
      folders.make(),
      texts.map((text, n) => ({ text, x: 40, y: 60 + 40 * n })),
    ),
  );

async function read(was: string[], is: string[], moments = MOMENTS): Promise<{ was: string; is: string } | null> {
  const [still, live] = [await drawn(...was), await drawn(...is)];
  const times = readTimes();
  try {
    const blocks = [...(changedBlocks(still, live) ?? [])];
    return await times.timesIn({ still, live, blocks, shift: { x: 0, y: 0 }, moments });
  } finally {
    await times.close();
  }
}

test.runIf(hasTextReader())('PL33: times that the pictures say are read, and nothing else is let pass', async () => {
  const saved = ['07:08:01: File note.txt saved.', 'Two lines'];
  expect(await read(saved, ['15:42:39: File note.txt saved.', 'Two lines'])).toEqual({
    was: expect.stringContaining('07:08:01'),
    is: expect.stringContaining('15:42:39'),
  });
  // A time of another moment, another file beside the right time, and another digit.
  expect(await read(saved, ['16:12:39: File note.txt saved.', 'Two lines'])).toBeNull();
  expect(await read(saved, ['15:42:39: File song.txt saved.', 'Two lines'])).toBeNull();
  expect(await read(['Saved 3 files', ''], ['Saved 4 files', ''])).toBeNull();
});

test.runIf(hasTextReader())('PL33: on a stage with a clock the time of that clock is read', async () => {
  const [was, is] = [['07:08:01: File note.txt saved.'], ['14:03:02: File note.txt saved.']];
  // At 15:42:39 of this machine its programs see 14:03:02 of another day, in no zone.
  const ahead = Date.UTC(2026, 2, 2, 14, 3, 2) - new Date(2026, 10, 27, 15, 42, 39).getTime();
  const clock = [{ at: MOMENTS.is.since, ahead }];
  expect(await read(was, is, { ...MOMENTS, is: { ...MOMENTS.is, clock } })).toEqual({
    was: expect.stringContaining('07:08:01'),
    is: expect.stringContaining('14:03:02'),
  });
  expect(await read(was, is)).toBeNull();
});

test.runIf(hasTextReader())('PL33: a time in a name that is selected, white on a colour, is read too', async () => {
  const selected = async (text: string): Promise<RgbImage> =>
    readRgb(
      await drawTexts(folders.make(), [{ text, x: 42, y: 60 }], {
        ink: '#ffffff',
        more: '<rect x="40" y="46" width="162" height="20" fill="#3584e4"/>',
      }),
    );
  const name = async (is: string): Promise<{ was: string; is: string } | null> => {
    const [still, live] = [await selected('2026-11-27-Note-07-08'), await selected(is)];
    const times = readTimes();
    try {
      const blocks = [...(changedBlocks(still, live) ?? [])];
      return await times.timesIn({ still, live, blocks, shift: { x: 0, y: 0 }, moments: MOMENTS });
    } finally {
      await times.close();
    }
  };
  expect(await name('2026-11-27-Note-15-42')).toEqual({ was: '2026-11-27-Note-07-08', is: '2026-11-27-Note-15-42' });
  expect(await name('2026-11-27-Note-15-48')).toBeNull();
  expect(await name('2026-11-27-Nose-15-42')).toBeNull();
});

test('where no text can be read what is other stays other', async () => {
  const times = readTimes(async () => {
    throw new Error('not here');
  });
  const [still, live] = [await drawn('07:08:01'), await drawn('15:42:39')];
  const other = {
    still,
    live,
    blocks: [...(changedBlocks(still, live) ?? [])],
    shift: { x: 0, y: 0 },
    moments: MOMENTS,
  };
  expect(await times.timesIn(other)).toBeNull();
  expect(await times.timesIn(other)).toBeNull();
  await times.close();
});
