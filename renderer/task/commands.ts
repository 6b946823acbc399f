import { tr } from '../language/tr.ts';
import { type CommandDefinition, rowCommands } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'task.undo', scope: 'task', label: tr('Undo what was just done'), keys: ['Mod+Z'], words: 'take back' },
  { id: 'task.record', scope: 'task', label: tr('Record this task'), keys: ['R'] },
  { id: 'task.annotate', scope: 'task', label: tr('Open the chosen recording'), keys: ['Enter'], words: 'annotate' },
  ...rowCommands('task', tr('Next recording'), tr('Previous recording')),
  { id: 'task.import', scope: 'task', label: tr('Import a recording'), keys: ['I'] },
  { id: 'task.goal', scope: 'task', label: tr('Edit the goal'), keys: ['G'] },
  { id: 'task.notes', scope: 'task', label: tr('Edit the notes'), keys: ['N'] },
  { id: 'task.attach', scope: 'task', label: tr('Attach material'), keys: ['A'], words: 'file upload' },
  { id: 'task.recipe', scope: 'task', label: tr('Edit the recipe'), keys: ['W'], words: 'play stage programs' },
  { id: 'task.checks', scope: 'task', label: tr('Edit the checks'), keys: ['C'], words: 'success done' },
  { id: 'task.close', scope: 'task', label: tr('Close or reopen the task'), keys: ['X'] },
  {
    id: 'task.review',
    scope: 'task',
    label: tr('Review the chosen recording'),
    keys: ['V'],
    words: 'judge verdict',
  },
  { id: 'task.play', scope: 'task', label: tr('Play the chosen recording again'), keys: ['Y'], words: 'run' },
  {
    id: 'task.plan',
    scope: 'task',
    label: tr('Choose who annotates the chosen recording'),
    keys: ['P'],
    words: 'plan replicas blind review',
  },
  { id: 'task.export', scope: 'task', label: tr('Export the chosen recording'), keys: ['E'] },
  { id: 'task.remove', scope: 'task', label: tr('Remove the chosen recording'), keys: ['Delete'] },
  { id: 'task.removeTask', scope: 'task', label: tr('Remove the task'), keys: ['Shift+Delete'] },
];
