import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'insights.software', scope: 'insights', label: 'Choose the software', keys: ['F'], words: 'filter' },
  { id: 'insights.kind', scope: 'insights', label: 'Choose the kind of agreement', keys: ['M'], words: 'measure sort' },
  { id: 'insights.export', scope: 'insights', label: 'Export the figures', keys: ['E'], words: 'csv json download' },
  {
    id: 'insights.down',
    scope: 'insights',
    label: 'Next recording',
    keys: ['ArrowDown', 'J'],
    repeats: true,
    notInPalette: true,
  },
  {
    id: 'insights.up',
    scope: 'insights',
    label: 'Previous recording',
    keys: ['ArrowUp', 'K'],
    repeats: true,
    notInPalette: true,
  },
  {
    id: 'insights.open',
    scope: 'insights',
    label: 'Compare the chosen recording',
    keys: ['Enter'],
    words: 'differences',
  },
  { id: 'insights.refresh', scope: 'insights', label: 'Refresh', keys: ['R'], words: 'reload refresh' },
];
