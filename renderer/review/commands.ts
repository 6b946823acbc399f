import type { CommandDefinition } from '../ui/keys/commands.ts';

/**
 * Commands of the review page: `annotate.edit.review` while the annotation is reviewed (with the keys of annotating, to
 * fix in place), `annotate.judge` while the trajectory is judged.
 */
const review = (id: string, label: string, keys: readonly string[], words?: string): CommandDefinition => ({
  id: `review.${id}`,
  scope: 'annotate.edit.review',
  label,
  keys,
  ...(words !== undefined && { words }),
});
const judge = (id: string, label: string, keys: readonly string[], words?: string): CommandDefinition => ({
  id: `judge.${id}`,
  scope: 'annotate.judge',
  label,
  keys,
  ...(words !== undefined && { words }),
});

export const commands: readonly CommandDefinition[] = [
  review('accept', 'Accept and go on', ['Enter'], 'fix confirm take up'),
  review('next', 'Next undecided', ['Shift+Enter'], 'left'),
  review('reject', 'Reject with a reason', ['D', 'Shift+X'], 'decline wrong'),
  review('takeBack', 'Take the decision back', ['Backspace'], 'undo'),
  review('element', 'Look at the element only', ['1']),
  review('box', 'Look at the box only', ['2']),
  review('narration', 'Look at the narration only', ['3']),
  review('text', 'Look at the typed text only', ['4']),
  review('removal', 'Look at whether it is removed', ['5'], 'kept'),
  review('edge', 'Go to where the subtask begins', ['6']),
  review('title', 'Go to the title of the subtask', ['7']),
  review('verdict', 'Verdict on the whole recording', ['Shift+V'], 'approve reject send back reopen'),
  { ...review('release', 'Put it back without a verdict', ['Shift+R'], 'leave'), inDialogs: true },

  judge('accept', 'Grounded and without error, go on', ['Enter'], 'accept'),
  judge('next', 'Next step that is not judged', ['Shift+Enter']),
  judge('grounded', 'Grounded in what the screen showed', ['G']),
  judge('notGrounded', 'Not grounded', ['N']),
  judge('planning', 'Planning error', ['1']),
  judge('structural', 'Structural error', ['2']),
  judge('operational', 'Execution error: operational', ['3']),
  judge('knowledge', 'Execution error: knowledge', ['4']),
  judge('perceptual', 'Execution error: perceptual', ['5']),
  judge('recoverable', 'Recoverable: a later step makes it good', ['R']),
  judge('redundant', 'Redundant: it could have been left out', ['X'], 'needless superfluous'),
  judge('takeBack', 'Take the judgement back', ['Backspace'], 'undo'),

  {
    ...judge('toggle', 'Judge the trajectory, or review again', ['Shift+D'], 'mode grounded error'),
    scope: 'annotate',
  },
];
