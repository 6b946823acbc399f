import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarDay, dayFrom, withDay } from './day.ts';

/** 2026-11-28 is a Saturday. */
const SATURDAY = { year: 2026, month: 11, day: 28 };

test.each([
  ['today', SATURDAY, '2026-11-28'],
  ['tomorrow', { year: 2026, month: 12, day: 31 }, '2027-01-01'],
  ['next monday', SATURDAY, '2026-11-30'],
  ['next saturday', SATURDAY, '2026-12-05'],
  ['next sunday', SATURDAY, '2026-11-29'],
  ['day 10 of next month', SATURDAY, '2026-12-10'],
  ['day 5 of next month', { year: 2026, month: 12, day: 31 }, '2027-01-05'],
  ['day 28 of next month', { year: 2027, month: 1, day: 31 }, '2027-02-28'],
  ['tomorrow', { year: 2028, month: 2, day: 28 }, '2028-02-29'],
])('%s', (told, today, wanted) => {
  expect(withDay('{YYYY}-{MM}-{DD}', dayFrom(told, today)!)).toBe(wanted);
});

test('a day of the week is one of the seven days after today, and of that name (law)', () => {
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  const dates = fc.date({ min: new Date('1980-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, fc.constantFrom(...names), (date, name) => {
      const today = calendarDay(date);
      const { year, month, day } = dayFrom(`next ${name}`, today)!;
      const found = Date.UTC(year, month - 1, day);
      const apart = (found - Date.UTC(today.year, today.month - 1, today.day)) / 86_400_000;
      expect(names[new Date(found).getUTCDay()]).toBe(name);
      expect(apart).toBeGreaterThanOrEqual(1);
      expect(apart).toBeLessThanOrEqual(7);
    }),
  );
});

test('its parts as they are written, others left alone; words that are no day are none', () => {
  expect(withDay('{month}-{M}-{D}-{YYYY}-{N}-{2}', { year: 2027, month: 3, day: 4 })).toBe('march-3-4-2027-{N}-{2}');
  for (const told of ['', 'monday', 'next', 'next month', 'yesterday', 'next constructor'])
    expect(dayFrom(told, SATURDAY)).toBeNull();
});
