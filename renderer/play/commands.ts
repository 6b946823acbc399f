import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'play.start', scope: 'play', label: 'Play the recording again', keys: ['P'], words: 'run perform prove' },
  { id: 'play.stop', scope: 'play', label: 'Stop the play', keys: ['S'] },
  { id: 'play.down', scope: 'play', label: 'Next step', keys: ['ArrowDown', 'J'], repeats: true, notInPalette: true },
  { id: 'play.up', scope: 'play', label: 'Previous step', keys: ['ArrowUp', 'K'], repeats: true, notInPalette: true },
  { id: 'play.first', scope: 'play', label: 'First step', keys: ['Home'], notInPalette: true },
  { id: 'play.last', scope: 'play', label: 'Last step', keys: ['End'], notInPalette: true },
  { id: 'play.odd', scope: 'play', label: 'Next step that went differently', keys: ['N'], words: 'different moved' },
  { id: 'play.when', scope: 'play', label: 'Before or after the step', keys: ['B'] },
  { id: 'play.view', scope: 'play', label: 'Both pictures, or one at a time', keys: ['F'], words: 'flip large side' },
  { id: 'play.newer', scope: 'play', label: 'Newer play', keys: ['['] },
  { id: 'play.older', scope: 'play', label: 'Older play', keys: [']'] },
  { id: 'play.recording', scope: 'play', label: 'Back to the recording', keys: ['Escape'], words: 'annotate' },
  {
    id: 'annotate.playAgain',
    scope: 'annotate.edit.work',
    label: 'Play the recording again',
    keys: ['Shift+Y'],
    words: 'run perform prove',
  },
];
