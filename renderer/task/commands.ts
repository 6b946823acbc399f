import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'task.record', scope: 'task', label: 'Record this task', keys: ['R'] },
  { id: 'task.annotate', scope: 'task', label: 'Open the chosen recording', keys: ['Enter'], words: 'annotate' },
  {
    id: 'task.down',
    scope: 'task',
    label: 'Next recording',
    keys: ['ArrowDown', 'J'],
    repeats: true,
    notInPalette: true,
  },
  {
    id: 'task.up',
    scope: 'task',
    label: 'Previous recording',
    keys: ['ArrowUp', 'K'],
    repeats: true,
    notInPalette: true,
  },
  { id: 'task.import', scope: 'task', label: 'Import a recording', keys: ['I'] },
  { id: 'task.goal', scope: 'task', label: 'Edit the goal', keys: ['G'] },
  { id: 'task.notes', scope: 'task', label: 'Edit the notes', keys: ['N'] },
  { id: 'task.attach', scope: 'task', label: 'Attach material', keys: ['A'], words: 'file upload' },
  { id: 'task.close', scope: 'task', label: 'Close or reopen the task', keys: ['X'] },
  {
    id: 'task.review',
    scope: 'task',
    label: 'Review the chosen recording',
    keys: ['V'],
    words: 'judge verdict',
  },
  {
    id: 'task.plan',
    scope: 'task',
    label: 'Choose who annotates the chosen recording',
    keys: ['P'],
    words: 'plan replicas blind review',
  },
  { id: 'task.export', scope: 'task', label: 'Export the chosen recording', keys: ['E'] },
  { id: 'task.remove', scope: 'task', label: 'Remove the chosen recording', keys: ['Delete'] },
  { id: 'task.removeTask', scope: 'task', label: 'Remove the task', keys: ['Shift+Delete'] },
];
