import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('runs');
const live = commandsIn('live');
const arena = commandsIn('arena');
const candidates = commandsIn('candidates');
const LETTERS = ['A', 'B', 'C', 'D', 'E'];

export const commands: readonly CommandDefinition[] = [
  ...rowCommands('runs', tr('Next run'), tr('Previous run')),
  define('open', tr('Open the run'), ['Enter'], { notInPalette: true }),
  define('judge', tr('Ask judges'), ['A'], 'models verdict endpoint'),
  define('arena', tr('Rank outcomes'), ['R'], 'arena compare'),
  ...LETTERS.flatMap((letter) => [
    arena(`next${letter}`, tr('Outcome {letter} is next', { letter }), [letter], { notInPalette: true }),
    arena(`tie${letter}`, tr('Outcome {letter} is as good as the last', { letter }), [`Shift+${letter}`], {
      notInPalette: true,
    }),
  ]),
  arena('back', tr('Take the outcome that was placed last back'), ['Backspace']),
  arena('keep', tr('Keep this ranking'), ['Enter']),
  arena('undo', tr('Take the last ranking back'), ['U']),
  arena('large', tr('Large pictures'), ['L'], 'zoom'),
  arena('runs', tr('Back to the runs'), ['Escape']),
  ...rowCommands('candidates', tr('Next candidate'), tr('Previous candidate')),
  candidates('ask', tr('Ask for candidates'), ['A'], 'sample model endpoint reinforcement'),
  candidates('right', tr('The candidate is right'), ['Y'], 'yes good'),
  candidates('wrong', tr('The candidate is wrong'), ['N'], 'no bad'),
  candidates('back', tr('Take back what you said of it'), ['Backspace'], 'undo'),
  candidates('large', tr('Large pictures'), ['L'], 'zoom'),
  candidates('recording', tr('Back to the recording'), ['Escape']),
  live('begin', tr('Set the stage up and begin'), ['B'], 'start do'),
  live('task', tr('Back to the task'), ['Backspace']),
  live('stage', tr('Mouse and keyboard to the stage'), ['Enter'], 'focus hands'),
  live('take', tr('Take the run over'), ['T'], 'hands person control'),
  live('giveBack', tr('Give the run back to the agent'), ['G'], 'hands control'),
  live('answer', tr('Write your answer'), ['A'], 'reply'),
  live('done', tr('The task is done'), ['D'], 'end finish'),
  live('giveUp', tr('The task cannot be done'), ['U'], 'fail infeasible'),
  live('end', tr('End the run'), ['E'], 'finish'),
  live('stop', tr('Stop the run'), ['S']),
  live('recording', tr('Open its recording'), ['O'], 'annotate steps'),
  live('list', tr('Back to the runs'), ['Escape']),
];
