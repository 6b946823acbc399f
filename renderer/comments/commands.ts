import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

/** Commands of comments, heard wherever a recording is open. */
const comment = commandsIn('annotate', 'comment');

export const commands: readonly CommandDefinition[] = [
  comment('write', tr('Comment on the step'), ['Shift+C'], 'say note thread'),
  comment('place', tr('Comment on a place in the picture'), ['Shift+P'], 'pin'),
  comment('answer', tr('Answer the comment'), ['Shift+A'], 'reply'),
  comment('resolve', tr('Resolve or reopen the comment'), ['Shift+S'], 'done'),
  comment('next', tr('Next unresolved comment'), ['Shift+U'], 'open thread'),
  comment('panel', tr('All comments'), ['Shift+W'], 'threads list'),
];
