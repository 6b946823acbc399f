import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('runs');
const live = commandsIn('live');

export const commands: readonly CommandDefinition[] = [
  ...rowCommands('runs', tr('Next run'), tr('Previous run')),
  define('open', tr('Open the run'), ['Enter'], { notInPalette: true }),
  live('begin', tr('Set the stage up and begin'), ['B'], 'start do'),
  live('task', tr('Back to the task'), ['Backspace']),
  live('stage', tr('Mouse and keyboard to the stage'), ['Enter'], 'focus hands'),
  live('take', tr('Take the run over'), ['T'], 'hands person control'),
  live('giveBack', tr('Give the run back to the agent'), ['G'], 'hands control'),
  live('done', tr('The task is done'), ['D'], 'end finish'),
  live('giveUp', tr('The task cannot be done'), ['U'], 'fail infeasible'),
  live('end', tr('End the run'), ['E'], 'finish'),
  live('stop', tr('Stop the run'), ['S']),
  live('recording', tr('Open its recording'), ['O'], 'annotate steps'),
  live('list', tr('Back to the runs'), ['Escape']),
];
