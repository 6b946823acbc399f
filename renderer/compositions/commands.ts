import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const list = commandsIn('compositions');
const one = commandsIn('composition');
const edit = commandsIn('compose');
const queue = commandsIn('verification');
const verify = commandsIn('verify');

export const commands: readonly CommandDefinition[] = [
  ...rowCommands('compositions', tr('Next composition'), tr('Previous composition')),
  list('open', tr('Open the composition'), ['Enter'], { notInPalette: true }),
  list('new', tr('New composition'), ['N'], 'make add create pathway scenario'),
  list('edit', tr('Edit the chosen composition'), ['E'], 'change write'),
  list('remove', tr('Delete the chosen composition'), ['Delete'], 'remove'),
  list('verify', tr('Show what you can verify'), ['V'], 'verification queue'),
  list('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  ...rowCommands('composition', tr('Next task'), tr('Previous task')),
  one('recording', tr('Open the recording of the chosen task'), ['Enter'], 'run annotate'),
  one('task', tr('Open the chosen task'), ['T'], 'library'),
  one('nextRun', tr('Show the next run'), ['R'], 'rollout older'),
  one('previousRun', tr('Show the previous run'), ['Shift+R'], 'rollout newer'),
  one('edit', tr('Edit the composition'), ['E'], 'change write'),
  one('verify', tr('Verify the composition'), ['V'], 'verification stages blind'),
  one('instances', tr('Make instances of the composition'), ['I'], 'template values seed'),
  one('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  one('check', tr('Check the laws again'), ['C'], 'refresh reload'),
  one('back', tr('Hide the run, or back to the list'), ['Escape']),
  ...rowCommands('compose', tr('Next task or event'), tr('Previous task or event')),
  edit('fields', tr('Go to the fields of the chosen task or event'), ['Enter'], { notInPalette: true }),
  edit('add', tr('Add tasks of the library'), ['A'], 'member insert'),
  edit('make', tr('Add a task that the library does not have yet'), ['N'], 'new member'),
  edit('moveDown', tr('Move the chosen task or event down'), ['Shift+ArrowDown', 'Shift+J'], {
    repeats: true,
    words: 'reorder',
  }),
  edit('moveUp', tr('Move the chosen task or event up'), ['Shift+ArrowUp', 'Shift+K'], {
    repeats: true,
    words: 'reorder',
  }),
  edit('remove', tr('Take the chosen task or event out'), ['Delete', 'X'], 'remove'),
  edit('join', tr('Join the chosen task to another one'), ['L'], 'edge link connect after'),
  edit('slot', tr('Put an earlier answer into the text'), ['Mod+J'], { inFields: true, words: 'slot value' }),
  edit('event', tr('Add something that happens by itself'), ['E'], 'event mail file notification service'),
  edit('happening', tr('Add another that may happen to the chosen event'), ['H'], 'seed draw'),
  edit('output', tr('Add an output to the chosen task'), ['O'], 'answer'),
  edit('platform', tr('Add a platform to the chosen task'), ['P'], 'application'),
  edit('take', tr('Add a file or folder of an earlier task to the chosen task'), ['F'], 'stage home hand over'),
  edit('given', tr('Add a value that is known before the first task'), ['G'], 'given varies template'),
  edit('stage', tr('Add a stage'), ['S'], 'desktop platform'),
  edit('save', tr('Save the composition'), ['Mod+S'], { inFields: true, words: 'store keep' }),
  edit('undo', tr('Undo'), ['Mod+Z'], { inFields: true, repeats: true }),
  edit('redo', tr('Redo'), ['Mod+Shift+Z', 'Mod+Y'], { inFields: true, repeats: true }),
  edit('back', tr('Back to the list of tasks, or to the composition'), ['Escape']),
  ...rowCommands('verification', tr('Next one to verify'), tr('Previous one to verify')),
  queue('open', tr('Open what is chosen'), ['Enter'], { notInPalette: true }),
  queue('back', tr('Back to the compositions'), ['Escape']),
  verify('design', tr('Take the design'), ['1'], 'claim stage'),
  verify('independent', tr('Take the independent verification'), ['2'], 'claim stage'),
  verify('blind', tr('Take the blind assessment'), ['3'], 'claim stage'),
  verify('fields', tr('Go to the answers'), ['Enter'], { notInPalette: true }),
  verify('submit', tr('Hand in the answers'), ['Mod+Enter'], { inFields: true, words: 'submit' }),
  verify('release', tr('Give back what you have in hand'), ['Shift+X'], 'release'),
  verify('open', tr('Open the composition'), ['O']),
  verify('undo', tr('Undo what was just done'), ['Mod+Z'], 'take back'),
  verify('back', tr('Back to what you can verify'), ['Escape']),
];
