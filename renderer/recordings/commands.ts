import { tr } from '../language/tr.ts';
import { type CommandDefinition, rowCommands } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  {
    id: 'recordings.undo',
    scope: 'recordings',
    label: tr('Undo what was just done'),
    keys: ['Mod+Z'],
    words: 'take back',
  },
  {
    id: 'recordings.views',
    scope: 'recordings',
    label: tr('Saved views'),
    keys: ['Shift+V'],
    words: 'filter order save bookmark',
  },
  { id: 'recordings.search', scope: 'recordings', label: tr('Search recordings'), keys: ['/'], words: 'find filter' },
  { id: 'recordings.import', scope: 'recordings', label: tr('Import a recording'), keys: ['I'] },
  ...rowCommands('recordings', tr('Next recording'), tr('Previous recording')),
  {
    id: 'recordings.select',
    scope: 'recordings',
    label: tr('Select or unselect the recording'),
    keys: ['Space', 'X'],
    notInPalette: true,
  },
  { id: 'recordings.selectAll', scope: 'recordings', label: tr('Select every recording shown'), keys: ['Mod+A'] },
  {
    id: 'recordings.dataset',
    scope: 'recordings',
    label: tr('Show the selected recordings in the data set'),
    keys: ['D'],
    words: 'tag split',
  },
  {
    id: 'recordings.open',
    scope: 'recordings',
    label: tr('Open the chosen recording'),
    keys: ['Enter'],
    words: 'annotate',
  },
  {
    id: 'recordings.review',
    scope: 'recordings',
    label: tr('Review the chosen recording'),
    keys: ['V'],
    words: 'judge verdict',
  },
  {
    id: 'recordings.plan',
    scope: 'recordings',
    label: tr('Choose who annotates the chosen recording'),
    keys: ['P'],
    words: 'plan replicas blind review',
  },
  {
    id: 'recordings.play',
    scope: 'recordings',
    label: tr('Play the chosen recording again'),
    keys: ['Y'],
    words: 'run',
  },
  { id: 'recordings.export', scope: 'recordings', label: tr('Export the chosen recording'), keys: ['E'] },
  { id: 'recordings.remove', scope: 'recordings', label: tr('Remove the chosen recording'), keys: ['Delete'] },
  {
    id: 'recordings.clear',
    scope: 'recordings',
    label: tr('Clear the filters of recordings'),
    keys: ['Escape'],
    words: 'clear filter',
  },
];
