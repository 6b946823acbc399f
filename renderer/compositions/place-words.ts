/** Places where a value stands, as a person reads them. */

/** `members/meeting/outputs/time/value` as `meeting › outputs › time › value`: tasks and members by their names alone. */
export function placeWords(place: string): string {
  const [root = '', ...rest] = place.split('/');
  return (['members', 'tasks', 'events'].includes(root) ? rest : [root, ...rest]).join(' › ');
}

/** Characters of a text that are shown on each side of the value. */
const AROUND = 40;

/** The words before and after a value in a text, on one line; of a long text those that are near. */
export function pieceAround(text: string, value: string): { before: string; after: string } {
  const at = Math.max(0, text.indexOf(value));
  const before = text.slice(0, at);
  const after = text.slice(at + value.length);
  const plain = (words: string): string => words.replaceAll(/\s+/g, ' ');
  return {
    before: plain(before.length > AROUND ? `…${before.slice(-AROUND)}` : before),
    after: plain(after.length > AROUND ? `${after.slice(0, AROUND)}…` : after),
  };
}
