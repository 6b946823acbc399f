import { shownLanguage, tr } from '../language/tr.ts';

/** How times, sizes and counts are written on the pages. Pure: what "now" is comes in. */

const MINUTE = 60;

/** English dates are `3 Nov`, not `Nov 3`. */
const dateLocale = (): string => (shownLanguage() === 'en' ? 'en-GB' : shownLanguage());

const DAY = { day: 'numeric', month: 'short' } as const;
const DATES = {
  day: DAY,
  date: { ...DAY, year: 'numeric' },
  full: { ...DAY, year: 'numeric', hour: '2-digit', minute: '2-digit' },
} as const;
/** By language and name. Making one takes far longer than using it, and each row of a list shows a time. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(name: keyof typeof DATES): Intl.DateTimeFormat {
  const key = `${dateLocale()} ${name}`;
  const made = dateFormats.get(key) ?? new Intl.DateTimeFormat(dateLocale(), DATES[name]);
  dateFormats.set(key, made);
  return made;
}

/** A duration in µs as `0:07`, `12:34` or `1:02:03`. Negative ones count as 0. */
export function duration(us: number): string {
  const seconds = Math.max(0, Math.floor(us / 1e6));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / MINUTE) % MINUTE, seconds % MINUTE];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A duration in µs in words for a screen reader: `1 hour 2 minutes 3 seconds`. */
export function durationInWords(us: number): string {
  const seconds = Math.max(0, Math.floor(us / 1e6));
  const parts: string[] = [];
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / MINUTE) % MINUTE, seconds % MINUTE];
  if (h > 0) parts.push(tr('{h, plural, one {# hour} other {# hours}}', { h }));
  if (m > 0) parts.push(tr('{m, plural, one {# minute} other {# minutes}}', { m }));
  if (s > 0 || parts.length === 0) parts.push(tr('{s, plural, one {# second} other {# seconds}}', { s }));
  return parts.join(' ');
}

/** Bytes as `512 B`, `1.4 MB`, `12 GB`, in powers of 1000 as disks are sold. */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = n;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 9.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** A share from 0 to 1 as whole per cent; only what is all done is 100 %, only what is not begun is 0 %. */
export function percent(share: number): string {
  if (share <= 0) return '0 %';
  if (share >= 1) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round(share * 100)))} %`;
}

/** The first `most` of a list in a line, and how many more there are. */
export function someOf(items: readonly string[], most: number): string {
  if (items.length <= most) return items.join(', ');
  return tr('{items} and {more, number} more', { items: items.slice(0, most).join(', '), more: items.length - most });
}

/** When something was, seen from `now`: `just now`, `5 min ago`, `yesterday`, `3 Nov`, `3 Nov 2025`. */
export function ago(iso: string, now: Date): string {
  const then = new Date(iso);
  const seconds = (now.getTime() - then.getTime()) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (seconds < 45) return tr('just now');
  if (seconds < 90 * MINUTE) return tr('{max} min ago', { max: Math.max(1, Math.round(seconds / MINUTE)) });
  const day = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((day(now) - day(then)) / 86_400_000);
  if (days === 0) return tr('{hours} h ago', { hours: Math.round(seconds / 3600) });
  if (days === 1) return tr('yesterday');
  if (days < 7) return tr('{days} days ago', { days });
  return dateFormat(then.getFullYear() === now.getFullYear() ? 'day' : 'date').format(then);
}

/** A day (YYYY-MM-DD) as `3 Nov`. */
export function dayOf(day: string): string {
  const then = new Date(`${day}T12:00:00`);
  return Number.isNaN(then.getTime()) ? day : dateFormat('day').format(then);
}

/** The day that it is here, as YYYY-MM-DD. */
export function localDay(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** A time in full, for titles: `3 Nov 2025, 14:05`. */
export function fullTime(iso: string): string {
  const then = new Date(iso);
  if (Number.isNaN(then.getTime())) return iso;
  return dateFormat('full').format(then);
}
