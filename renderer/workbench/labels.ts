import { english, tr } from '../language/tr.ts';

/** The main document's name in a label that is kept. */
export const MAIN_DOCUMENT = english('Main document');

/** How the label of a gesture begins that undoes a decision: what it writes counts as not written. */
const UNDONE = 'Undo decision';
const MANY = /^Remove (\d+) steps$/;
const TAKEN = /^Take ([A-Z]) \((.*)\): (.*)$/s;
const BACK = /^Undo decision: (.*)$/s;

/** The labels of an adjudicator's gestures, as a workspace keeps them: `Take B (Ben): Box`. */
export const takenLabel = (place: string, side: string, difference: string): string =>
  `Take ${place} (${side.slice(0, 100)}): ${difference}`;
export const undoneLabel = (difference: string): string => `${UNDONE}: ${difference}`;
export const isUndone = (label: string): boolean => label.startsWith(UNDONE);

/** What a gesture did, in the language shown: the workspace keeps it in English. */
export function labelWords(label: string): string {
  const many = MANY.exec(label);
  if (many) return tr('Remove {chosen} steps', { chosen: Number(many[1]) });
  const [, place, side = '', taken = ''] = TAKEN.exec(label) ?? [];
  if (place !== undefined) {
    return tr('Take {place} ({side}): {difference}', {
      place,
      side: side === MAIN_DOCUMENT ? tr(MAIN_DOCUMENT) : side,
      difference: tr(taken),
    });
  }
  const undone = BACK.exec(label)?.[1];
  return undone === undefined ? tr(label) : tr('Undo decision: {difference}', { difference: tr(undone) });
}
