import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('recordings');

export const commands: readonly CommandDefinition[] = [
  define('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  define('views', tr('Saved views'), ['Shift+V'], 'filter order columns save bookmark'),
  define('columns', tr('Columns of the list'), ['Shift+C'], 'show hide table'),
  define('search', tr('Search recordings'), ['/'], 'find filter'),
  define('import', tr('Import a recording'), ['I']),
  ...rowCommands('recordings', tr('Next recording'), tr('Previous recording')),
  define('select', tr('Select or unselect the recording'), ['Space', 'X'], { notInPalette: true }),
  define('selectAll', tr('Select every recording shown'), ['Mod+A']),
  define('dataset', tr('Show the selected recordings in the data set'), ['D'], 'tag split'),
  define('open', tr('Open the chosen recording'), ['Enter'], 'annotate'),
  define('review', tr('Review the chosen recording'), ['V'], 'judge verdict'),
  define('plan', tr('Choose who annotates the chosen recording'), ['P'], 'plan replicas blind review'),
  define('assign', tr('Assign the selected recordings'), ['Shift+A'], 'person due who work'),
  define('play', tr('Play the chosen recording again'), ['Y'], 'run'),
  define('candidates', tr('Candidates of its steps'), ['C'], 'sample model reinforcement reward'),
  define('export', tr('Export the chosen recording'), ['E']),
  define('skill', tr('Export as skill'), ['T'], 'agent teach demonstration'),
  define('remove', tr('Remove the chosen recording'), ['Delete']),
  define('clear', tr('Clear the filters of recordings'), ['Escape'], 'clear filter'),
];
