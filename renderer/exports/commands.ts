import { tr } from '../language/tr.ts';
import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  {
    id: 'exports.start',
    scope: 'exports',
    label: tr('Start the export'),
    keys: ['Mod+Enter'],
    inFields: true,
    words: 'write run',
  },
  { id: 'exports.folder', scope: 'exports', label: tr('Change the folder'), keys: ['O'], words: 'target path out' },
  {
    id: 'exports.archive',
    scope: 'exports',
    label: tr('Share as archive'),
    keys: ['A'],
    words: 'share tar workspace version copy backup',
  },
  {
    id: 'exports.import',
    scope: 'exports',
    label: tr('Import an archive'),
    keys: ['I'],
    words: 'take tar workspace version',
  },
  { id: 'exports.dataset', scope: 'exports', label: tr('Back to the data set'), keys: ['B'], words: 'filter' },
];
