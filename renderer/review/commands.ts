import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

/**
 * Commands of the review page: `annotate.edit.review` while the annotation is reviewed (with the keys of annotating, to
 * fix in place), `annotate.judge` while the trajectory is judged.
 */
const review = commandsIn('annotate.edit.review', 'review');
const judge = commandsIn('annotate.judge', 'judge');

export const commands: readonly CommandDefinition[] = [
  review('accept', tr('Accept and continue'), ['Enter'], 'fix confirm take up'),
  review('next', tr('Next undecided'), ['Shift+Enter'], 'left'),
  review('reject', tr('Reject with a reason'), ['D', 'Shift+X'], 'decline wrong'),
  review('takeBack', tr('Undo the decision'), ['Backspace'], 'undo'),
  review('element', tr('Look at the element only'), ['1']),
  review('box', tr('Look at the box only'), ['2']),
  review('narration', tr('Look at the narration only'), ['3']),
  review('text', tr('Look at the typed text only'), ['4']),
  review('removal', tr('Look at whether it is removed'), ['5'], 'kept'),
  review('edge', tr('Go to where the subtask begins'), ['6']),
  review('title', tr('Go to the title of the subtask'), ['7']),
  review('verdict', tr('Verdict on the whole recording'), ['Shift+V'], 'approve reject send back reopen'),
  review('finish', tr('Approve, or send back, what is all decided'), ['Mod+Enter'], 'verdict'),
  review('release', tr('Release without a verdict'), ['Shift+R'], { words: 'leave', inDialogs: true }),

  judge('accept', tr('Grounded, no error; continue'), ['Enter'], 'accept'),
  judge('next', tr('Next step that is not judged'), ['Shift+Enter']),
  judge('grounded', tr('Grounded in what the screen showed'), ['G']),
  judge('notGrounded', tr('Not grounded'), ['N']),
  judge('planning', tr('Planning error'), ['1']),
  judge('structural', tr('Structural error'), ['2']),
  judge('operational', tr('Execution error: operational'), ['3']),
  judge('knowledge', tr('Execution error: knowledge'), ['4']),
  judge('perceptual', tr('Execution error: perceptual'), ['5']),
  judge('recoverable', tr('Recoverable: a later step makes it good'), ['R']),
  judge('redundant', tr('Redundant: it could have been left out'), ['X'], 'needless superfluous'),
  judge('takeBack', tr('Undo the judgement'), ['Backspace'], 'undo'),

  judge('toggle', tr('Judge the trajectory, or review again'), ['Shift+D'], {
    scope: 'annotate',
    words: 'mode grounded error',
  }),
];
