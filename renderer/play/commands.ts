import { tr } from '../language/tr.ts';
import { type CommandDefinition, rowCommands } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'play.start', scope: 'play', label: tr('Play the recording again'), keys: ['P'], words: 'run perform prove' },
  {
    id: 'play.verify',
    scope: 'play',
    label: tr('Verify: prove that it works again'),
    keys: ['V'],
    words: 'proven checks prove',
  },
  { id: 'play.stop', scope: 'play', label: tr('Stop the play'), keys: ['S'] },
  ...rowCommands('play', tr('Next step'), tr('Previous step')),
  { id: 'play.first', scope: 'play', label: tr('First step'), keys: ['Home'], notInPalette: true },
  { id: 'play.last', scope: 'play', label: tr('Last step'), keys: ['End'], notInPalette: true },
  {
    id: 'play.odd',
    scope: 'play',
    label: tr('Next step that went differently'),
    keys: ['N'],
    words: 'different moved',
  },
  { id: 'play.when', scope: 'play', label: tr('Before or after the step'), keys: ['B'] },
  {
    id: 'play.view',
    scope: 'play',
    label: tr('Both pictures, or one at a time'),
    keys: ['F'],
    words: 'flip large side',
  },
  { id: 'play.newer', scope: 'play', label: tr('Newer play'), keys: ['['] },
  { id: 'play.older', scope: 'play', label: tr('Older play'), keys: [']'] },
  { id: 'play.recording', scope: 'play', label: tr('Back to the recording'), keys: ['Escape'], words: 'annotate' },
  {
    id: 'annotate.playAgain',
    scope: 'annotate.edit.work',
    label: tr('Play the recording again'),
    keys: ['Shift+Y'],
    words: 'run perform prove',
  },
];
