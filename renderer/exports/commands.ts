import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

const define = commandsIn('exports');

export const commands: readonly CommandDefinition[] = [
  define('start', tr('Start the export'), ['Mod+Enter'], { inFields: true, words: 'write run' }),
  define('unapproved', tr('Include unapproved recordings, or not'), ['U'], 'every state all work in progress'),
  define('folder', tr('Change the folder'), ['O'], 'target path out'),
  define('archive', tr('Share as archive'), ['A'], 'share tar workspace version copy backup'),
  define('import', tr('Import an archive'), ['I'], 'take tar workspace version'),
  define('dataset', tr('Back to the data set'), ['B'], 'filter'),
];
