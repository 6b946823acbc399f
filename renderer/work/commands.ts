import { tr } from '../language/tr.ts';
import type { CommandDefinition } from '../ui/keys/commands.ts';

const moving = { scope: 'work', repeats: true, notInPalette: true } as const;

export const commands: readonly CommandDefinition[] = [
  { id: 'work.down', label: tr('Next work item'), keys: ['ArrowDown', 'J'], ...moving },
  { id: 'work.up', label: tr('Previous work item'), keys: ['ArrowUp', 'K'], ...moving },
  {
    id: 'work.open',
    scope: 'work',
    label: tr('Open the highlighted work item'),
    keys: ['Enter'],
    words: 'begin start continue',
  },
  { id: 'work.policy', scope: 'work', label: tr('Review policy'), keys: ['R'], words: 'policy replicas checks' },
];
