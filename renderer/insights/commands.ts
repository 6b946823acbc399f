import { tr } from '../language/tr.ts';
import { type CommandDefinition, rowCommands } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'insights.software', scope: 'insights', label: tr('Choose the software'), keys: ['F'], words: 'filter' },
  {
    id: 'insights.kind',
    scope: 'insights',
    label: tr('Choose the kind of agreement'),
    keys: ['M'],
    words: 'measure sort',
  },
  {
    id: 'insights.export',
    scope: 'insights',
    label: tr('Export the figures'),
    keys: ['E'],
    words: 'csv json download',
  },
  ...rowCommands('insights', tr('Next recording'), tr('Previous recording')),
  {
    id: 'insights.open',
    scope: 'insights',
    label: tr('Compare the chosen recording'),
    keys: ['Enter'],
    words: 'differences',
  },
  { id: 'insights.refresh', scope: 'insights', label: tr('Refresh'), keys: ['R'], words: 'reload refresh' },
];
