import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

const define = commandsIn('welcome');

export const commands: readonly CommandDefinition[] = [
  define('sample', tr('Open the sample'), ['O'], 'example demo'),
  define('new', tr('New workspace'), ['N'], 'workspace create folder'),
  define('folder', tr('Open a folder'), ['F'], 'workspace path'),
];
