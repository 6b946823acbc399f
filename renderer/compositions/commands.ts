import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const list = commandsIn('compositions');
const one = commandsIn('composition');

export const commands: readonly CommandDefinition[] = [
  ...rowCommands('compositions', tr('Next composition'), tr('Previous composition')),
  list('open', tr('Open the composition'), ['Enter'], { notInPalette: true }),
  ...rowCommands('composition', tr('Next task'), tr('Previous task')),
  one('recording', tr('Open the recording of the chosen task'), ['Enter'], 'run annotate'),
  one('task', tr('Open the chosen task'), ['T'], 'library'),
  one('nextRun', tr('Show the next run'), ['R'], 'rollout older'),
  one('previousRun', tr('Show the previous run'), ['Shift+R'], 'rollout newer'),
  one('check', tr('Check the laws again'), ['C'], 'refresh reload'),
  one('back', tr('Hide the run, or back to the list'), ['Escape']),
];
