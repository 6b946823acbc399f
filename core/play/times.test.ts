import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RgbImage } from '../../schemas/picture.ts';
import type { ReadWord } from '../annotate/proposals/text.ts';
import { type Moments, otherLines, sameButTimes, timesAt } from './times.ts';

const at = (time: string): number => Date.parse(`2026-11-27T${time}Z`);
/** A program that is there for five minutes, and a step that took two seconds. */
const around = (time: string): Moments => ({ since: at(time) - 300_000, from: at(time) - 1000, to: at(time) + 1000 });
const NO_ZONE = [0];
const same = (was: string, is: string, offsets = NO_ZONE): boolean =>
  sameButTimes({ text: was, moments: around('07:08:01') }, { text: is, moments: around('15:42:10') }, offsets);

test('PL33: the time of the demonstration there and that of the play here are no difference', () => {
  expect(same('07:08:01:', '15:42:10:')).toBe(true);
  expect(same('[07:08:00]', '[15:42:11]')).toBe(true);
  expect(same('7:08:01', '15:42:10')).toBe(true);
  expect(same('(07:08)', '(15:42)')).toBe(true);
  expect(same('07:08', '3:42')).toBe(true);
  expect(same('Note-2026-11-27-07-08', 'Note-2026-11-27-15-42')).toBe(false);
  expect(same('07:08:01', '07:08:01')).toBe(true);
  // A line of four minutes ago.
  expect(same('07:04:01', '15:39:30')).toBe(true);
  // An hour ahead of Greenwich.
  expect(same('08:08:01', '16:42:10', [3_600_000])).toBe(true);
});

test('PL33: other digits, times of other moments and other words are', () => {
  expect(same('07:08:01', '07:08:02')).toBe(false);
  expect(same('07:08:01', '15:48:10')).toBe(false);
  expect(same('07:09:01', '15:42:10')).toBe(false);
  expect(same('12:00', '15:42')).toBe(false);
  // Without seconds only the step's own minute counts.
  expect(same('07:04', '15:39')).toBe(false);
  expect(same('3', '4')).toBe(false);
  expect(same('1.38', '1.39')).toBe(false);
  expect(same('saved 07:08:01', 'opened 15:42:10')).toBe(false);
  expect(same('07:08:01', '15.42.10')).toBe(false);
});

test('PL33: no text that says less than the moments of both is let pass, whatever its digits', () => {
  const digits = fc.stringMatching(/^\d{1,2}:\d{2}:\d{2}$/);
  fc.assert(
    fc.property(digits, digits, (was, is) => {
      const [hour = 0, minute = 0, second = 0] = is.split(':').map(Number);
      const now = (hour * 60 + minute) * 60 + second;
      const near = Math.abs(now - (15 * 60 + 42) * 60 - 10) < 310 || Math.abs(now - (3 * 60 + 42) * 60 - 10) < 310;
      if (was !== is && !near) expect(same(was, is)).toBe(false);
    }),
  );
});

test('PL33: on a stage with a clock its time is right for as long as it was set so, and the machine’s still is', () => {
  const was = { text: '[07:08:01] saved', moments: around('07:08:01') };
  const now = around('15:42:10');
  // A day of before, set at 15:41, two minutes ago to nine o'clock.
  const ahead = Date.parse('2026-03-02T09:00:00Z') - at('15:41:00');
  const clock = [
    { at: at('15:00:00'), ahead: Date.parse('2026-03-02T08:30:00Z') - at('15:00:00') },
    { at: at('15:41:00'), ahead },
  ];
  const is = (time: string, moments: Moments = { ...now, clock }): boolean =>
    sameButTimes(was, { text: `[${time}] saved`, moments }, NO_ZONE);
  expect(is('09:01:10')).toBe(true);
  expect(is('9:01:11')).toBe(true);
  // A program that does not bear it, and a line of the time before it was moved.
  expect(is('15:42:10')).toBe(true);
  expect(is('09:10:30')).toBe(true);
  // The first setting's time goes on in no text after the second, nor the second's in one before.
  expect(is('09:12:10')).toBe(false);
  expect(is('08:58:00')).toBe(false);
  expect(is('09:01:10', now)).toBe(false);
  // A demonstration on such a stage, played on one that sees the machine's time.
  const shown = { text: '09:01', moments: { ...now, clock } };
  expect(sameButTimes(shown, { text: '07:08', moments: around('07:08:01') }, NO_ZONE)).toBe(true);
  expect(
    sameButTimes({ text: '2026-03-02', moments: { ...now, clock } }, { text: '2026-11-27', moments: now }, NO_ZONE),
  ).toBe(true);
});

test('PL33: whatever the clock is set to, the time that it shows passes and one of another moment does not', () => {
  const was = { text: '07:08:01', moments: around('07:08:01') };
  const now = around('15:42:10');
  const far = fc.integer({ min: -400 * 86_400, max: 400 * 86_400 }).map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(far, fc.integer({ min: 0, max: 86_399 }), (ahead, second) => {
      const moments = { ...now, clock: [{ at: at('14:00:00'), ahead }] };
      const shown = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
      const right = shown(at('15:42:10') + ahead);
      expect(sameButTimes(was, { text: right, moments }, NO_ZONE)).toBe(true);
      const wrong = shown(second * 1000);
      const seconds = (text: string): number => Date.parse(`1970-01-01T${text}Z`) / 1000;
      // Twelve hours look alike, and lines of five minutes ago may be there.
      const near = [right, shown(at('15:42:10'))].some((time) => {
        const apart = Math.abs(seconds(time) - seconds(wrong)) % 43_200;
        return Math.min(apart, 43_200 - apart) < 310;
      });
      if (!near && wrong !== was.text) expect(sameButTimes(was, { text: wrong, moments }, NO_ZONE)).toBe(false);
    }),
  );
});

test('PL33: a date is one of its day', () => {
  const day = (text: string): Moments => ({
    since: Date.parse(text),
    from: Date.parse(text),
    to: Date.parse(text) + 5000,
  });
  const dated = (was: string, is: string): boolean =>
    sameButTimes(
      { text: was, moments: day('2026-11-27T09:00:00Z') },
      { text: is, moments: day('2026-12-03T10:00:00Z') },
      NO_ZONE,
    );
  expect(dated('2026-11-27', '2026-12-03')).toBe(true);
  expect(dated('27.11.2026', '03.12.2026')).toBe(true);
  expect(dated('11/27/26', '12/03/26')).toBe(true);
  expect(dated('20261127_090001', '20261203_100004')).toBe(true);
  expect(dated('2026-11-27', '2026-12-04')).toBe(false);
  expect(dated('27.11.2026', '12.03.2025')).toBe(false);
});

/** A screen of one colour with black rectangles. */
function screen(...boxes: [x: number, y: number, width: number, height: number][]): RgbImage {
  const [width, height] = [400, 80];
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (const [x, y, w, h] of boxes)
    for (let row = y; row < y + h; row++) rgb.fill(0, (row * width + x) * 3, (row * width + x + w) * 3);
  return { width, height, rgb };
}
const word = (text: string, x: number, width: number): ReadWord => ({
  line: 0,
  text,
  box: { x, y: 20, width, height: 10 },
  confidence: 0.9,
});

test('PL33: every pixel that is other must lie in a word that is the same but for a time', () => {
  const moments = { was: around('07:08:01'), is: around('15:42:10') };
  const still = screen([100, 20, 6, 10]);
  const compared = (live: RgbImage, blocks: number[], is = word('15:42:10:', 96, 60)) => {
    const words = { was: [word('07:08:01:', 96, 60), word('File', 166, 30)], is: [is, word('File', 166, 30)] };
    const shift = { x: 0, y: 0 };
    const read = { still, live, shift, moments, offsets: NO_ZONE };
    return (otherLines(blocks, still) ?? []).map((place) => timesAt(place, words, read)?.is);
  };
  const ofTime = [112, 113, 162, 163];
  expect(compared(screen([106, 20, 6, 10]), ofTime)).toEqual(['15:42:10:']);
  expect(compared(screen([106, 20, 6, 10]), ofTime, word('15:42:77:', 96, 60))).toEqual([undefined]);
  expect(compared(screen([106, 20, 6, 10]), ofTime, { ...word('15:42:10:', 96, 60), confidence: 0.3 })).toEqual([
    undefined,
  ]);
  // Beside the time something else is other, too.
  expect(compared(screen([106, 20, 6, 10], [170, 20, 6, 10]), [...ofTime, 121, 122, 171])).toEqual([
    '15:42:10:',
    undefined,
  ]);
});

test('PL33: squares of one line are read together, and many or scattered ones are not', () => {
  const still = screen();
  expect(otherLines([], still)).toBeNull();
  const [place, other] = otherLines([112, 113, 116, 300, 301], still) ?? [];
  expect(place?.blocks).toEqual([112, 113, 116]);
  expect(place?.crop).toMatchObject({ x: 0, y: 9, height: 22 });
  expect(other?.blocks).toEqual([300, 301]);
  expect(
    otherLines(
      Array.from({ length: 97 }, (_, n) => n),
      still,
    ),
  ).toBeNull();
  expect(otherLines([0, 10, 20, 30, 40, 300, 310], still)).toBeNull();
});
