import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

const define = commandsIn('members');

export const commands: readonly CommandDefinition[] = [
  define('invite', tr('Invite somebody'), ['N'], 'new member link'),
  define('token', tr('New access token'), ['T'], 'script api bearer'),
];
