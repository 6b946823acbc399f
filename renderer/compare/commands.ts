import type { CommandDefinition } from '../ui/keys/commands.ts';

/**
 * Commands of comparing and adjudicating. They are heard together with those that look at pictures (`annotate`) and, for who
 * adjudicates, with those that write in the document (`annotate.edit`): a third value is written with the same keys.
 */
const define = (id: string, label: string, keys: readonly string[], words?: string): CommandDefinition => ({
  id: `compare.${id}`,
  scope: 'annotate.edit.compare',
  label,
  keys,
  ...(words !== undefined && { words }),
});

/** One for each document that can be compared at once. */
export const SIDE_KEYS = ['1', '2', '3', '4', '5', '6'] as const;

export const commands: readonly CommandDefinition[] = [
  ...SIDE_KEYS.map((key, place) =>
    define(`side${key}`, `Take the side of ${String.fromCharCode(65 + place)} and go on`, [key], 'settle adjudicate'),
  ),
  define('settle', 'Settle with the value as it stands, and go on', ['Enter'], 'accept third adjudicate'),
  define('third', 'Write a third value', ['F2'], 'edit own adjudicate'),
  define('next', 'Next difference that is not settled', ['Shift+Enter'], 'open left'),
  define('takeBack', 'Take the settling back', ['Backspace'], 'undo'),
  define('claim', 'Take it up for adjudication', ['C'], 'claim begin'),
  define('release', 'Put it back without a verdict', ['Shift+R'], 'leave release'),
  define('approve', 'Approve what was adjudicated', ['Shift+V'], 'verdict finish done'),
  define('kind', 'Show one kind of difference', ['F'], 'filter'),
  define('onlyOpen', 'Show only what is not settled, or all', ['D'], 'filter left'),
  define('figures', 'Show or hide the agreement', ['A'], 'kappa iou interval'),
];
