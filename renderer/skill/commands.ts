import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

const define = commandsIn('skill');

export const commands: readonly CommandDefinition[] = [
  define('write', tr('Write the skill'), ['Mod+Enter'], { inFields: true, words: 'export save folder' }),
  define('teach', tr('Teach another example'), ['R'], 'record recording again'),
  define('name', tr('Name of the skill'), ['N']),
  define('task', tr('Back to the task'), ['Escape']),
];
