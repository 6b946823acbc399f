import { tr } from '../language/tr.ts';
import type { CommandDefinition } from '../ui/keys/commands.ts';

/**
 * Every command there is, so that the list of keys and the settings show them all, whichever page is open: each page keeps
 * its own in `<page>/commands.ts` as `commands` (plain data, no imports of the page), and they are gathered here by name.
 */
const files: Record<string, { commands?: readonly CommandDefinition[] }> = import.meta.glob('../*/commands.ts', {
  eager: true,
});

const GLOBAL: readonly CommandDefinition[] = [
  {
    id: 'app.palette',
    scope: 'global',
    label: tr('Command palette'),
    keys: ['Mod+K'],
    inFields: true,
    notInPalette: true,
  },
  { id: 'app.keys', scope: 'global', label: tr('List of all keys'), keys: ['?'], words: 'help shortcuts keyboard' },
  { id: 'app.settings', scope: 'global', label: tr('Settings'), keys: ['Mod+,'], words: 'preferences theme language' },
  { id: 'app.library', scope: 'global', label: tr('Go to the library'), keys: ['Alt+1'], words: 'tasks' },
  { id: 'app.recordings', scope: 'global', label: tr('Go to the recordings'), keys: ['Alt+2'] },
  { id: 'app.work', scope: 'global', label: tr('Go to my work'), keys: ['Alt+3'], words: 'queue review annotate' },
  {
    id: 'app.insights',
    scope: 'global',
    label: tr('Go to the insights'),
    keys: ['Alt+4'],
    words: 'dashboard agreement',
  },
  {
    id: 'app.nextWork',
    scope: 'global',
    label: tr('Open the next work item'),
    keys: ['Alt+N'],
    words: 'queue review annotate',
  },
  {
    id: 'app.person',
    scope: 'global',
    label: tr('Choose your name'),
    keys: ['Alt+P'],
    words: 'person user name login',
  },
  {
    id: 'app.dataset',
    scope: 'global',
    label: tr('Go to the data set'),
    keys: ['Alt+5'],
    words: 'filter split version',
  },
  { id: 'app.exports', scope: 'global', label: tr('Go to the export'), keys: ['Alt+6'], words: 'formats write' },
  {
    id: 'app.evaluate',
    scope: 'global',
    label: tr('Go to the evaluation'),
    keys: ['Alt+7'],
    words: 'leaderboard score models',
  },
  {
    id: 'app.share',
    scope: 'global',
    label: tr('Share this workspace or a version'),
    keys: [],
    words: 'archive colleague send export tar',
  },
  { id: 'app.welcome', scope: 'global', label: tr('Workspaces'), keys: ['Alt+0'], words: 'welcome open switch home' },
  {
    id: 'app.jobs',
    scope: 'global',
    label: tr('Show or hide background jobs'),
    keys: ['Alt+J'],
    words: 'jobs progress import',
  },
  {
    id: 'app.theme',
    scope: 'global',
    label: tr('Switch between light and dark'),
    keys: ['Alt+T'],
    words: 'theme colour',
  },
];

/** The workbench's own come before those of the pages that use it. */
const ofWorkbench = (file: string): number => Number(file.startsWith('../workbench/'));

export const catalogue: readonly CommandDefinition[] = [
  ...GLOBAL,
  ...Object.entries(files)
    .sort(([a], [b]) => ofWorkbench(b) - ofWorkbench(a))
    .flatMap(([, file]) => file.commands ?? []),
];
