import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('work');

export const commands: readonly CommandDefinition[] = [
  ...rowCommands('work', tr('Next work item'), tr('Previous work item')),
  define('open', tr('Open the highlighted work item'), ['Enter'], 'begin start continue'),
  define('assign', tr('Assign the highlighted work item'), ['Shift+A'], 'person due who'),
  define('server', tr('Team server'), ['T'], 'connect push send desktop'),
  define('policy', tr('Review policy'), ['R'], 'policy replicas checks'),
];
