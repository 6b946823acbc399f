import { type Fields, literally } from './fields.ts';

/** OSWorld's names of days, and of a day's parts, as checks have them. */
const DAYS = new Map([
  ['this month', 'today'],
  ['tomorrow', 'tomorrow'],
  ['next Monday', 'next monday'],
  ['5th next month', 'day 5 of next month'],
  ['10th next month', 'day 10 of next month'],
]);
const PARTS = new Map([
  ['{Year}', '{YYYY}'],
  ['{Month0D}', '{MM}'],
  ['{Day0D}', '{DD}'],
  ['{DayD}', '{D}'],
  ['{month}', '{month}'],
]);

/** Null for a day without a name here, and where there are two. */
export const toldDay = ({ from, to }: Fields): string | null =>
  to === undefined ? (DAYS.get(String(from)) ?? null) : null;

/** A part of a day that checks cannot write: its weekday, the short or capital name of its month. */
export const hasOtherParts = (text: string): boolean => /\{(?:DoW|Month|MonthFull)\}/.test(text);

/** A text as a pattern, in which the parts of a day stay. */
export const datedPattern = (text: string, coded: (part: string) => string): string =>
  text
    .split(/(\{\w+\})/)
    .map((part) => PARTS.get(part) ?? literally(coded(part)))
    .join('');
