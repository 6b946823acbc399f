import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'welcome.sample', scope: 'welcome', label: 'Open the sample', keys: ['O'], words: 'example demo' },
  { id: 'welcome.new', scope: 'welcome', label: 'New data set', keys: ['N'], words: 'workspace create folder' },
  { id: 'welcome.folder', scope: 'welcome', label: 'Open a folder', keys: ['F'], words: 'workspace path' },
];
