import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

const define = commandsIn('settings');

export const commands: readonly CommandDefinition[] = [define('find', tr('Find a command'), ['/'], 'search keys')];
