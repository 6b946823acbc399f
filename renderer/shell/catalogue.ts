import { tr } from '../language/tr.ts';
import { type CommandDefinition, commandsIn } from '../ui/keys/commands.ts';

/**
 * Every command there is, so that the list of keys and the settings show them all, whichever page is open: each page keeps
 * its own in `<page>/commands.ts` as `commands` (plain data, no imports of the page), and they are gathered here by name.
 */
const files: Record<string, { commands?: readonly CommandDefinition[] }> = import.meta.glob('../*/commands.ts', {
  eager: true,
});

const define = commandsIn('global', 'app');

const GLOBAL: readonly CommandDefinition[] = [
  define('palette', tr('Command palette'), ['Mod+K'], { inFields: true, notInPalette: true }),
  define('keys', tr('List of all keys'), ['?'], 'help shortcuts keyboard'),
  define('settings', tr('Settings'), ['Mod+,'], 'preferences theme language'),
  define('library', tr('Go to the library'), ['Alt+1'], 'tasks'),
  define('recordings', tr('Go to the recordings'), ['Alt+2']),
  define('work', tr('Go to my work'), ['Alt+3'], 'queue review annotate'),
  define('insights', tr('Go to the insights'), ['Alt+4'], 'dashboard agreement'),
  define('nextWork', tr('Open the next work item'), ['Alt+N'], 'queue review annotate'),
  define('person', tr('Choose your name'), ['Alt+P'], 'person user name login'),
  define('dataset', tr('Go to the data set'), ['Alt+5'], 'filter split version'),
  define('exports', tr('Go to the export'), ['Alt+6'], 'formats write'),
  define('evaluate', tr('Go to the evaluation'), ['Alt+7'], 'leaderboard score models'),
  define('runs', tr('Go to the runs'), ['Alt+8'], 'agents models stages'),
  define('compositions', tr('Go to the compositions'), ['Alt+C'], 'pathways scenarios tasks joined'),
  define('members', tr('Go to the members'), ['Alt+M'], 'team people roles invite sign in tokens'),
  define('share', tr('Share this workspace or a version'), ['Alt+S'], 'archive colleague send export tar'),
  define('welcome', tr('Workspaces'), ['Alt+0'], 'welcome open switch home'),
  define('jobs', tr('Show or hide background jobs'), ['Alt+J'], 'jobs progress import'),
  define('theme', tr('Switch between light and dark'), ['Alt+T'], 'theme colour'),
];

/** The workbench's own come before those of the pages that use it. */
const ofWorkbench = (file: string): number => Number(file.startsWith('../workbench/'));

export const catalogue: readonly CommandDefinition[] = [
  ...GLOBAL,
  ...Object.entries(files)
    .sort(([a], [b]) => ofWorkbench(b) - ofWorkbench(a))
    .flatMap(([, file]) => file.commands ?? []),
];
