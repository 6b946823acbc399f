import type { CommandDefinition } from '../app/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'recordings.search', scope: 'recordings', label: 'Search recordings', keys: ['/'], words: 'find filter' },
  { id: 'recordings.import', scope: 'recordings', label: 'Import a recording', keys: ['I'] },
  {
    id: 'recordings.down',
    scope: 'recordings',
    label: 'Next recording',
    keys: ['ArrowDown', 'J'],
    repeats: true,
    notInPalette: true,
  },
  {
    id: 'recordings.up',
    scope: 'recordings',
    label: 'Previous recording',
    keys: ['ArrowUp', 'K'],
    repeats: true,
    notInPalette: true,
  },
  {
    id: 'recordings.open',
    scope: 'recordings',
    label: 'Open the chosen recording',
    keys: ['Enter'],
    words: 'annotate',
  },
  {
    id: 'recordings.review',
    scope: 'recordings',
    label: 'Review the chosen recording',
    keys: ['V'],
    words: 'judge verdict',
  },
  {
    id: 'recordings.plan',
    scope: 'recordings',
    label: 'Choose who annotates the chosen recording',
    keys: ['P'],
    words: 'plan replicas blind review',
  },
  { id: 'recordings.export', scope: 'recordings', label: 'Export the chosen recording', keys: ['E'] },
  { id: 'recordings.remove', scope: 'recordings', label: 'Remove the chosen recording', keys: ['Delete'] },
  {
    id: 'recordings.clear',
    scope: 'recordings',
    label: 'Show all recordings again',
    keys: ['Escape'],
    words: 'clear filter',
  },
];
