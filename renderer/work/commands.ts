import type { CommandDefinition } from '../ui/keys/commands.ts';

const moving = { scope: 'work', repeats: true, notInPalette: true } as const;

export const commands: readonly CommandDefinition[] = [
  { id: 'work.down', label: 'Next piece of work', keys: ['ArrowDown', 'J'], ...moving },
  { id: 'work.up', label: 'Previous piece of work', keys: ['ArrowUp', 'K'], ...moving },
  { id: 'work.open', scope: 'work', label: 'Open the chosen piece of work', keys: ['Enter'], words: 'begin go on' },
  { id: 'work.policy', scope: 'work', label: 'Review policy', keys: ['R'], words: 'policy replicas checks' },
];
