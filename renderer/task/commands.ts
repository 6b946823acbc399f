import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('task');

export const commands: readonly CommandDefinition[] = [
  define('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  define('record', tr('Record this task'), ['R']),
  define('stage', tr('Do this task on a stage'), ['S'], 'person hands demonstrate'),
  define('annotate', tr('Open the chosen recording'), ['Enter'], 'annotate'),
  ...rowCommands('task', tr('Next recording'), tr('Previous recording')),
  define('import', tr('Import a recording'), ['I']),
  define('goal', tr('Edit the goal'), ['G']),
  define('notes', tr('Edit the notes'), ['N']),
  define('attach', tr('Attach material'), ['A'], 'file upload'),
  define('recipe', tr('Edit the recipe'), ['W'], 'play stage programs'),
  define('checks', tr('Edit the checks'), ['C'], 'success done'),
  define('close', tr('Close or reopen the task'), ['X']),
  define('review', tr('Review the chosen recording'), ['V'], 'judge verdict'),
  define('play', tr('Play the chosen recording again'), ['Y'], 'run'),
  define('plan', tr('Choose who annotates the chosen recording'), ['P'], 'plan replicas blind review'),
  define('assign', tr('Assign the chosen recording'), ['Shift+A'], 'person due who work'),
  define('export', tr('Export the chosen recording'), ['E']),
  define('skill', tr('Export as skill'), ['T'], 'agent teach demonstration'),
  define('remove', tr('Remove the chosen recording'), ['Delete']),
  define('removeTask', tr('Remove the task'), ['Shift+Delete']),
];
