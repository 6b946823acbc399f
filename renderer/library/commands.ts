import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('library');

export const commands: readonly CommandDefinition[] = [
  define('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  define('views', tr('Saved views'), ['Shift+V'], 'filter order columns save bookmark'),
  define('columns', tr('Columns of the list'), ['Shift+C'], 'show hide table'),
  define('search', tr('Search tasks'), ['/'], 'find filter'),
  define('new', tr('New task'), ['N'], 'add create'),
  define('table', tr('Tasks from a table (CSV)'), ['T'], 'import spreadsheet excel csv many'),
  define('software', tr('Add software'), ['S'], 'application new'),
  define('people', tr('People'), ['P'], 'annotator add person'),
  define('import', tr('Import a recording'), ['I'], 'folder archive'),
  ...rowCommands('library', tr('Next task'), tr('Previous task')),
  define('first', tr('First task'), ['Home'], { notInPalette: true }),
  define('last', tr('Last task'), ['End'], { notInPalette: true }),
  define('pageDown', tr('A page of tasks down'), ['PageDown'], { repeats: true, notInPalette: true }),
  define('pageUp', tr('A page of tasks up'), ['PageUp'], { repeats: true, notInPalette: true }),
  define('select', tr('Select or unselect the task'), ['Space', 'X'], { notInPalette: true }),
  define('selectAll', tr('Select every task shown'), ['Mod+A']),
  define('close', tr('Close or reopen the selected tasks'), ['C'], 'archive'),
  define('assign', tr('Assign the recordings of the selected tasks'), ['Shift+A'], 'person due who work'),
  define('dataset', tr('Show the selected tasks in the data set'), ['D'], 'tag split'),
  define('open', tr('Open the chosen task'), ['Enter']),
  define('record', tr('Record the chosen task'), ['R']),
  define('clear', tr('Clear the filters of tasks'), ['Escape'], 'clear filter reset'),
];
