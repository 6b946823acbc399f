/**
 * Several values of one text replaced at once. One after another is wrong twice: a value that begins like another leaves the
 * other's end ("F#$$" in "F#$$%#$"), and what was put in place of one may read like the next.
 */

/** `secret`: no part of it is left. `alone`: only where no letter and no digit is beside it. */
export type Replacement = { value: string; by: string; secret?: boolean; alone?: boolean };

/** A piece of the text as it was (`text`), or the words in place of a value (`by`). */
export type TextPiece = { text: string } | { by: string };

const LETTER = /[\p{L}\p{N}]/u;

type Range = { from: number; to: number; by: string; length: number };

/**
 * Secrets first, wherever they begin, and those that overlap in the text as one, by what the longest is replaced with; then the
 * others, the longest first, in what is left. What was put in is never looked into again.
 */
export function piecesReplaced(text: string, replacements: readonly Replacement[]): TextPiece[] {
  const given = replacements.filter(({ value }) => value !== '').toSorted((a, b) => b.value.length - a.value.length);
  let pieces = cut(
    text,
    given.filter(({ secret }) => secret).flatMap((one) => placesOf(text, one)),
  );
  for (const one of given)
    if (!one.secret)
      pieces = pieces.flatMap((piece) => ('by' in piece ? [piece] : cut(piece.text, placesOf(piece.text, one))));
  return pieces;
}

export function replaced(text: string, replacements: readonly Replacement[]): string {
  return piecesReplaced(text, replacements)
    .map((one) => ('by' in one ? one.by : one.text))
    .join('');
}

/** Of a secret also those that overlap themselves, as "abab" does in "ababab". */
function placesOf(text: string, { value, by, secret = false, alone = false }: Replacement): Range[] {
  const places: Range[] = [];
  let from = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, from)) {
    const to = at + value.length;
    from = secret ? at + 1 : to;
    if (alone && (LETTER.test(text[at - 1] ?? '') || LETTER.test(text[to] ?? ''))) continue;
    places.push({ from: at, to, by, length: value.length });
  }
  return places;
}

/** The text with what overlaps replaced as one. */
function cut(text: string, places: readonly Range[]): TextPiece[] {
  const whole: Range[] = [];
  for (const place of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = whole.at(-1);
    if (!last || place.from >= last.to) whole.push({ ...place });
    else {
      last.to = Math.max(last.to, place.to);
      if (place.length > last.length) [last.by, last.length] = [place.by, place.length];
    }
  }
  const pieces: TextPiece[] = [];
  let kept = 0;
  for (const { from, to, by } of whole) {
    pieces.push({ text: text.slice(kept, from) }, { by });
    kept = to;
  }
  return [...pieces, { text: text.slice(kept) }];
}
