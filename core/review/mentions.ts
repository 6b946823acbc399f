import type { Thread } from '../../schemas/api/review-models.ts';

/** People who are named in comments: `@` and their whole name, in any case, as plain text. */

type Named = { id: string; name: string };
/** A stretch of a text; `person`: whom it names, as an id. */
export type TextPart = { text: string; person: string | null };

/** Finds names by their length and letters: the longest one that fits counts. Built once for many texts. */
export function mentionsOf(people: readonly Named[]): (text: string) => TextPart[] {
  const byName = new Map(people.map(({ id, name }) => [name.toLowerCase(), id]));
  const lengths = [...new Set(people.map(({ name }) => name.length))].filter((n) => n > 0).sort((a, b) => b - a);

  /** The person whose name begins at `from`, and where it ends. */
  function nameAt(text: string, from: number): { person: string; end: number } | null {
    for (const length of lengths) {
      const end = from + length;
      const person = byName.get(text.slice(from, end).toLowerCase());
      if (person !== undefined && end <= text.length && !LETTER.test(text.slice(end, end + 1))) return { person, end };
    }
    return null;
  }

  return (text) => {
    const parts: TextPart[] = [];
    let from = 0;
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      // An @ inside an e-mail address names nobody.
      if (at < from || LETTER.test(text.charAt(at - 1))) continue;
      const found = nameAt(text, at + 1);
      if (!found) continue;
      if (at > from) parts.push({ text: text.slice(from, at), person: null });
      parts.push({ text: text.slice(at, found.end), person: found.person });
      from = found.end;
    }
    if (from < text.length) parts.push({ text: text.slice(from), person: null });
    return parts;
  };
}

const LETTER = /[\p{L}\p{N}_]/u;

/**
 * The comment that a person has to answer in a thread: the last by somebody else that names them, unless they said something
 * since or the thread is resolved.
 */
export function askedIn(
  { open, entries }: Pick<Thread, 'open' | 'entries'>,
  person: string,
  mentions: (text: string) => TextPart[],
): Thread['entries'][number] | null {
  if (!open) return null;
  for (const entry of entries.toReversed()) {
    if (entry.person === person) return null;
    if (mentions(entry.text).some((part) => part.person === person)) return entry;
  }
  return null;
}
