import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn, rowCommands } from '../ui/keys/commands.ts';

const define = commandsIn('play');

export const commands: readonly CommandDefinition[] = [
  define('start', tr('Play the recording again'), ['P'], 'run perform prove'),
  define('verify', tr('Verify: prove that it works again'), ['V'], 'proven checks prove'),
  define('stop', tr('Stop the play'), ['S']),
  ...rowCommands('play', tr('Next step'), tr('Previous step')),
  define('first', tr('First step'), ['Home'], { notInPalette: true }),
  define('last', tr('Last step'), ['End'], { notInPalette: true }),
  define('odd', tr('Next step that went differently'), ['N'], 'different moved'),
  define('when', tr('Before or after the step'), ['B']),
  define('view', tr('Both pictures, or one at a time'), ['F'], 'flip large side'),
  define('newer', tr('Newer play'), ['[']),
  define('older', tr('Older play'), [']']),
  define('recording', tr('Back to the recording'), ['Escape'], 'annotate'),
  {
    id: 'annotate.playAgain',
    scope: 'annotate.edit.work',
    label: tr('Play the recording again'),
    keys: ['Shift+Y'],
    words: 'run perform prove',
  },
];
