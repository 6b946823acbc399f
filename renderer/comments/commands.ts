import type { CommandDefinition } from '../ui/keys/commands.ts';

/** Commands of comments, heard wherever a recording is open. */
const comment = (id: string, label: string, keys: readonly string[], words?: string): CommandDefinition => ({
  id: `comment.${id}`,
  scope: 'annotate',
  label,
  keys,
  ...(words !== undefined && { words }),
});

export const commands: readonly CommandDefinition[] = [
  comment('write', 'Comment on the step', ['Shift+C'], 'say note thread'),
  comment('place', 'Comment on a place in the picture', ['Shift+P'], 'pin'),
  comment('answer', 'Answer the comment', ['Shift+A'], 'reply'),
  comment('resolve', 'Resolve or reopen the comment', ['Shift+S'], 'done'),
  comment('next', 'Next unresolved comment', ['Shift+U'], 'open thread'),
  comment('panel', 'All comments', ['Shift+W'], 'threads list'),
];
