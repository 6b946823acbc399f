import { tr } from '../language/tr.ts';

/** In words that a text is longer than it may be, or null. Lengths as the schema counts them (UTF-16 units). */
export function textTooLong(what: string, text: string, limit: number): string | null {
  if (text.length <= limit) return null;
  return tr('{what} has {has, number} characters; at most {may, number} are kept. Shorten it by {by, number}.', {
    what,
    has: text.length,
    may: limit,
    by: text.length - limit,
  });
}
