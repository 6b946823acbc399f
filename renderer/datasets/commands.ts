import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('dataset');

export const commands: readonly CommandDefinition[] = [
  define('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  define('views', tr('Saved views'), ['Shift+V'], 'filter order columns save bookmark'),
  define('columns', tr('Columns of the list'), ['Shift+C'], 'show hide table'),
  define('search', tr('Search the data set'), ['/'], 'find filter words'),
  define('moreFilters', tr('More filters'), ['M'], 'filter tags person'),
  ...rowCommands('dataset', tr('Next row'), tr('Previous row')),
  define('select', tr('Select or unselect the row'), ['Space', 'X'], { notInPalette: true }),
  define('selectAll', tr('Select every row shown'), ['Mod+A']),
  define('open', tr('Open the row’s recording'), ['Enter'], 'annotate'),
  define('tag', tr('Tag the selected recordings'), ['T'], 'label mark'),
  define('split', tr('Assign a split to the selected tasks'), ['S'], 'train test'),
  define('rule', tr('Split automatically'), ['R'], 'train test shares seed stratified'),
  define('leaks', tr('Check for leakage'), ['L'], 'contamination splits'),
  define('freeze', tr('Freeze a version'), ['F'], 'release snapshot'),
  define('terms', tr('Licence, citation and sources'), ['C'], 'license cite card spdx'),
  define('export', tr('Export what is shown'), ['E']),
  define('clear', tr('Clear the selection, then the filters'), ['Escape'], 'reset filter'),
  define('rows', tr('Data set: recordings'), ['1'], 'table rows'),
  define('statistics', tr('Data set: statistics'), ['2'], 'plots figures'),
  define('duplicates', tr('Data set: near duplicates'), ['3'], 'similar'),
  define('versions', tr('Data set: versions'), ['4'], 'frozen compare'),
];
