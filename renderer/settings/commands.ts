import { tr } from '../language/tr.ts';
import type { CommandDefinition } from '../ui/keys/commands.ts';

export const commands: readonly CommandDefinition[] = [
  { id: 'settings.find', scope: 'settings', label: tr('Find a command'), keys: ['/'], words: 'search keys' },
];
