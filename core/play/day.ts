/** Days that are told from another day, for checks whose right answer is another one each day ("book it for next Monday"). */

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
const OF_NEXT_MONTH = /^day (\d+) of next month$/;

/** A day as a calendar has it: months and days from 1. */
export type CalendarDay = { year: number; month: number; day: number };

export const calendarDay = (date: Date): CalendarDay => ({
  year: date.getFullYear(),
  month: date.getMonth() + 1,
  day: date.getDate(),
});

/**
 * The day that `told` names as seen from `today`: `today`, `tomorrow`, `next monday` (the first one after today) and so on, or
 * `day 10 of next month`. Null for other words.
 */
export function dayFrom(told: string, { year, month, day }: CalendarDay): CalendarDay | null {
  /** Counted in UTC, where every day has 24 hours. */
  const at = (months: number, days: number): CalendarDay => {
    const date = new Date(Date.UTC(year, month - 1 + months, days));
    return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  };
  if (told === 'today') return at(0, day);
  if (told === 'tomorrow') return at(0, day + 1);
  const ofNext = OF_NEXT_MONTH.exec(told)?.[1];
  if (ofNext !== undefined) return at(1, Number(ofNext));
  const wanted = WEEKDAYS.indexOf(told.replace(/^next /, ''));
  if (!told.startsWith('next ') || wanted < 0) return null;
  const now = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return at(0, day + (((wanted - now + 6) % 7) + 1));
}

/** A text with the day in place of `{YYYY}`, `{MM}`, `{M}`, `{DD}`, `{D}` and `{month}` (january, …). */
export function withDay(text: string, { year, month, day }: CalendarDay): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const parts: Readonly<Record<string, string>> = {
    '{YYYY}': String(year).padStart(4, '0'),
    '{MM}': two(month),
    '{M}': String(month),
    '{DD}': two(day),
    '{D}': String(day),
    '{month}': MONTHS[month - 1]!, // Months are counted from 1 to 12.
  };
  return text.replace(/\{(?:YYYY|MM|M|DD|D|month)\}/g, (part) => parts[part]!); // The pattern knows no others.
}
