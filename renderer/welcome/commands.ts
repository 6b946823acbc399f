import { tr } from '../language/tr.ts';
import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'welcome.sample', scope: 'welcome', label: tr('Open the sample'), keys: ['O'], words: 'example demo' },
  { id: 'welcome.new', scope: 'welcome', label: tr('New workspace'), keys: ['N'], words: 'workspace create folder' },
  { id: 'welcome.folder', scope: 'welcome', label: tr('Open a folder'), keys: ['F'], words: 'workspace path' },
];
