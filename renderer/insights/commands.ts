import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('insights');

export const commands: readonly CommandDefinition[] = [
  define('software', tr('Choose the software'), ['F'], 'filter'),
  define('kind', tr('Choose the kind of agreement'), ['M'], 'measure sort'),
  define('export', tr('Export the figures'), ['E'], 'csv json download'),
  ...rowCommands('insights', tr('Next recording'), tr('Previous recording')),
  define('open', tr('Compare the chosen recording'), ['Enter'], 'differences'),
  define('refresh', tr('Refresh'), ['R'], 'reload refresh'),
];
