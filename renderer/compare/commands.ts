import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

/**
 * Commands of comparing and adjudicating. They are heard together with those that look at pictures (`annotate`) and, for who
 * adjudicates, with those that write in the document (`annotate.edit`): a third value is written with the same keys.
 */
const define = commandsIn('annotate.edit.compare', 'compare');

/** One for each document that can be compared at once. */
export const SIDE_KEYS = ['1', '2', '3', '4', '5', '6'] as const;

export const commands: readonly CommandDefinition[] = [
  ...SIDE_KEYS.map((key, place) =>
    define(
      `side${key}`,
      tr('Take the side of {letter} and continue', { letter: String.fromCharCode(65 + place) }),
      [key],
      'settle adjudicate',
    ),
  ),
  define('settle', tr('Settle with the value as it stands and continue'), ['Enter'], 'accept third adjudicate'),
  define('third', tr('Write a third value'), ['F2'], 'edit own adjudicate'),
  define('next', tr('Next difference that is not settled'), ['Shift+Enter'], 'open left'),
  define('takeBack', tr('Undo the decision'), ['Backspace'], 'undo'),
  define('claim', tr('Start adjudication'), ['C'], 'claim begin'),
  define('release', tr('Release without a verdict'), ['Shift+R'], 'leave release'),
  define('approve', tr('Approve what was adjudicated'), ['Shift+V'], 'verdict finish done'),
  define('kind', tr('Show one kind of difference'), ['F'], 'filter'),
  define('onlyOpen', tr('Show only what is not settled, or all'), ['D'], 'filter left'),
  define('figures', tr('Show or hide the agreement'), ['A'], 'kappa iou interval'),
];
